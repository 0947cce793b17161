#include "select/solvers.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::select {
namespace {

using model::Gear;
using model::GearCost;

/// The slowest gear that is still fast enough.
Gear rounded_up(std::span<const GearCost> gears, Seconds deadline) {
  Gear gear = gears.size() - 1;
  while (gear > 0 && gears[gear].time > deadline * (1 + bound_tolerance))
    --gear;
  return gear;
}

/// The gear whose speed is closest to what the deadline asks for; the faster of two.
Gear rounded_to_closest(std::span<const GearCost> gears, Seconds deadline) {
  if (!(gears[0].time.value() > 0))
    return gears.size() - 1;
  const double wanted = gears[0].time / deadline;
  const auto distance = [&](Gear g) { return std::abs(gears[0].time / gears[g].time - wanted); };
  Gear closest = 0;
  for (Gear g = 1; g < gears.size(); ++g)
    if (distance(g) < distance(closest) - bound_tolerance)
      closest = g;
  return closest;
}

} // namespace

void Walk::start(const model::Problem& problem, bool literal) {
  Seconds deadline; // the longest computation in gear 0
  for (std::size_t unit = 0; unit < problem.unit_count(); ++unit)
    deadline = std::max(deadline, problem.costs(unit)[0].time);
  current_.resize(problem.unit_count());
  for (std::size_t unit = 0; unit < current_.size(); ++unit) {
    const auto gears = problem.costs(unit);
    if (!literal)
      current_[unit] = rounded_up(gears, deadline);
    else if (const Gear closest = rounded_to_closest(gears, deadline); closest > 0)
      current_[unit] = closest - 1; // Algorithm 5, lines 4-6; the first step takes it back
    else
      current_[unit] = 0;
  }
}

model::Prediction Walk::measure(const model::Problem& problem) {
  if (problem.group_count() > 1)
    return predict(problem, current_);
  const model::Group group = problem.group(0);
  Seconds longest{-1};
  Joules energy;
  Watts waiting = problem.waiting_depends_on_gear() ? Watts{} : group.waiting;
  for (std::size_t unit = 0; unit < current_.size(); ++unit) {
    const GearCost& cost = problem.costs(unit)[current_[unit]];
    energy += cost.energy;
    if (cost.time > longest) {
      longest = cost.time;
      slowest_ = unit;
    }
    if (problem.waiting_depends_on_gear())
      waiting += problem.waiting(unit, current_[unit]);
  }
  const Seconds time = longest + group.communication;
  return normalised(problem.baseline(), time, energy + waiting * time);
}

bool Walk::step(const model::Problem& problem, const WalkRules& rules) {
  const std::size_t held = is_asynchronous(problem.kind()) ? current_.size() : slowest_;
  bool moved = false;
  for (std::size_t unit = 0; unit < current_.size(); ++unit) {
    const bool may = unit != held && current_[unit] + 1 < problem.gear_count(unit);
    current_[unit] += may ? 1 : 0;
    moved |= may;
  }
  // Improved: when only the slowest can still move, it does.
  if (!moved && !rules.literal && held < current_.size() &&
      current_[held] + 1 < problem.gear_count(held)) {
    ++current_[held];
    moved = true;
  }
  return moved;
}

void Walk::run(const model::Problem& problem, const WalkRules& rules, std::vector<Gear>& best) {
  Request request;
  request.objective = rules.by_edp48 ? Objective::edp48 : Objective::maxdist;
  const Score score(problem.baseline(), request);
  best.assign(problem.unit_count(), 0);
  // Both measures of the baseline itself: distance 0, or E_norm * (2 - P_norm) = 1.
  double least = rules.by_edp48 ? 1 : 0;
  start(problem, rules.literal);
  model::Prediction now = measure(problem);
  bool moved = !rules.literal; // as printed, the first vector is never judged
  do {
    if (moved) {
      if (const double value = score(now.time, now.energy); value < least) {
        least = value;
        best = current_;
      }
      if (rules.stop_at_negative && now.distance < 0)
        return;
    }
    moved = step(problem, rules);
    if (moved)
      now = measure(problem);
  } while (moved);
}

} // namespace hypermile::select
