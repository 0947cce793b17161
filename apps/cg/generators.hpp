#pragma once

#include "cg/grid.hpp"
#include "cg/problem.hpp"

#include <cstdint>
#include <vector>

namespace apps::cg {

/// The specification's matrix is a sum of n outer products w_i x_i x_i^T of sparse
/// random vectors x_i, with weights w_i that fall from 1 to rcond. This is the part
/// of the x_i that meets one rank's block: only what lies in its rows or columns, and
/// nothing of a vector that misses either.
struct Generators {
  struct RowEntry {
    std::uint32_t vector; ///< which of the kept vectors
    double value;         ///< weighted by w_i
  };
  struct ColumnEntry {
    std::uint32_t column;
    double value;
  };

  // Compressed by local row: which vectors touch it.
  std::vector<std::size_t> row_begin;
  std::vector<RowEntry> row_entries;
  // Compressed by kept vector: its entries in the rank's columns.
  std::vector<std::size_t> vector_begin;
  std::vector<ColumnEntry> column_entries;
};

/// Draws all n vectors, as the random stream has to be followed from its beginning,
/// and keeps those entries that meet the block rows x columns.
Generators draw_generators(const Problem& problem, Range rows, Range columns);

} // namespace apps::cg
