#pragma once

#include "common/range.hpp"

#include <cstdint>
#include <vector>

namespace apps::cg {

/// How the ranks share the matrix: a grid of power-of-two sides, square or twice as
/// wide as high. A vector is cut along the columns; all ranks of one grid column hold
/// the same part of it. A product A p is summed along a grid row; then each rank of
/// the row has the part of it that its transpose partner needs.
struct Grid {
  Grid(int rank, int ranks, std::uint32_t n);

  std::uint32_t height;
  std::uint32_t width;
  Range rows;    ///< of the matrix, held by this rank
  Range columns; ///< of the matrix; also this rank's part of each vector

  /// The part of this rank's rows that the sum along the grid row leaves here, as
  /// indices into its rows: all of them in a square grid, else one half.
  Range kept;
  Range given; ///< the other half, which the nearest partner keeps; empty if square

  int transpose_partner;         ///< who needs `kept`, and has what this rank needs
  std::vector<int> row_partners; ///< for sums along the grid row, farthest first
};

bool is_power_of_two(int ranks);

} // namespace apps::cg
