#include "select/group_sweep.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hypermile::select {
namespace {

constexpr std::uint32_t no_gear = std::numeric_limits<std::uint32_t>::max();
constexpr Seconds never{std::numeric_limits<double>::infinity()};

/// Numbers events as they come.
template <class Event> std::uint32_t next_order(const std::vector<Event>& events) {
  return static_cast<std::uint32_t>(events.size());
}

Joules cost_at(const model::Problem& problem, std::size_t unit, model::Gear gear, Seconds time) {
  return problem.costs(unit)[gear].energy + problem.waiting(unit, gear) * time;
}

} // namespace

void GroupSweep::order_by_time(const model::Problem& problem, std::uint32_t unit) {
  const auto costs = problem.costs(unit);
  by_time_.resize(costs.size());
  std::iota(by_time_.begin(), by_time_.end(), 0U);
  std::sort(by_time_.begin(), by_time_.end(), [&](auto a, auto b) {
    return costs[a].time < costs[b].time || (costs[a].time == costs[b].time && a < b);
  });
}

/// Which gear is best for a unit depends on how long the group takes: longer times admit more
/// gears, and make low waiting power worth more. Between two admissions the best gear follows
/// the lower envelope of the admitted gears' lines energy + waiting * time.
void GroupSweep::add_switches(const model::Problem& problem, std::uint32_t unit,
                              Seconds communication) {
  const auto costs = problem.costs(unit);
  order_by_time(problem, unit);
  std::uint32_t best = no_gear;
  for (std::size_t admitted = 0; admitted < by_time_.size(); ++admitted) {
    const std::uint32_t gear = by_time_[admitted];
    const Seconds from = costs[gear].time;
    if (best == no_gear || cost_at(problem, unit, gear, from + communication) <
                               cost_at(problem, unit, best, from + communication)) {
      best = gear;
      switches_.push_back({from, unit, gear, next_order(switches_)});
    }
    if (problem.waiting_depends_on_gear())
      add_crossings(problem, unit, admitted, communication, best);
  }
}

/// The envelope from the admission of by_time_[admitted] to the next one.
void GroupSweep::add_crossings(const model::Problem& problem, std::uint32_t unit,
                               std::size_t admitted, Seconds communication, std::uint32_t& best) {
  const auto costs = problem.costs(unit);
  const Seconds until = admitted + 1 < by_time_.size() ? costs[by_time_[admitted + 1]].time : never;
  for (Seconds at = costs[by_time_[admitted]].time;;) {
    std::uint32_t next = no_gear;
    Seconds earliest = until;
    for (std::size_t j = 0; j <= admitted; ++j) {
      const std::uint32_t other = by_time_[j];
      const Watts gain = problem.waiting(unit, best) - problem.waiting(unit, other);
      if (!(gain > Watts{}))
        continue;
      const Seconds crossing =
          std::max(at, (costs[other].energy - costs[best].energy) / gain - communication);
      if (crossing < earliest || (crossing == earliest && next != no_gear &&
                                  problem.waiting(unit, other) < problem.waiting(unit, next))) {
        earliest = crossing;
        next = other;
      }
    }
    if (next == no_gear)
      return;
    best = next;
    at = earliest;
    switches_.push_back({at, unit, best, next_order(switches_)});
  }
}

void GroupSweep::add_power_switches(const model::Problem& problem, std::uint32_t unit) {
  order_by_time(problem, unit);
  Watts least = Watts{std::numeric_limits<double>::infinity()};
  for (const std::uint32_t gear : by_time_)
    if (const Watts power = problem.active_power(unit, gear); power < least) {
      least = power;
      power_switches_.push_back(
          {problem.costs(unit)[gear].time, unit, gear, next_order(power_switches_)});
    }
}

void GroupSweep::collect(const model::Problem& problem, const model::Group& group, bool powers) {
  candidates_.clear();
  switches_.clear();
  power_switches_.clear();
  for (const std::uint32_t unit : group.units) {
    const auto costs = problem.costs(unit);
    for (std::uint32_t gear = 0; gear < costs.size(); ++gear)
      candidates_.push_back({costs[gear].time, unit, gear, gear});
    if (!problem.monotone())
      add_switches(problem, unit, group.communication);
    if (powers)
      add_power_switches(problem, unit);
  }
  const auto earlier = [](const Event& a, const Event& b) {
    return a.at < b.at || (a.at == b.at && a.order < b.order);
  };
  std::sort(candidates_.begin(), candidates_.end(), earlier);
  std::sort(switches_.begin(), switches_.end(), earlier);
  std::sort(power_switches_.begin(), power_switches_.end(), earlier);
}

void GroupSweep::Vector::reset(const model::Problem& problem, const model::Group& group) {
  gear.resize(problem.unit_count());
  for (const std::uint32_t unit : group.units)
    gear[unit] = no_gear;
  started = 0;
  energy = Joules{};
  waiting = Watts{};
  power = Watts{};
}

void GroupSweep::Vector::apply(const model::Problem& problem, const Event& event, bool powers) {
  std::uint32_t& now = gear[event.unit];
  if (now == no_gear) {
    ++started;
  } else {
    energy -= problem.costs(event.unit)[now].energy;
    waiting -= problem.waiting(event.unit, now);
    if (powers)
      power -= problem.active_power(event.unit, now);
  }
  now = event.gear;
  energy += problem.costs(event.unit)[now].energy;
  waiting += problem.waiting(event.unit, now);
  if (powers)
    power += problem.active_power(event.unit, now);
}

Joules GroupSweep::Vector::forced_energy(const model::Problem& problem, const Event& event,
                                         Seconds time) const {
  const Joules all = energy + waiting * time;
  const std::uint32_t now = gear[event.unit];
  if (now == event.gear)
    return all;
  return all +
         (cost_at(problem, event.unit, event.gear, time) - cost_at(problem, event.unit, now, time));
}

Watts GroupSweep::Vector::forced_power(const model::Problem& problem, const Event& event) const {
  return power + (problem.active_power(event.unit, event.gear) -
                  problem.active_power(event.unit, gear[event.unit]));
}

SweepPoint GroupSweep::point(const model::Problem& problem, const Event& forced, Seconds time,
                             bool powers) const {
  SweepPoint point{forced.at,   time,        best_.forced_energy(problem, forced, time),
                   forced.unit, forced.gear, {},
                   {},          {}};
  if (powers) {
    point.power = best_.forced_power(problem, forced);
    point.least_power = least_power_.forced_power(problem, forced);
    point.least_power_energy = least_power_.forced_energy(problem, forced, time);
  }
  return point;
}

void GroupSweep::run(const model::Problem& problem, std::size_t group_index, bool powers) {
  const model::Group group = problem.group(group_index);
  collect(problem, group, powers);
  const auto& switches = problem.monotone() ? candidates_ : switches_;
  best_.reset(problem, group);
  least_power_.reset(problem, group);
  points_.clear();
  std::size_t next = 0;
  std::size_t next_power = 0;
  for (const Event& forced : candidates_) {
    while (next < switches.size() && switches[next].at <= forced.at)
      best_.apply(problem, switches[next++], powers);
    while (next_power < power_switches_.size() && power_switches_[next_power].at <= forced.at)
      least_power_.apply(problem, power_switches_[next_power++], powers);
    if (best_.started < group.units.size())
      continue;
    const SweepPoint now = point(problem, forced, forced.at + group.communication, powers);
    if (powers || points_.empty() || points_.back().longest < now.longest)
      points_.push_back(now);
    else if (now.energy < points_.back().energy)
      points_.back() = now;
  }
}

void assign_gears(const model::Problem& problem, std::size_t group, const SweepPoint& point,
                  std::vector<model::Gear>& gears, bool least_power) {
  for (const std::uint32_t unit : problem.group(group).units) {
    const auto costs = problem.costs(unit);
    double least = std::numeric_limits<double>::infinity();
    for (model::Gear gear = 0; gear < costs.size(); ++gear) {
      const double value = least_power ? problem.active_power(unit, gear).value()
                                       : cost_at(problem, unit, gear, point.time).value();
      if (costs[gear].time <= point.longest && value < least) {
        least = value;
        gears[unit] = gear;
      }
    }
  }
  gears[point.forced_unit] = point.forced_gear;
}

} // namespace hypermile::select
