#pragma once

#include "model/timeline.hpp"

#include <cstddef>
#include <vector>

namespace hypermile::runtime {

/// From this moment of its clock on a rank's computation takes so many times as long as in gear 0.
struct GearStage {
  static constexpr Seconds beginning{-1e18}; ///< before any clock began
  Seconds from;
  double scale = 1;
};

/// What a rank recorded while its gear did not change for the longest time; the last events of that
/// where there are more than about so many. `stages` ascend, the first begins with the run.
[[nodiscard]] model::RankTimeline longest_stage(model::RankTimeline rank,
                                                const std::vector<GearStage>& stages,
                                                std::size_t most_events);

} // namespace hypermile::runtime
