#pragma once

#include "model/timeline.hpp"

namespace hypermile::model::dependency {

/// Whether this rank hands out work while the program runs: it takes messages from whoever comes
/// first, and from some senders more often than from others, as a master does whose workers differ
/// in speed. Then other gears would change who does what, which no recording tells.
[[nodiscard]] bool assigns_work(const RankTimeline& rank);

/// Whether this rank takes messages from whoever comes first, but too few of them to tell whether
/// it hands out work.
[[nodiscard]] bool may_assign_work(const RankTimeline& rank);

} // namespace hypermile::model::dependency
