#pragma once

#include <cmath>
#include <cstddef>

namespace hypermile::steer {

/// Exponentially smoothed. [N16] 4
class Smoothed {
public:
  /// After `memory` seconds an old value has lost 63 % of its weight.
  explicit Smoothed(double memory) : memory_(memory) {}

  /// A mean over `seconds`.
  void add(double value, double seconds) {
    const double weight = 1 - std::exp(-seconds / memory_);
    mean_ = count_ == 0 ? value : mean_ + weight * (value - mean_);
    ++count_;
  }
  void reset() { count_ = 0; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Of at least one value.
  [[nodiscard]] double mean() const { return mean_; }

private:
  double memory_;
  double mean_ = 0;
  std::size_t count_ = 0;
};

/// How much single measurements of the same thing deviate, relative to it: pooled over everything
/// that was measured more than once.
class Scatter {
public:
  /// What is believed before, as if it had been seen `weight` times.
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
