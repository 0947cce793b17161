#pragma once

#include <cstddef>
#include <optional>
#include <span>

/// How much two things differ that were measured several times each.
namespace hypermile::estimate {

/// Values of one thing, in whatever unit.
struct Sample {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0; ///< the standard deviation of the values; 0 for one value
};

/// Where something lies with the confidence that was asked for, if errors are normal.
struct Interval {
  double low;
  double high;
};

/// Of at least one value. Equal values have exactly no deviation.
[[nodiscard]] Sample sample_of(std::span<const double> values);

/// Of the mean of all b that there might be, minus that of all a. The deviations need not be alike:
/// B. L. Welch, "The generalization of 'Student's' problem when several different population
/// variances are involved", Biometrika 34 (1947), with the degrees of freedom of his Eq. 28 as
/// F. E. Satterthwaite has them, "An approximate distribution of estimates of variance components",
/// Biometrics Bulletin 2 (1946). None: one of them has less than two values.
[[nodiscard]] std::optional<Interval> difference_interval(const Sample& a, const Sample& b,
                                                          double confidence);

/// Of the mean of all b divided by that of all a, which are positive: E. C. Fieller, "Some problems
/// in interval estimation", J. Royal Statistical Society B 16 (1954), with the same degrees of
/// freedom. It holds 1 exactly where the interval of the difference holds 0. None: one of them has
/// less than two values, or the mean of a is not known well enough to divide by it.
[[nodiscard]] std::optional<Interval> ratio_interval(const Sample& a, const Sample& b,
                                                     double confidence);

/// Of the mean of all values that there might be, by Student's t. None: less than two values.
[[nodiscard]] std::optional<Interval> mean_interval(const Sample& sample, double confidence);

} // namespace hypermile::estimate
