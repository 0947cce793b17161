#include "govern/countdown.hpp"

#include <algorithm>

namespace hypermile::govern {

std::optional<model::Gear> slowest_gear(const model::NodeType& type, model::Gear /*chosen*/) {
  return type.gears.size() - 1;
}

std::optional<model::Gear> cheaper_waiting_gear(const model::NodeType& type, model::Gear chosen,
                                                Joules cost, Seconds patience) {
  const auto least = std::ranges::min_element(type.power, {}, &model::GearPower::waiting);
  const Joules saved = (type.power[chosen].waiting - least->waiting) * patience;
  if (saved <= cost)
    return std::nullopt;
  return static_cast<model::Gear>(least - type.power.begin());
}

Wish Countdown::begin(const Moment& /*now*/) { return {}; }

Wish Countdown::enter(std::size_t rank, const Moment& now, const Entry& /*entry*/) {
  waiting_.enter(rank, now.time);
  const auto since = waiting_.since();
  if (!since || !gear_(type_, now.chosen))
    return {};
  return {.gear = std::nullopt, .wake = *since + countdown_patience};
}

Wish Countdown::leave(std::size_t rank, const Moment& /*now*/, CallSite /*call*/) {
  waiting_.leave(rank);
  return {};
}

Wish Countdown::wake(const Moment& now) { return {.gear = gear_(type_, now.chosen)}; }

} // namespace hypermile::govern
