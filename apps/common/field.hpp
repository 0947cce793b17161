#pragma once

#include "common/rank_grid.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace apps {

/// A value for each point of a rank's part of a box, with one layer of ghosts around it: the part
/// begins at (1, 1, 1). An axis without points has its two ghosts alone.
struct Field {
  explicit Field(std::array<std::uint32_t, axes> points);

  double* row(std::size_t z, std::size_t y) {
    return values.data() + z * stride[2] + y * stride[1];
  }
  [[nodiscard]] const double* row(std::size_t z, std::size_t y) const {
    return values.data() + z * stride[2] + y * stride[1];
  }

  /// How many values a plane across `axis` has, ghosts included.
  [[nodiscard]] std::size_t plane_size(std::size_t axis) const;
  void get_plane(std::size_t axis, std::size_t index, std::span<double> plane) const;
  void set_plane(std::size_t axis, std::size_t index, std::span<const double> plane);

  std::array<std::size_t, axes> size; ///< without the ghosts
  std::array<std::size_t, axes> stride;
  std::vector<double> values;
};

} // namespace apps
