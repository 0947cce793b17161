#include "mg/partition.hpp"

#include <algorithm>
#include <bit>

namespace apps::mg {
namespace {

std::uint32_t share(std::uint32_t points, std::uint32_t ranks, std::uint32_t place) {
  return static_cast<std::uint32_t>(std::uint64_t{place} * points / ranks);
}

} // namespace

RankGrid::RankGrid(int rank, int all_ranks) {
  const auto bits = static_cast<unsigned>(std::bit_width(static_cast<unsigned>(all_ranks)) - 1);
  const unsigned x = bits / 3;
  const unsigned y = (bits - x) / 2;
  ranks = {1U << x, 1U << y, 1U << (bits - x - y)};
  auto rest = static_cast<std::uint32_t>(rank);
  for (std::size_t axis = 0; axis < axes; ++axis) {
    place[axis] = rest % ranks[axis];
    rest /= ranks[axis];
  }
}

int RankGrid::neighbour(std::size_t axis, std::int64_t distance) const {
  auto there = place;
  const std::int64_t count = ranks[axis];
  there[axis] = static_cast<std::uint32_t>((place[axis] + distance + count) % count);
  return static_cast<int>((there[2] * ranks[1] + there[1]) * ranks[0] + there[0]);
}

AxisPart::AxisPart(std::uint32_t points, std::uint32_t ranks, std::uint32_t place)
    : range{share(points, ranks, place), share(points, ranks, place + 1)},
      stride(std::max(1U, ranks / points)) {}

LevelPart::LevelPart(std::uint32_t side, const RankGrid& grid)
    : parts{AxisPart(side, grid.ranks[0], grid.place[0]),
            AxisPart(side, grid.ranks[1], grid.place[1]),
            AxisPart(side, grid.ranks[2], grid.place[2])} {}

bool LevelPart::is_active() const {
  return std::ranges::all_of(parts, [](const AxisPart& part) { return part.range.size() > 0; });
}

std::array<std::uint32_t, axes> LevelPart::size() const {
  return {parts[0].range.size(), parts[1].range.size(), parts[2].range.size()};
}

std::array<std::uint32_t, axes> LevelPart::parity() const {
  return {parts[0].range.begin % 2, parts[1].range.begin % 2, parts[2].range.begin % 2};
}

} // namespace apps::mg
