#pragma once

#include <cstddef>

namespace hypermile::collective {

/// The probability that a variable with Student's t distribution is at most t. `freedom`: at least
/// 1. By the finite series for whole degrees of freedom (Abramowitz and Stegun 26.7.3, 26.7.4).
[[nodiscard]] double student_cdf(double t, std::size_t freedom);

/// What its size exceeds with a probability of 5 %.
[[nodiscard]] double student_95(std::size_t freedom);

} // namespace hypermile::collective
