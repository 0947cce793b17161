#include "mg/partition.hpp"

#include <algorithm>

namespace apps::mg {
namespace {

std::uint32_t share(std::uint32_t points, std::uint32_t ranks, std::uint32_t place) {
  return static_cast<std::uint32_t>(std::uint64_t{place} * points / ranks);
}

} // namespace

AxisPart::AxisPart(std::uint32_t points, std::uint32_t ranks, std::uint32_t place)
    : range{share(points, ranks, place), share(points, ranks, place + 1)},
      stride(std::max(1U, ranks / points)) {}

LevelPart::LevelPart(std::uint32_t side, const RankGrid& grid)
    : parts{AxisPart(side, grid.shape[0], grid.place[0]),
            AxisPart(side, grid.shape[1], grid.place[1]),
            AxisPart(side, grid.shape[2], grid.place[2])} {}

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
