#include "particles/box_part.hpp"

#include "common/grid_shape.hpp"

#include <cmath>

namespace apps::particles {

std::array<int, 3> rank_shape(int ranks) {
  int layers = 1;
  for (int factor = 2; factor * factor * factor <= ranks; ++factor)
    if (ranks % factor == 0)
      layers = factor;
  const auto [rows, columns] = grid_shape(ranks / layers);
  return {layers, rows, columns};
}

BoxPart::BoxPart(double whole_side, std::array<int, 3> rank_grid, int rank)
    : side(whole_side), shape(rank_grid), place{rank % shape[0], rank / shape[0] % shape[1],
                                                rank / shape[0] / shape[1]},
      low{}, high{} {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    low[axis] = side * place[axis] / shape[axis];
    high[axis] = side * (place[axis] + 1) / shape[axis];
  }
}

int BoxPart::neighbour(std::size_t axis, int distance) const {
  auto there = place;
  there[axis] = (place[axis] + distance + shape[axis]) % shape[axis];
  return (there[2] * shape[1] + there[1]) * shape[0] + there[0];
}

void BoxPart::wrap(Vector& position) const {
  for (double& x : position) {
    x -= side * std::floor(x / side);
    if (x >= side) // by rounding
      x = 0.0;
  }
}

} // namespace apps::particles
