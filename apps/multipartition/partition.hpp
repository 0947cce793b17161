#pragma once

#include "common/range.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace apps::multipartition {

using Axis = std::size_t; ///< 0: x, 1: y, 2: z
inline constexpr std::array<Axis, 3> axes = {0, 1, 2};

/// How q x q ranks share a cube that is cut into q x q x q cells: the multi-partition scheme. Each
/// rank has q cells along a diagonal, one in each slab along each axis. So in every stage of a
/// sweep along any axis each rank has a cell to work on, and the cells after its own along an
/// axis all belong to one rank.
class Partition {
public:
  /// `ranks`: side * side.
  Partition(int rank, std::uint32_t side, std::uint32_t points);

  [[nodiscard]] std::uint32_t side() const { return side_; }
  /// The points of this rank's cells, counted from 0, along each axis.
  [[nodiscard]] const std::vector<std::array<Range, 3>>& cells() const { return cells_; }
  /// Which of the cells lies in slab `slab` along `axis`.
  [[nodiscard]] std::size_t cell_in_slab(Axis axis, std::uint32_t slab) const;
  /// The rank that has the cells after this rank's, away from the origin, and that before.
  [[nodiscard]] int next(Axis axis) const { return next_[axis]; }
  [[nodiscard]] int previous(Axis axis) const { return previous_[axis]; }

private:
  std::uint32_t side_;
  std::vector<std::array<std::uint32_t, 3>> slabs_; ///< of each cell, along each axis
  std::vector<std::array<Range, 3>> cells_;
  std::array<int, 3> next_{};
  std::array<int, 3> previous_{};
};

/// The q of q x q ranks; none: their number is no square.
[[nodiscard]] std::optional<std::uint32_t> side_of(int ranks);

} // namespace apps::multipartition
