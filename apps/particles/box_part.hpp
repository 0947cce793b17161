#pragma once

#include "common/rank_grid.hpp"
#include "particles/problem.hpp"

namespace apps::particles {

/// What a rank has of the cube, and where it is among the others.
struct BoxPart {
  BoxPart(double side, const RankGrid& grid);

  double side; ///< of the whole cube
  RankGrid grid;
  Vector low;
  Vector high;

  [[nodiscard]] bool has(std::size_t axis, double position) const {
    return position >= low[axis] && position < high[axis];
  }
  /// The same place within the cube: each coordinate is in [0, side).
  void wrap(Vector& position) const;
};

} // namespace apps::particles
