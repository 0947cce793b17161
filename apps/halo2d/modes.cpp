#include "halo2d/modes.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace apps::halo2d {
namespace {

double squared_sine(std::uint32_t number, std::uint32_t side) {
  const double sine = std::sin(std::numbers::pi * number / (2.0 * (side + 1.0)));
  return sine * sine;
}

/// amplitude * sin(pi number (i + 1) / (side + 1)) for the points i of `range`; the angles
/// are reduced to one turn without rounding.
std::vector<double> sines(std::uint32_t number, double amplitude, Range range, std::uint32_t side) {
  const std::uint64_t turn = 2 * (std::uint64_t{side} + 1);
  std::vector<double> values;
  for (std::uint64_t i = range.begin; i < range.end; ++i) {
    const auto part = static_cast<double>(number * (i + 1) % turn) / static_cast<double>(turn);
    values.push_back(amplitude * std::sin(2.0 * std::numbers::pi * part));
  }
  return values;
}

} // namespace

double Mode::factor(std::uint32_t side) const {
  return 1.0 - 4.0 * Problem::ratio * (squared_sine(row, side) + squared_sine(column, side));
}

ExactField::ExactField(std::uint32_t side, int steps, Range rows, Range columns) {
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const double amplitude = modes[m].amplitude * std::pow(modes[m].factor(side), steps);
    row_parts_[m] = sines(modes[m].row, amplitude, rows, side);
    column_parts_[m] = sines(modes[m].column, 1.0, columns, side);
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
