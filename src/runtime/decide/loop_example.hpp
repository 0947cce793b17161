#pragma once

#include "runtime/decide/trade_offs.hpp"

#include <optional>

namespace hypermile::runtime {

/// The last iterations of those that a choice rested on, about two, and the gears that are in
/// force. None where the choice rested on no events, and where these are too many to be handed on.
[[nodiscard]] std::optional<LoopExample>
loop_example(const ChoiceBasis& basis, const Decision& in_force, const TimeModel& model);

} // namespace hypermile::runtime
