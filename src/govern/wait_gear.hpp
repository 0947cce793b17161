#pragma once

#include "units/quantity.hpp"

#include <optional>

namespace hypermile::govern {

/// What a change of gears takes, and so from how long a wait on the gear is to be lowered.
struct WaitLimits {
  Seconds patience{500e-6}; ///< so long has an unexpected wait to last before
  Seconds shortest{};       ///< stay in the low gear that is worth going there and back
  Seconds margin{};         ///< so long before the expected end the gear is raised
};

/// While all ranks of a node wait.
struct NodeWait {
  Seconds since;                  ///< the last of them does
  std::optional<Seconds> until{}; ///< the first is expected to go on; none: nobody knows
};

struct WaitWish {
  bool low = false;              ///< the node is to be in its wait gear
  std::optional<Seconds> wake{}; ///< when that may change if nothing happens; none: it will not
};

/// Whether a node is to be in its wait gear. `wait`: none: some rank computes; then it never is.
///
/// A wait whose end is expected lowers the gear at once if it is worth it, and raises it before
/// that end. If it goes on beyond it, or nobody knows how long it lasts, the gear is lowered after
/// `patience`, until a rank goes on. `low`: the node is in it now.
WaitWish wait_wish(const std::optional<NodeWait>& wait, Seconds now, bool low,
                   const WaitLimits& limits);

/// By the time that a change takes, as measured. Of a stay in the wait gear changes are to be a
/// small part. `late`: how late the one who changes gears may be woken.
WaitLimits limits_for(Seconds change, Seconds late);

} // namespace hypermile::govern
