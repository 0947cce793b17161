#pragma once

#include <array>

namespace apps {

/// How many rows and columns a grid of `ranks` ranks has: as near to a square as its
/// factors allow, and not higher than wide. (MPI_Dims_create of some MPIs makes 9 x 1 of 9.)
constexpr std::array<int, 2> grid_shape(int ranks) {
  int rows = 1;
  for (int factor = 2; factor * factor <= ranks; ++factor)
    if (ranks % factor == 0)
      rows = factor;
  return {rows, ranks / rows};
}

} // namespace apps
