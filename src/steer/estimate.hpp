#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hypermile::steer {

/// The mean of what was added since the begin, later an exponentially smoothed one. [N16] 4
class Smoothed {
public:
  /// After `memory` seconds an old value has lost 63 % of its weight.
  explicit Smoothed(double memory) : memory_(memory) {}

  /// A mean over `seconds`, which is positive.
  void add(double value, double seconds) {
    seconds_ += seconds;
    mean_ += std::max(seconds / seconds_, 1 - std::exp(-seconds / memory_)) * (value - mean_);
  }
  void reset() { *this = Smoothed(memory_); }
  [[nodiscard]] bool empty() const { return seconds_ == 0; }
  /// Of at least one value.
  [[nodiscard]] double mean() const { return mean_; }
  /// Over how many seconds a plain mean is as certain as mean().
  [[nodiscard]] double span() const { return std::min(seconds_, 2 * memory_); }

private:
  double memory_;
  double mean_ = 0;
  double seconds_ = 0; ///< in all that was added
};

/// How much single measurements of the same thing deviate, relative to it: pooled over everything
/// that was measured more than once.
class Scatter {
public:
  /// The prior: `deviation`, as if it had been seen `weight` times.
  Scatter(double deviation, double weight)
      : squares_(weight * deviation * deviation), weight_(weight) {}

  /// `squares`: sum over measurements of their squared relative deviations from their own mean.
  void add(double squares, std::size_t measurements) {
    if (measurements < 2)
      return;
    squares_ += squares;
    weight_ += static_cast<double>(measurements - 1);
  }
  [[nodiscard]] double deviation() const { return std::sqrt(squares_ / weight_); }

private:
  double squares_;
  double weight_;
};

} // namespace hypermile::steer
