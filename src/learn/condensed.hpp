#pragma once

#include "learn/memory.hpp"
#include "model/timeline.hpp"

#include <optional>

namespace hypermile::learn {

/// Which share of the run the timelines of all ranks cover, 0 to 1.
[[nodiscard]] double coverage(const Memory& memory);

/// The whole run as a timeline: what all ranks recorded at the same time stands for all its
/// repetitions, its times multiplied by their number; before it, each rank computes what else it
/// did in the run, and waits for the others. None where some rank has no events, or not all of
/// them, and where the ranks recorded nothing at the same time.
[[nodiscard]] std::optional<model::Timeline> condensed(const Memory& memory);

} // namespace hypermile::learn
