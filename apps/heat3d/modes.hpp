#pragma once

#include "heat3d/problem.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace apps::heat3d {

/// An eigenmode of the discrete equation: amplitude times a sine along each axis. Each time step
/// multiplies it by the same factor.
struct Mode {
  std::array<std::uint32_t, axes> half_waves;
  double amplitude;

  /// With the step ratio r: 1 - r (sum over the axes of second_difference()).
  [[nodiscard]] double factor(std::uint32_t side) const;
};

/// The field that the program starts from is the sum of these. They differ along the axes, and are
/// short enough to change visibly in a hundred steps.
inline constexpr std::array<Mode, 2> modes = {{{{3, 5, 2}, 1.0}, {{4, 1, 7}, 0.5}}};

/// What no cell of the field exceeds.
inline constexpr double largest_value = 1.5;

/// The solution after some steps, in one block of the cube.
class ExactField {
public:
  ExactField(std::uint32_t side, int steps, const Block& block);

  /// Counts from 0 in the block.
  [[nodiscard]] double at(std::size_t x, std::size_t y, std::size_t z) const {
    double value = 0.0;
    for (std::size_t m = 0; m < modes.size(); ++m)
      value += amplitudes_[m] * sines_[m][0][x] * sines_[m][1][y] * sines_[m][2][z];
    return value;
  }

private:
  std::array<double, modes.size()> amplitudes_{};
  std::array<std::array<std::vector<double>, axes>, modes.size()> sines_;
};

/// How far a cell may be from the exact solution by rounding alone after `steps` steps. A step is a
/// weighted mean, so it does not enlarge the errors before it; its own are additions, which round
/// by 1.5 epsilon of `largest_value` altogether. The exact solution's factor, rounded, adds one per
/// step, and the sines that both begin with some ten each.
double rounding_bound(int steps);

} // namespace apps::heat3d
