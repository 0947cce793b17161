#pragma once

#include "multipartition/problem.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace apps::multipartition {

using Values = std::array<double, components>;

/// A sum of eigenmodes of the discrete equation: sines along each axis, times five amplitudes. A
/// time step takes each to a multiple of itself by a 5 x 5 matrix, so the solution is known.
class Modes {
public:
  /// The initial condition.
  explicit Modes(const Problem& problem);

  /// To the next time step, as the scheme of the program does it.
  void step();
  /// At a point, counted from 0 along each axis.
  [[nodiscard]] Values at(std::uint32_t x, std::uint32_t y, std::uint32_t z) const;
  /// No value of the initial condition is larger.
  [[nodiscard]] static double largest_value();

private:
  struct Mode {
    std::array<std::uint32_t, 3> waves; ///< half waves along each axis
    Values amplitude;
  };

  [[nodiscard]] double sine(std::uint32_t waves, std::uint32_t point) const;

  std::uint32_t points_;
  std::vector<Mode> modes_;
};

} // namespace apps::multipartition
