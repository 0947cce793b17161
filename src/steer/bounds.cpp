#include "steer/bounds.hpp"

#include <algorithm>

namespace hypermile::steer {
namespace {

/// Of what is left: the deadline may have passed, or the budget be spent. Then the hardest bound
/// that is still a number is asked for, and missed.
constexpr double hardly_anything = 1e-3;

double items_left(const Bounds& bounds, const Situation& situation) {
  return std::max(*bounds.items - situation.items, 1.0);
}

/// What has to be done by then, or with that much, is.
bool is_done(const Bounds& bounds, const Situation& situation) {
  return bounds.items && situation.items >= *bounds.items;
}

Rate throughput_for_deadline(const Bounds& bounds, const Situation& situation) {
  const Seconds left = std::max(*bounds.deadline - situation.time, Seconds{hardly_anything});
  return Rate{items_left(bounds, situation) / left.value()};
}

Joules energy_left_per_item(const Bounds& bounds, const Situation& situation) {
  const Joules left = std::max(*bounds.energy - situation.energy, *bounds.energy * hardly_anything);
  return left / items_left(bounds, situation);
}

/// The larger of two bounds; either may be missing.
std::optional<Rate> stricter(std::optional<Rate> first, std::optional<Rate> second) {
  if (first && second)
    return std::max(*first, *second);
  return first ? first : second;
}

bool serves_arrivals(const Bounds& bounds, const Situation& situation) {
  return situation.arrivals.has_value() && !bounds.objective && !bounds.throughput &&
         !bounds.deadline;
}

} // namespace

std::string check(const Bounds& bounds) {
  if (bounds.deadline && !bounds.items)
    return "a deadline needs to know for how much work; try: --items N";
  if (bounds.energy && !bounds.items)
    return "an energy needs to know for how much work; try: --items N";
  if (bounds.items && !bounds.deadline && !bounds.energy)
    return "items without a deadline or an energy say nothing; try: --deadline or --energy";
  if (bounds.utilisation && bounds.throughput)
    return "a throughput and a utilisation both say how much capacity there must be; try: one of "
           "them";
  return "";
}

Objective objective_of(const Bounds& bounds) {
  if (bounds.objective)
    return *bounds.objective;
  if (bounds.throughput || bounds.utilisation)
    return Objective::least_power;
  if (bounds.deadline)
    return Objective::least_energy;
  if (bounds.power || bounds.energy)
    return Objective::most_throughput;
  return Objective::least_energy;
}

Goal goal_of(const Bounds& bounds, const Situation& situation) {
  Goal goal{.objective = objective_of(bounds), .arrivals = situation.arrivals};
  goal.most_power = bounds.power;
  goal.least_throughput = bounds.throughput;
  const bool done = is_done(bounds, situation);
  if (bounds.deadline && !done)
    goal.least_throughput =
        stricter(goal.least_throughput, throughput_for_deadline(bounds, situation));
  if (bounds.energy && !done)
    goal.most_energy_per_item = energy_left_per_item(bounds, situation);
  if (bounds.utilisation && situation.arrivals)
    goal.least_throughput =
        stricter(goal.least_throughput, *situation.arrivals / *bounds.utilisation);
  else if (serves_arrivals(bounds, situation)) {
    goal.least_throughput = *situation.arrivals / comfortable;
    goal.objective = Objective::least_power;
  }
  if (goal.least_throughput)
    goal.least_throughput = *goal.least_throughput / situation.granted;
  if (goal.least_throughput && goal.least_throughput->value() <= 0)
    goal.least_throughput.reset();
  return goal;
}

std::optional<Goal> goal_of_overloaded(const Bounds& bounds, const Situation& situation) {
  const bool by_arrivals = bounds.utilisation || serves_arrivals(bounds, situation);
  if (!situation.arrivals || !by_arrivals)
    return std::nullopt;
  Goal goal = goal_of(bounds, situation);
  goal.least_throughput = bounds.throughput;
  goal.objective = Objective::most_throughput;
  goal.arrivals.reset(); // more comes than can be done
  return goal;
}

} // namespace hypermile::steer
