#pragma once

#include "common/range.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace apps::multisplitting {

/// Values behind the four sides of a block that are not walls of the cube. Empty: all are 0.
struct Neighbours {
  std::span<const double> south; ///< behind the first row, a value for each x, then z
  std::span<const double> north; ///< behind the last row
  std::span<const double> below; ///< behind the first plane, a value for each x, then y
  std::span<const double> above; ///< behind the last plane
};

/// A box of points that one rank has: all in x, `rows` in y and `planes` in z. A field of it is a
/// vector, in which x runs fastest and z slowest.
class Block {
public:
  Block(std::uint32_t side, Range rows, Range planes);

  [[nodiscard]] std::uint32_t side() const { return side_; }
  [[nodiscard]] Range rows() const { return rows_; }
  [[nodiscard]] Range planes() const { return planes_; }
  [[nodiscard]] std::size_t points() const { return plane_size() * planes_.size(); }
  /// Of a plane of constant z, which is a part of a field.
  [[nodiscard]] std::size_t plane_size() const { return std::size_t{side_} * rows_.size(); }
  /// Of a wall of constant y: row `row` of each plane.
  [[nodiscard]] std::size_t wall_size() const { return std::size_t{side_} * planes_.size(); }
  void get_wall(std::span<const double> field, std::uint32_t row, std::span<double> wall) const;

  /// result = 6 field less its six neighbours.
  void apply(std::span<const double> field, const Neighbours& neighbours,
             std::span<double> result) const;

private:
  std::uint32_t side_;
  Range rows_;
  Range planes_;
  std::vector<double> zeros_; ///< a row
};

} // namespace apps::multisplitting
