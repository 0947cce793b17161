#pragma once

#include <cstddef>
#include <functional>

namespace hypermile::select {

/// When a search ends that could go on.
struct SearchLimits {
  /// Asked all the time; empty: never. The search is repeatable only without it.
  std::function<bool()> out_of_time = {};
  std::size_t most_evaluations = std::size_t{1} << 40U; ///< passes over the timeline
  std::size_t most_boxes = 200'000;                     ///< of gear vectors, in the proof
  unsigned seed = 1;                                    ///< of restarts
};

} // namespace hypermile::select
