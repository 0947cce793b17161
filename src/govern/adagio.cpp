#include "govern/adagio.hpp"

#include <algorithm>
#include <span>

namespace hypermile::govern {

void AdagioTask::learn(Seconds computation, Seconds in_gear0, Seconds call) {
  const Seconds total = computation + call;
  const bool was_stretched = times_ > 0 && computation > in_gear0;
  least_call_ = times_ == 0 ? call : std::min(least_call_, call);
  if (was_stretched && total > deadline_)
    no_slack_ += total - deadline_;
  no_slack_ = std::min(no_slack_, least_call_);
  in_gear0_[times_ % adagio_memory] = in_gear0;
  total_[times_ % adagio_memory] = total;
  const std::size_t known = std::min(++times_, adagio_memory);
  longest_ = std::ranges::max(std::span(in_gear0_).first(known));
  deadline_ = std::ranges::min(std::span(total_).first(known));
  call_ = call;
  critical_ = was_stretched && call - no_slack_ < deadline_ * (adagio_reserve / 2);
}

model::Gear AdagioTask::gear(const model::GearTable& gears) const {
  if (longest_ < adagio_threshold || critical_)
    return 0;
  const Seconds most = deadline_ * (1 - adagio_reserve) - no_slack_;
  model::Gear gear = gears.size() - 1;
  while (gear > 0 && longest_ * gears.scale(gear) > most)
    --gear;
  return gear;
}

Adagio::Adagio(const Node& node)
    : gears_(node.type.gears), ranks_(node.ranks), waiting_(node.ranks) {}

Wish Adagio::begin(const Moment& now) {
  advanced_ = now.time;
  return {.gear = gear_};
}

/// What the ranks have computed since the last event.
void Adagio::advance(Seconds now) {
  for (std::size_t r = 0; r < ranks_.size(); ++r)
    if (!waiting_.waits(r)) {
      ranks_[r].computation += now - advanced_;
      ranks_[r].in_gear0 += (now - advanced_) / gears_.scale(gear_);
    }
  advanced_ = now;
}

Wish Adagio::wish() {
  std::optional<model::Gear> needed;
  bool wait_long = true;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    Rank& rank = ranks_[r];
    if (!waiting_.waits(r))
      needed = std::min(needed.value_or(rank.gear), rank.gear);
    wait_long = wait_long && rank.tasks[rank.task].waits_long();
  }
  gear_ = needed.value_or(gear_);
  const auto since = waiting_.since();
  if (!since || !wait_long)
    return {.gear = gear_};
  return {.gear = gear_, .wake = *since + adagio_threshold};
}

Wish Adagio::enter(std::size_t rank, const Moment& now, const Entry& entry) {
  advance(now.time);
  if (entry.may_wait) {
    ranks_[rank].entered = now.time;
    waiting_.enter(rank, now.time);
  }
  return wish();
}

Wish Adagio::leave(std::size_t rank, const Moment& now, CallSite call) {
  advance(now.time);
  Rank& own = ranks_[rank];
  if (waiting_.waits(rank)) {
    waiting_.leave(rank);
    own.tasks[own.task].learn(own.computation, own.in_gear0, now.time - own.entered);
    own.task = call;
    own.gear = own.tasks[call].gear(gears_);
    own.computation = own.in_gear0 = Seconds{};
  }
  return wish();
}

Wish Adagio::wake(const Moment& now) {
  advance(now.time);
  gear_ = gears_.size() - 1;
  return {.gear = gear_};
}

} // namespace hypermile::govern
