#pragma once

/// The standard normal distribution.
namespace hypermile::estimate {

/// The probability that a variable is at most `x`.
[[nodiscard]] double normal_at_most(double x);

/// The value that a variable is at most with this probability, which is in [0.5, 1).
[[nodiscard]] double normal_quantile(double probability);

} // namespace hypermile::estimate
