#pragma once

#include "model/timeline.hpp"

#include <cstddef>
#include <vector>

namespace hypermile::report {

/// A timeline in so few numbers that a page can show it.
struct TimelinePicture {
  std::size_t ranks = 0;
  std::size_t ranks_per_row = 1; ///< the last row may have fewer
  Seconds end;                   ///< of the last rank; the columns share the time until then
  /// By row and column: how many percent of that time the ranks computed; the rest is in MPI, or
  /// after their end.
  std::vector<std::vector<int>> computing;
};

/// There is at least one rank. At most 128 rows of 200 columns.
[[nodiscard]] TimelinePicture picture_of(const model::Timeline& timeline);

} // namespace hypermile::report
