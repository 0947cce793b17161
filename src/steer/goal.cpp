#include "steer/goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hypermile::steer {
namespace {

/// How much harder, and how much easier, a bound may become.
constexpr double harder = 0.03;
constexpr double easier = 0.10;
/// Deviations that are no chance any more.
constexpr double significant = 2.5;

bool has_moved(double now, double then, double noise) {
  const double change = now / then - 1;
  if (std::abs(change) <= significant * noise)
    return false;
  return change > harder || change < -easier;
}

} // namespace

Rate throughput(const Goal& goal, Rate capacity) {
  return goal.arrivals ? std::min(*goal.arrivals, capacity) : capacity;
}

double load(const Goal& goal, Rate capacity) {
  return goal.arrivals ? std::min(*goal.arrivals / capacity, 1.0) : 1.0;
}

double excess(const Goal& goal, const Performance& performance) {
  double worst = -std::numeric_limits<double>::infinity();
  if (goal.least_throughput)
    worst = std::max(worst, 1 - performance.capacity / *goal.least_throughput);
  if (goal.most_power)
    worst = std::max(worst, performance.power / *goal.most_power - 1);
  if (goal.most_energy_per_item) {
    const double items = throughput(goal, performance.capacity).value();
    worst = std::max(worst,
                     performance.power.value() / (items * goal.most_energy_per_item->value()) - 1);
  }
  return worst;
}

double worth(const Goal& goal, const Performance& performance) {
  const double items = throughput(goal, performance.capacity).value();
  const double watts = performance.power.value();
  switch (goal.objective) {
  case Objective::most_throughput:
    return items;
  case Objective::least_power:
    return 1 / watts;
  case Objective::least_energy:
    break;
  }
  return items / watts;
}

std::string describe(const Goal& goal) {
  std::string text;
  const auto add = [&](const std::string& bound) { text += bound + ", "; };
  if (goal.least_throughput)
    add(fmt::format("at least {:.4g} items/s", goal.least_throughput->value()));
  if (goal.most_power)
    add(fmt::format("at most {:.4g} W", goal.most_power->value()));
  if (goal.most_energy_per_item)
    add(fmt::format("at most {:.4g} J/item", goal.most_energy_per_item->value()));
  if (!text.empty())
    text.replace(text.size() - 2, 2, "; ");
  switch (goal.objective) {
  case Objective::most_throughput:
    return text + "most throughput";
  case Objective::least_power:
    return text + "least power";
  case Objective::least_energy:
    break;
  }
  return text + "least energy per item";
}

bool asks_for_more_or_less(std::optional<Rate> now, std::optional<Rate> then, double noise) {
  if (!now || !then)
    return now.has_value() != then.has_value();
  return has_moved(now->value(), then->value(), noise);
}

bool leaves_less_or_more(std::optional<Joules> now, std::optional<Joules> then) {
  if (!now || !then)
    return now.has_value() != then.has_value();
  return has_moved(then->value(), now->value(), 0); // less is harder
}

} // namespace hypermile::steer
