#include "particles/box_part.hpp"

#include <cmath>

namespace apps::particles {

BoxPart::BoxPart(double whole_side, const RankGrid& rank_grid)
    : side(whole_side), grid(rank_grid), low{}, high{} {
  for (std::size_t axis = 0; axis < axes; ++axis) {
    low[axis] = side * grid.place[axis] / grid.shape[axis];
    high[axis] = side * (grid.place[axis] + 1) / grid.shape[axis];
  }
}

void BoxPart::wrap(Vector& position) const {
  for (double& x : position) {
    x -= side * std::floor(x / side);
    if (x >= side) // by rounding
      x = 0.0;
  }
}

} // namespace apps::particles
