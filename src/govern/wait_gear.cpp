#include "govern/wait_gear.hpp"

#include <algorithm>

namespace hypermile::govern {

WaitWish wait_wish(const std::optional<NodeWait>& wait, Seconds now, bool low,
                   const WaitLimits& limits) {
  if (!wait)
    return {};
  Seconds unexpected_from = wait->since;
  if (wait->until) {
    const Seconds raise = *wait->until - limits.margin;
    if (now < raise && (low || raise - now >= limits.shortest))
      return {.low = true, .wake = raise};
    unexpected_from = std::max(unexpected_from, *wait->until);
  }
  const Seconds due = unexpected_from + limits.patience;
  return now < due ? WaitWish{.low = false, .wake = due} : WaitWish{.low = true};
}

WaitLimits limits_for(Seconds change, Seconds late) {
  constexpr Seconds as_countdown{500e-6};
  constexpr Seconds of_processor{50e-6}; // it changes its clock in, after it was told
  constexpr double stay = 4;             // changes that a stay has to last
  const Seconds margin = change + of_processor + late;
  return {.patience = std::max(as_countdown, change * stay),
          .shortest = change * stay + of_processor,
          .margin = margin};
}

} // namespace hypermile::govern
