#pragma once

#include <cstddef>

/// Student's t distribution, with a `freedom` of at least 1 degree.
namespace hypermile::estimate {

/// The probability that a variable exceeds `t`.
[[nodiscard]] double student_t_beyond(double t, std::size_t freedom);

/// The value that a variable exceeds in size with a probability of 5 %.
[[nodiscard]] double student_t_95(std::size_t freedom);

/// The value that a variable stays within, above and below 0, with the probability `confidence`,
/// which is above 0 and below 1. The freedom need not be a whole number.
[[nodiscard]] double student_t_within(double confidence, double freedom);

} // namespace hypermile::estimate
