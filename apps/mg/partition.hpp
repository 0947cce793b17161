#pragma once

#include "common/range.hpp"

#include <array>
#include <cstdint>

namespace apps::mg {

inline constexpr std::size_t axes = 3; ///< 0 is x, whose points are next to each other

/// How many ranks share each axis, and which of them this rank is; all powers of two.
struct RankGrid {
  /// A grid as near to a cube as a power of two allows, z having the most ranks.
  RankGrid(int rank, int all_ranks);

  std::array<std::uint32_t, axes> ranks;
  std::array<std::uint32_t, axes> place;

  /// The rank that is `distance` places further along an axis, which is a ring.
  [[nodiscard]] int neighbour(std::size_t axis, std::int64_t distance) const;
};

/// What a rank has of one axis of one level. A level with fewer points than ranks leaves
/// `stride - 1` of `stride` ranks without a point.
struct AxisPart {
  AxisPart(std::uint32_t points, std::uint32_t ranks, std::uint32_t place);

  Range range;
  std::uint32_t stride; ///< from a rank that has a point to the next one
};

/// A rank's part of one level.
struct LevelPart {
  LevelPart(std::uint32_t side, const RankGrid& grid);

  std::array<AxisPart, axes> parts;

  [[nodiscard]] bool is_active() const;
  [[nodiscard]] std::array<std::uint32_t, axes> size() const;
  /// Whether this rank's first point has an odd number, by axis.
  [[nodiscard]] std::array<std::uint32_t, axes> parity() const;
};

} // namespace apps::mg
