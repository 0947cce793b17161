#pragma once

#include "compare/comparison.hpp"
#include "compare/limits.hpp"

#include <string>
#include <vector>

namespace hypermile::compare {

/// The verdict, in what else A and B differ, and the figures; for a terminal.
/// `exceeded`: what the limits were exceeded by.
[[nodiscard]] std::string comparison_text(const Comparison& comparison, const Limits& limits,
                                          const std::vector<std::string>& exceeded);

/// Schema hypermile/comparison/1 (docs/compare.md).
[[nodiscard]] std::string comparison_json(const Comparison& comparison, const Limits& limits,
                                          const std::vector<std::string>& exceeded);

} // namespace hypermile::compare
