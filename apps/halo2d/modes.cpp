#include "halo2d/modes.hpp"

#include "common/sine_modes.hpp"

#include <cmath>
#include <limits>

namespace apps::halo2d {

double Mode::factor(std::uint32_t side) const {
  return 1.0 - Problem::ratio * (second_difference(row, side) + second_difference(column, side));
}

ExactField::ExactField(std::uint32_t side, int steps, Range rows, Range columns) {
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const double amplitude = modes[m].amplitude * std::pow(modes[m].factor(side), steps);
    row_parts_[m] = sines(modes[m].row, rows, side);
    for (double& value : row_parts_[m])
      value *= amplitude;
    column_parts_[m] = sines(modes[m].column, columns, side);
  }
}

double exact_residual(std::uint32_t side, int step) {
  // The modes are orthogonal, and sin^2 sin^2 sums to ((side + 1) / 2)^2.
  double sum = 0.0;
  for (const Mode& mode : modes) {
    const double factor = mode.factor(side);
    const double change = mode.amplitude * (1.0 - factor) * std::pow(factor, step);
    sum += change * change;
  }
  return 0.5 * (side + 1.0) * std::sqrt(sum);
}

double rounding_bound(int steps) {
  return (7.0 * steps + 16.0) * largest_value * std::numeric_limits<double>::epsilon();
}

} // namespace apps::halo2d
