#pragma once

#include "compare/comparison.hpp"

#include <string>
#include <vector>

namespace hypermile::compare {

/// What a reader wants to know first: a sentence for each method, or for the means over the cells
/// of a study.
[[nodiscard]] std::vector<std::string> verdict(const Comparison& comparison);

} // namespace hypermile::compare
