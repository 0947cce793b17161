#pragma once

#include "common/range.hpp"
#include "multipartition/modes.hpp"
#include "multipartition/partition.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace apps::multipartition {

/// The quantities in one cell, with a layer of ghost points around it: copies of the neighbouring
/// cells' points, or the walls' zeros.
class Cell {
public:
  explicit Cell(const std::array<Range, 3>& where);

  void fill(const Modes& modes);
  /// What a time step adds, before the three solves: 2 A times the second differences.
  void find_change();
  void add_change();

  /// Numbers in a face across `axis`.
  [[nodiscard]] std::size_t face_size(Axis axis) const;
  /// The outermost points: the last ones along `axis` (`last`), or the first.
  void copy_face(Axis axis, bool last, std::span<double> to) const;
  /// The ghosts beyond the last points along `axis`, or before the first.
  void set_ghosts(Axis axis, bool last, std::span<const double> from);

  /// The largest distance from what is known; infinity where a value is no number.
  [[nodiscard]] double error(const Modes& known) const;
  [[nodiscard]] double sum_of_squares() const;

  [[nodiscard]] std::uint32_t size(Axis axis) const { return where_[axis].size(); }
  /// By point (x fastest), then quantity; no ghosts.
  [[nodiscard]] std::span<double> change() { return change_; }

private:
  /// The quantities at a point counted from the cell's first; -1 and size() are ghosts.
  [[nodiscard]] std::size_t index(int x, int y, int z) const;
  /// Calls `use` with the index of each point in layer `at` along `axis`, ghosts at the rims not.
  template <class Use> void for_layer(Axis axis, int at, Use use) const;
  template <class Use> void for_points(Use use) const;

  std::array<Range, 3> where_;
  std::vector<double> values_; ///< by point, with ghosts, then quantity
  std::vector<double> change_;
};

} // namespace apps::multipartition
