#include "common/rank_grid.hpp"

#include "common/grid_shape.hpp"

namespace apps {
namespace {

std::array<std::uint32_t, axes> cube_shape(int ranks) {
  int x = 1;
  for (int factor = 2; factor * factor * factor <= ranks; ++factor)
    if (ranks % factor == 0)
      x = factor;
  const auto [y, z] = grid_shape(ranks / x);
  return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
          static_cast<std::uint32_t>(z)};
}

} // namespace

RankGrid::RankGrid(int rank, int ranks) : shape(cube_shape(ranks)) {
  auto rest = static_cast<std::uint32_t>(rank);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    place[axis] = rest % shape[axis];
    rest /= shape[axis];
  }
}

int RankGrid::neighbour(std::size_t axis, std::int64_t distance) const {
  auto there = place;
  const std::int64_t count = shape[axis];
  there[axis] = static_cast<std::uint32_t>((place[axis] + distance + count) % count);
  return static_cast<int>((there[2] * shape[1] + there[1]) * shape[0] + there[0]);
}

std::optional<int> RankGrid::neighbour_within(std::size_t axis, std::int64_t distance) const {
  const std::int64_t there = place[axis] + distance;
  if (there < 0 || there >= shape[axis])
    return std::nullopt;
  return neighbour(axis, distance);
}

} // namespace apps
