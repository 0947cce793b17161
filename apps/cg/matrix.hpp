#pragma once

#include "cg/grid.hpp"
#include "cg/problem.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace apps::cg {

/// One rank's block of the matrix, compressed by rows; indices are local.
struct Matrix {
  std::vector<std::size_t> row_begin;
  std::vector<std::uint32_t> column;
  std::vector<double> value;

  /// result = block * x
  void multiply(std::span<const double> x, std::span<double> result) const;
};

/// The block rows x columns of  sum_i w_i x_i x_i^T + (rcond - shift) I.
Matrix make_matrix(const Problem& problem, Range rows, Range columns);

} // namespace apps::cg
