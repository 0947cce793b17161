#pragma once

#include "common/range.hpp"
#include "common/rank_grid.hpp"

#include <array>
#include <cstdint>

namespace apps::mg {

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
