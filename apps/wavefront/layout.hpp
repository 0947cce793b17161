#pragma once

#include "common/range.hpp"
#include "wavefront/problem.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace apps::wavefront {

/// This rank's block of the box, and the ranks around it (MPI_PROC_NULL at a wall). The
/// shape of the grid of ranks is {rows, columns}.
struct Layout {
  Layout(const Problem& problem, std::array<int, 2> shape, int rank);

  Range columns;
  Range rows;
  std::uint32_t planes;
  int north; ///< has the rows before ours
  int south;
  int west; ///< has the columns before ours
  int east;
};

/// A value for each point of a block, with one layer of ghosts around it: the block begins at
/// (1, 1, 1). Columns are next to each other, planes farthest apart.
struct Field {
  explicit Field(const Layout& layout)
      : row_stride(layout.columns.size() + std::size_t{2}),
        plane_stride(row_stride * (layout.rows.size() + std::size_t{2})),
        values(plane_stride * (layout.planes + std::size_t{2}), 0.0) {}

  double* row(std::size_t plane, std::size_t index) {
    return values.data() + plane * plane_stride + index * row_stride;
  }
  [[nodiscard]] const double* row(std::size_t plane, std::size_t index) const {
    return values.data() + plane * plane_stride + index * row_stride;
  }

  std::size_t row_stride;
  std::size_t plane_stride;
  std::vector<double> values;
};

} // namespace apps::wavefront
