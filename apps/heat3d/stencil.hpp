#pragma once

#include "heat3d/problem.hpp"

#include <cstddef>

namespace apps::heat3d {

/// A row of cells, and the four beside it; each has a ghost at its beginning and its end.
template <typename Number> struct Rows {
  const Number* centre;
  const Number* south;
  const Number* north;
  const Number* below;
  const Number* above;
};

/// Additions and multiplications for each cell in step_row().
inline constexpr std::uint64_t operations_per_cell = 8;

/// The next values of cells 1 to `count`: a weighted mean of each cell and its six neighbours.
template <typename Number>
void step_row(const Rows<Number>& rows, Number* next, std::size_t count) {
  constexpr double kept = 1.0 - 6.0 * Problem::ratio;
  for (std::size_t i = 1; i <= count; ++i)
    next[i] =
        kept * rows.centre[i] +
        Problem::ratio * ((rows.centre[i - 1] + rows.centre[i + 1]) +
                          ((rows.south[i] + rows.north[i]) + (rows.below[i] + rows.above[i])));
}

} // namespace apps::heat3d
