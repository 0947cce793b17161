#include "select/score.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hypermile::select {
namespace {

double positive(double value, const char* what) {
  if (!std::isfinite(value) || value <= 0)
    throw Error(ErrorKind::config, fmt::format("{} of {} cannot be met", what, value),
                "a finite value above zero");
  return value * (1 + bound_tolerance);
}

} // namespace

Score::Score(const model::Baseline& base, const Request& request)
    : reference_{base}, objective_(request.objective) {
  if (request.weight) {
    if (!(*request.weight >= 0 && *request.weight <= 1))
      throw Error(ErrorKind::config, fmt::format("a weight of {}", *request.weight),
                  "a number from 0 to 1");
    if (const ObjectiveRow& row = objective(); !row.takes_weight)
      throw Error(ErrorKind::config, fmt::format("the objective {} takes no weight", row.name));
    reference_.time_weight = *request.weight;
    reference_.energy_weight = 1 - *request.weight;
  }
  const Constraints& bounds = request.constraints;
  if (bounds.max_slowdown) {
    if (!std::isfinite(*bounds.max_slowdown) || *bounds.max_slowdown < 0)
      throw Error(ErrorKind::config, fmt::format("a slowdown of {}", *bounds.max_slowdown),
                  "a ratio that is not negative, e.g. 5%");
    time_limit_ = base.time * ((1 + *bounds.max_slowdown) * (1 + bound_tolerance));
  }
  if (bounds.energy_budget)
    energy_limit_ = Joules{positive(bounds.energy_budget->value(), "an energy budget")};
  if (bounds.average_power_cap)
    average_limit_ = Watts{positive(bounds.average_power_cap->value(), "an average-power cap")};
  if (bounds.peak_power_cap)
    peak_limit_ = Watts{positive(bounds.peak_power_cap->value(), "a peak-power cap")};
}

double Score::worst_ratio(Seconds time, Joules energy) const {
  double worst = 0;
  if (time_limit_.value() < unreachable)
    worst = time / time_limit_;
  if (energy_limit_.value() < unreachable)
    worst = std::max(worst, energy / energy_limit_);
  if (average_limit_.value() < unreachable)
    worst = std::max(worst, energy / (average_limit_ * time));
  return worst;
}

Watts Score::price_of_time(Seconds time, Joules energy) const {
  constexpr double step = 1e-4; // relative
  const auto change = [&](double by_time, double by_energy) {
    return (*this)(time * (1 + by_time), energy * (1 + by_energy)) -
           (*this)(time * (1 - by_time), energy * (1 - by_energy));
  };
  const double by_energy = change(0, step);
  return by_energy > 0 ? energy / time * (change(step, 0) / by_energy) : Watts{unreachable};
}

Score Score::violation() const {
  Score score = *this;
  score.relative_to_bounds_ = true;
  return score;
}

Score Score::monotone() const {
  Score score = *this;
  score.average_limit_ = Watts{unreachable};
  return score;
}

Score Score::with_time_limit(Seconds limit) const {
  Score score = *this;
  score.time_limit_ = limit;
  return score;
}

Watts peak_power(const model::Problem& problem, std::span<const model::Gear> gears) {
  Watts total;
  for (std::size_t unit = 0; unit < problem.unit_count(); ++unit)
    total += problem.active_power(unit, gears[unit]);
  return total;
}

void find_violations(const model::Baseline& base, Watts peak, const Constraints& constraints,
                     Plan& plan) {
  plan.violations.clear();
  const auto check = [&](Bound bound, double reached, double limit) {
    if (reached > limit * (1 + 2 * bound_tolerance))
      plan.violations.push_back({bound, limit, reached});
  };
  const model::Prediction& predicted = plan.prediction;
  if (constraints.max_slowdown) {
    const double ratio = predicted.time / base.time;
    if (ratio > (1 + *constraints.max_slowdown) * (1 + 2 * bound_tolerance))
      plan.violations.push_back({Bound::slowdown, *constraints.max_slowdown, ratio - 1});
  }
  if (constraints.energy_budget)
    check(Bound::energy, predicted.energy.value(), constraints.energy_budget->value());
  if (constraints.average_power_cap)
    check(Bound::average_power, (predicted.energy / predicted.time).value(),
          constraints.average_power_cap->value());
  if (constraints.peak_power_cap)
    check(Bound::peak_power, peak.value(), constraints.peak_power_cap->value());
}

} // namespace hypermile::select
