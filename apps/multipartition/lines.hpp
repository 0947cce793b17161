#pragma once

#include "multipartition/cell.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace apps::multipartition {

/// Block-tridiagonal systems along all lines of a cell: 1 - A times the second difference. A line
/// goes through several cells: from each, some numbers are carried to the next.
class Lines {
public:
  /// Numbers carried per line when eliminating, and when substituting.
  static constexpr std::size_t eliminated = components * components + components;
  static constexpr std::size_t substituted = components;

  /// Keeps a reference.
  explicit Lines(Cell& cell);

  [[nodiscard]] std::size_t count(Axis axis) const;
  /// Forward, from the first point to the last. `carry`: from the cell before, zeros at the wall;
  /// then for the next.
  void eliminate(Axis axis, std::span<double> carry);
  /// Backward, after the elimination; the cell's change is then the solution. `carry`: from the
  /// cell after it, zeros at the wall; then for the one before.
  void substitute(Axis axis, std::span<double> carry);

private:
  /// Of points along a line.
  struct Line {
    std::size_t first;
    std::size_t stride;
  };
  [[nodiscard]] Line line(Axis axis, std::size_t number) const;

  Cell* cell_;
  std::vector<double> upper_; ///< by point, a block: what is left of its row besides the 1
};

} // namespace apps::multipartition
