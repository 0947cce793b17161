#pragma once

#include "steer/goal.hpp"

#include <optional>
#include <string>

namespace hypermile::steer {

// Whether what is asked for has changed by so much that another choice is due: a bound should be
// kept, so little more is enough; a chance to save may wait.

/// `noise`: relative deviation of `now`, which is no change.
bool asks_for_more_or_less(std::optional<Rate> now, std::optional<Rate> then, double noise = 0);
/// Likewise an energy per item: what is left of a budget.
bool leaves_less_or_more(std::optional<Joules> now, std::optional<Joules> then);

} // namespace hypermile::steer
