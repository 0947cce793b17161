#include "govern/ondemand.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::govern {

model::Gear gear_for_load(double load, const model::GearTable& gears) {
  if (load > up_threshold)
    return 0;
  model::Gear gear = gears.size() - 1;
  while (gear > 0 && 1 / gears.scale(gear) < load)
    --gear;
  return gear;
}

Ondemand::Ondemand(const Node& node)
    : gears_(node.type.gears), spins_(node.type.power[0].waiting >= node.type.power[0].computing),
      ranks_(node.ranks) {}

Wish Ondemand::begin(const Moment& now) {
  period_begin_ = now.time;
  for (Rank& rank : ranks_)
    rank.since = now.time;
  return {.gear = gear_, .wake = period_begin_ + sampling_period};
}

void Ondemand::count(Rank& rank, Seconds now) const {
  if (rank.computes || spins_)
    rank.busy += now - rank.since;
  rank.since = now;
}

Wish Ondemand::change(std::size_t rank, Seconds now, bool computes) {
  if (!samples_) { // in the periods that have passed everything was as in the last one
    period_begin_ += sampling_period * std::floor((now - period_begin_) / sampling_period);
    for (Rank& other : ranks_)
      other.since = period_begin_;
  }
  samples_ = changed_ = true;
  count(ranks_[rank], now);
  ranks_[rank].computes = computes;
  return {.gear = gear_, .wake = period_begin_ + sampling_period};
}

Wish Ondemand::enter(std::size_t rank, const Moment& now, const Entry& /*entry*/) {
  return change(rank, now.time, false);
}

Wish Ondemand::leave(std::size_t rank, const Moment& now, CallSite /*call*/) {
  return change(rank, now.time, true);
}

Wish Ondemand::wake(const Moment& now) {
  Seconds busy{};
  for (Rank& rank : ranks_) {
    count(rank, now.time);
    busy = std::max(busy, std::exchange(rank.busy, Seconds{}));
  }
  gear_ = gear_for_load(std::min(1.0, busy / (now.time - period_begin_)), gears_);
  period_begin_ = now.time;
  samples_ = std::exchange(changed_, false);
  if (!samples_)
    return {.gear = gear_};
  return {.gear = gear_, .wake = period_begin_ + sampling_period};
}

} // namespace hypermile::govern
