#pragma once

#include "common/range.hpp"
#include "halo2d/problem.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace apps::halo2d {

/// An eigenmode of the discrete equation, amplitude * sin(pi row y) sin(pi column x): each
/// time step multiplies it by the same factor.
struct Mode {
  std::uint32_t row;
  std::uint32_t column;
  double amplitude;

  /// With side n and step ratio r:
  /// 1 - 4 r (sin^2(pi row / (2 (n + 1))) + sin^2(pi column / (2 (n + 1)))).
  [[nodiscard]] double factor(std::uint32_t side) const;
};

/// The field that the program starts from is the sum of these. They are not symmetric in
/// rows and columns, and short enough to change visibly in a few hundred steps.
inline constexpr std::array<Mode, 2> modes = {{{17, 29, 1.0}, {31, 11, 0.5}}};

/// What no point of the field exceeds.
inline constexpr double largest_value = 1.5;

/// The solution after some steps, in one block of the square.
class ExactField {
public:
  ExactField(std::uint32_t side, int steps, Range rows, Range columns);

  /// Counts from 0 in the block.
  [[nodiscard]] double at(std::size_t row, std::size_t column) const {
    double value = 0.0;
    for (std::size_t m = 0; m < modes.size(); ++m)
      value += row_parts_[m][row] * column_parts_[m][column];
    return value;
  }

private:
  std::array<std::vector<double>, modes.size()> row_parts_; ///< with the amplitude
  std::array<std::vector<double>, modes.size()> column_parts_;
};

/// The 2-norm of what step number `step` (from 0) changes.
double exact_residual(std::uint32_t side, int step);

/// How far a point may be from the exact solution by rounding alone after `steps` steps. A
/// step is a weighted mean, so it does not enlarge the errors before it; its own are six
/// roundings of at most `largest_value`. The exact solution's factor, rounded, adds one per
/// step, and the sines that both begin with a few.
double rounding_bound(int steps);

} // namespace apps::halo2d
