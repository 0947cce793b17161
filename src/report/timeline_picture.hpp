#pragma once

#include "model/dependency/schedule.hpp"
#include "model/timeline.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <vector>

namespace hypermile::report {

/// A timeline in so few numbers that a page can show it.
struct TimelinePicture {
  std::size_t ranks = 0;
  std::size_t ranks_per_row = 1; ///< the last row may have fewer
  Seconds end; ///< of the last rank, since the begin; the columns share the time until then
  /// By row and column: how many percent of that time the ranks computed; the rest is in MPI, or
  /// after their end.
  std::vector<std::vector<int>> computing{};
  /// Likewise, waiting for others; empty: it is not known.
  std::vector<std::vector<int>> waiting{};

  static constexpr std::size_t columns = 200;
};

/// There is at least one rank. At most 128 rows of 200 columns. From time 0 on.
[[nodiscard]] TimelinePicture picture_of(const model::Timeline& timeline);

/// The same from the begin of the first rank on, with what the ranks waited.
[[nodiscard]] TimelinePicture picture_of(const model::dependency::Schedule& schedule);

/// Keys `ranks`, `ranks_per_row`, `end_s`, `computing_percent`, `waiting_percent` (null: not
/// known).
[[nodiscard]] nlohmann::ordered_json picture_json(const TimelinePicture& picture);

} // namespace hypermile::report
