#pragma once

#include <cstddef>
#include <vector>

namespace apps::mixed {

/// Points that turn about the origin, step by step: arithmetic on few numbers, which stay in the
/// nearest cache.
class Turns {
public:
  /// A power of two of them is a full circle.
  static constexpr double steps_of_circle = 1 << 20;

  /// Point number `first` of all is the first one.
  Turns(std::size_t first, std::size_t count);

  /// Each point goes so many steps round.
  void turn(int steps);
  void restart();
  /// The largest distance of any point from where it should be after so many steps.
  [[nodiscard]] double error(double steps) const;
  /// The sum of all squares of radii.
  [[nodiscard]] double squares() const;

private:
  [[nodiscard]] double radius(std::size_t point) const;

  std::size_t first_;
  std::vector<double> x_;
  std::vector<double> y_;
};

/// How far a point may be off after so many steps: each rounds four products and two sums, and the
/// sine and cosine of a step are each off by half a unit in the last place.
double rounding_bound(double steps);

} // namespace apps::mixed
