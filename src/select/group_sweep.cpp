#include "select/group_sweep.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace hypermile::select {
namespace {

constexpr std::uint32_t no_gear = std::numeric_limits<std::uint32_t>::max();

Joules cost_at(const model::Problem& problem, std::uint32_t unit, model::Gear gear, Seconds time) {
  return problem.costs(unit)[gear].energy + problem.waiting(unit, gear) * time;
}

} // namespace

/// Which gear is best for a unit depends on how long the group takes: longer times admit more
/// gears, and make low waiting power worth more. Between two admissions the best gear follows
/// the lower envelope of the admitted gears' lines energy + waiting * time.
void GroupSweep::add_switches(const model::Problem& problem, std::uint32_t unit,
                              Seconds communication) {
  const auto costs = problem.costs(unit);
  by_time_.resize(costs.size());
  std::iota(by_time_.begin(), by_time_.end(), 0U);
  std::stable_sort(by_time_.begin(), by_time_.end(),
                   [&](auto a, auto b) { return costs[a].time < costs[b].time; });
  std::uint32_t best = no_gear;
  for (std::size_t admitted = 0; admitted < by_time_.size(); ++admitted) {
    const std::uint32_t gear = by_time_[admitted];
    const Seconds from = costs[gear].time;
    if (best == no_gear || cost_at(problem, unit, gear, from + communication) <
                               cost_at(problem, unit, best, from + communication)) {
      best = gear;
      switches_.push_back({from, unit, gear});
    }
    if (!problem.waiting_depends_on_gear())
      continue;
    const Seconds until = admitted + 1 < by_time_.size()
                              ? costs[by_time_[admitted + 1]].time
                              : Seconds{std::numeric_limits<double>::infinity()};
    for (Seconds at = from;;) {
      std::uint32_t next = no_gear;
      Seconds earliest = until;
      for (std::size_t j = 0; j <= admitted; ++j) {
        const std::uint32_t other = by_time_[j];
        const Watts gain = problem.waiting(unit, best) - problem.waiting(unit, other);
        if (!(gain.value() > 0))
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
        break;
      best = next;
      at = earliest;
      switches_.push_back({at, unit, best});
    }
  }
}

void GroupSweep::collect(const model::Problem& problem, const model::Group& group) {
  candidates_.clear();
  switches_.clear();
  for (const std::uint32_t unit : group.units) {
    const auto costs = problem.costs(unit);
    for (std::uint32_t gear = 0; gear < costs.size(); ++gear)
      candidates_.push_back({costs[gear].time, unit, gear});
    if (!problem.monotone())
      add_switches(problem, unit, group.communication);
  }
  // A unit's switches are in order; equal times must keep it, so ties go by the order of entry.
  const auto earlier = [](const Event& a, const Event& b) { return a.at < b.at; };
  std::sort(candidates_.begin(), candidates_.end(), earlier);
  std::stable_sort(switches_.begin(), switches_.end(), earlier);
}

void GroupSweep::apply(const model::Problem& problem, const Event& event) {
  const auto costs = problem.costs(event.unit);
  if (std::uint32_t& best = best_[event.unit]; best == no_gear) {
    ++started_;
    energy_ += costs[event.gear].energy;
    waiting_ += problem.waiting(event.unit, event.gear);
    best = event.gear;
  } else {
    energy_ += costs[event.gear].energy - costs[best].energy;
    waiting_ += problem.waiting(event.unit, event.gear) - problem.waiting(event.unit, best);
    best = event.gear;
  }
}

Joules GroupSweep::forced_energy(const model::Problem& problem, const Event& event,
                                 Seconds time) const {
  const Joules all_best = energy_ + waiting_ * time;
  const std::uint32_t best = best_[event.unit];
  if (best == event.gear)
    return all_best;
  return all_best + (cost_at(problem, event.unit, event.gear, time) -
                     cost_at(problem, event.unit, best, time));
}

void GroupSweep::run(const model::Problem& problem, std::size_t group_index) {
  const model::Group group = problem.group(group_index);
  collect(problem, group);
  const auto& switches = problem.monotone() ? candidates_ : switches_;
  best_.resize(problem.unit_count());
  for (const std::uint32_t unit : group.units)
    best_[unit] = no_gear;
  started_ = 0;
  energy_ = Joules{};
  waiting_ = Watts{};
  points_.clear();
  std::size_t next = 0;
  for (std::size_t i = 0; i < candidates_.size();) {
    const Seconds longest = candidates_[i].at;
    const Seconds time = longest + group.communication;
    while (next < switches.size() && switches[next].at <= longest)
      apply(problem, switches[next++]);
    SweepPoint point{longest, time, Joules{std::numeric_limits<double>::infinity()}};
    for (; i < candidates_.size() && candidates_[i].at == longest; ++i) {
      if (started_ < group.units.size())
        continue;
      if (const Joules energy = forced_energy(problem, candidates_[i], time);
          energy < point.energy) {
        point.energy = energy;
        point.forced_unit = candidates_[i].unit;
        point.forced_gear = candidates_[i].gear;
      }
    }
    if (started_ == group.units.size())
      points_.push_back(point);
  }
}

void GroupSweep::keep_front() {
  Joules least{std::numeric_limits<double>::infinity()};
  std::erase_if(points_, [&](const SweepPoint& point) {
    if (!(point.energy < least))
      return true;
    least = point.energy;
    return false;
  });
}

void assign_gears(const model::Problem& problem, std::size_t group, const SweepPoint& point,
                  std::vector<model::Gear>& gears) {
  for (const std::uint32_t unit : problem.group(group).units) {
    const auto costs = problem.costs(unit);
    Joules least{std::numeric_limits<double>::infinity()};
    for (model::Gear gear = 0; gear < costs.size(); ++gear) {
      const Joules energy = cost_at(problem, unit, gear, point.time);
      if (costs[gear].time <= point.longest && energy < least) {
        least = energy;
        gears[unit] = gear;
      }
    }
  }
  gears[point.forced_unit] = point.forced_gear;
}

} // namespace hypermile::select
