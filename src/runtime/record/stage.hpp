#pragma once

#include "model/timeline.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace hypermile::runtime {

/// From this moment of its clock on a rank's computation takes so many times as long as in gear 0.
struct GearStage {
  static constexpr Seconds beginning{-1e18}; ///< before any clock began
  Seconds from;
  double scale = 1;
  std::size_t orders = 0; ///< of rank 0 to set gears that the rank had followed by then
};

/// `GearStage::orders` of the longest of the stages. They ascend, the last one ends at `end`; those
/// that began before `begin` began then. 0 if there are none.
[[nodiscard]] std::size_t orders_of_longest_stage(const std::vector<GearStage>& stages,
                                                  Seconds begin, Seconds end);

/// What a rank recorded while its gear did not change for the longest time; the last events of that
/// where there are more than about so many. `stages` ascend, the first begins with the run.
/// `orders`: only of stages with so many, if the rank has one. The stages of two ranks are about
/// equally long, and each may find another one the longest.
[[nodiscard]] model::RankTimeline longest_stage(model::RankTimeline rank,
                                                const std::vector<GearStage>& stages,
                                                std::optional<std::size_t> orders,
                                                std::size_t most_events);

} // namespace hypermile::runtime
