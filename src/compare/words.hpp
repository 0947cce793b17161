#pragma once

#include "compare/comparison.hpp"

#include <string>

// How figures of a comparison are written.

namespace hypermile::compare {

/// "12.3", "0.45" of 0.123, 0.0045: without a sign.
[[nodiscard]] std::string percent_text(double share);

/// The same with its sign, "+12.3" or "-0.45".
[[nodiscard]] std::string signed_percent_text(double share);

/// What B took of something: "12.3 % less energy (95 %: 10.1 to 14.5 %)". `ratio`: B / A.
/// `interval`: of that; none: it is left out. `more`, `less`: what to call it, "less energy".
[[nodiscard]] std::string change_text(double ratio,
                                      const std::optional<estimate::Interval>& interval,
                                      double confidence, const std::string& more,
                                      const std::string& less);

/// "95 %"
[[nodiscard]] std::string confidence_text(double confidence);

} // namespace hypermile::compare
