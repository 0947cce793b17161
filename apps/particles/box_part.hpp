#pragma once

#include "particles/problem.hpp"

#include <array>

namespace apps::particles {

/// How many ranks share each direction: as near to a cube as the factors allow.
std::array<int, 3> rank_shape(int ranks);

/// What a rank has of the cube, and where it is among the others.
struct BoxPart {
  BoxPart(double side, std::array<int, 3> shape, int rank);

  double side; ///< of the whole cube
  std::array<int, 3> shape;
  std::array<int, 3> place;
  Vector low;
  Vector high;

  /// The rank that is `distance` places further in a direction, which is a ring.
  [[nodiscard]] int neighbour(std::size_t axis, int distance) const;
  [[nodiscard]] bool has(std::size_t axis, double position) const {
    return position >= low[axis] && position < high[axis];
  }
  /// The same place within the cube: each coordinate is in [0, side).
  void wrap(Vector& position) const;
};

} // namespace apps::particles
