#pragma once

#include "model/platform.hpp"
#include "model/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace hypermile::model {

/// Which share of the power between waiting and computing a node draws while so many of its cores
/// compute: that of NodeType::active, or a line. More than all cores draw as much as all.
[[nodiscard]] double active_share(const NodeType& type, std::size_t cores);

/// What the nodes draw until the last rank ends, each in one gear: exact for any NodeType::active,
/// since it follows how many ranks of a node compute at a time. The timeline's computation took
/// place in these gears. `node_of_rank` counts in `types` and `gears`.
[[nodiscard]] Joules energy_of(const Timeline& timeline, std::span<const NodeType> types,
                               std::span<const Gear> gears,
                               std::span<const std::uint32_t> node_of_rank);

} // namespace hypermile::model
