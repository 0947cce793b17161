#include "govern/foresee.hpp"

#include <algorithm>
#include <limits>

namespace hypermile::govern {

Foresee::Foresee(const Node& node, Countdown::WaitingGear gear)
    : type_(node.type), gear_(gear), limits_(limits_for(node.change, {})), waiting_(node.ranks),
      ranks_(node.ranks) {}

Wish Foresee::begin(const Moment& /*now*/) { return {}; }

Wish Foresee::enter(std::size_t rank, const Moment& now, const Entry& entry) {
  if (!entry.may_wait)
    return wish(now);
  waiting_.enter(rank, now.time);
  const auto wait = ranks_[rank].expected.enter(entry, now.time);
  ranks_[rank].until = wait ? std::optional(now.time + *wait) : std::nullopt;
  return wish(now);
}

Wish Foresee::leave(std::size_t rank, const Moment& now, CallSite /*call*/) {
  if (waiting_.waits(rank)) {
    waiting_.leave(rank);
    ranks_[rank].expected.leave(now.time);
  }
  return wish(now);
}

Wish Foresee::wish(const Moment& now) {
  std::optional<NodeWait> wait;
  const auto gear = gear_(type_, now.chosen);
  if (const auto since = waiting_.since(); since && gear) {
    wait = NodeWait{.since = *since, .until = std::nullopt};
    if (std::ranges::all_of(ranks_, [](const Rank& rank) { return rank.until.has_value(); }))
      wait->until = std::ranges::min_element(ranks_, {}, &Rank::until)->until;
  }
  const WaitWish wanted = wait_wish(wait, now.time, low_, limits_);
  low_ = wanted.low;
  return {.gear = low_ ? gear : std::nullopt, .wake = wanted.wake};
}

} // namespace hypermile::govern
