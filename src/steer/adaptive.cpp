#include "steer/adaptive.hpp"

#include "estimate/normal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hypermile::steer {
namespace {

/// So sure must it be, in deviations, that a measured configuration keeps or misses the bounds.
constexpr double sure = 2;
/// More measurements of one configuration do not help: what is left is no noise.
constexpr std::size_t most_times = 50;
/// An improvement that is expected to be smaller is not worth a visit ...
constexpr double least_improvement = 0.0007;
/// ... and each visit beyond this many makes the next one worth less.
constexpr std::size_t cheap_visits = 6;
constexpr std::size_t most_visits = 14;
constexpr std::size_t most_visits_for_bounds = 24;
/// While nothing visited keeps the bounds: the best of those that keep them with this probability.
constexpr double worth_trying = 0.35;
constexpr double hopeless = 1e-3;

double density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi); }

/// Of max(0, x) where x is normal.
double expected_improvement(double mean, double deviation) {
  if (deviation <= 0)
    return std::max(mean, 0.0);
  const double distance = mean / deviation;
  return mean * estimate::normal_at_most(distance) + deviation * density(distance);
}

/// The probability that a normal number is positive.
double chance(double mean, double deviation) {
  if (deviation <= 0)
    return mean >= 0 ? 1 : 0;
  return estimate::normal_at_most(mean / deviation);
}

} // namespace

AdaptiveSearch::AdaptiveSearch(const Space& space, const Goal& goal, const Prior& prior)
    : Search(space, goal), power_prior_(prior.power), throughput_(space, prior.throughput) {}

std::optional<Performance> AdaptiveSearch::expected(std::size_t configuration) const {
  if (visits_.empty())
    return std::nullopt;
  const PowerModel power(space_, visits_, throughput_.per_core_and_hertz(visits_), power_prior_);
  return candidate_of(configuration, throughput_.fit(visits_)[configuration], power).mean;
}

void AdaptiveSearch::aim(const Goal& goal) {
  if (goal == goal_)
    return;
  goal_ = goal;
  visits_before_goal_ = visits_.size();
}

/// Its feasibility is how likely both posteriors leave a margin to each bound.
AdaptiveSearch::Candidate AdaptiveSearch::candidate_of(std::size_t index,
                                                       const CapacityPosterior& capacity,
                                                       const PowerModel& power) const {
  const Rate mean{std::exp(capacity.log_mean)};
  const Rate done = throughput(goal_, mean);
  const bool limited = goal_.arrivals && *goal_.arrivals < mean;
  const double done_deviation = limited ? 0 : capacity.log_deviation;
  const PowerPosterior watts = power.predict({.configuration = index,
                                              .share = load(goal_, mean),
                                              .throughput = done,
                                              .log_deviation = done_deviation});
  const Watts drawn = std::max(watts.mean, watts.deviation * 0.1);
  const double power_deviation = watts.deviation / drawn;
  const double energy_deviation = std::hypot(power_deviation, done_deviation);

  Candidate candidate;
  candidate.mean = {mean, drawn};
  candidate.worth = worth(goal_, candidate.mean);
  candidate.worth_deviation = goal_.objective == Objective::most_throughput ? done_deviation
                              : goal_.objective == Objective::least_power   ? power_deviation
                                                                            : energy_deviation;
  candidate.feasibility = 1;
  if (goal_.least_throughput)
    candidate.feasibility *= chance(capacity.log_mean - std::log(goal_.least_throughput->value()),
                                    capacity.log_deviation);
  if (goal_.most_power)
    candidate.feasibility *= chance(*goal_.most_power / drawn - 1, power_deviation);
  if (goal_.most_energy_per_item)
    candidate.feasibility *= chance(
        goal_.most_energy_per_item->value() * done.value() / drawn.value() - 1, energy_deviation);
  return candidate;
}

/// What was measured without error needs no model.
AdaptiveSearch::Candidate AdaptiveSearch::exact_candidate(const Visit& visit) const {
  Candidate candidate;
  candidate.mean = {visit.mean.capacity, visit.mean.power};
  candidate.worth = worth(goal_, candidate.mean);
  candidate.keeps_bounds = excess(goal_, candidate.mean) <= 0;
  candidate.feasibility = candidate.keeps_bounds ? 1 : 0;
  candidate.settled = true;
  return candidate;
}

std::vector<AdaptiveSearch::Candidate> AdaptiveSearch::candidates() const {
  const auto capacity = throughput_.fit(visits_);
  const PowerModel power(space_, visits_, throughput_.per_core_and_hertz(visits_), power_prior_);
  std::vector<Candidate> all(space_.size());
  for (std::size_t index = 0; index < space_.size(); ++index)
    all[index] = candidate_of(index, capacity[index], power);
  for (const Visit& visit : visits_.all()) {
    Candidate& candidate = all[visit.configuration];
    const bool same_load = std::abs(load(goal_, visit.mean.capacity) - visit.mean.load) < 1e-9;
    if (visit.mean.relative_error == 0 && same_load) {
      candidate = exact_candidate(visit);
      continue;
    }
    const double keeps = estimate::normal_at_most(sure);
    candidate.keeps_bounds = candidate.feasibility >= keeps;
    candidate.settled =
        candidate.keeps_bounds || candidate.feasibility <= 1 - keeps || visit.times >= most_times;
  }
  return all;
}

Step AdaptiveSearch::find_feasible(const std::vector<Candidate>& all) const {
  std::optional<std::size_t> best;
  std::size_t likeliest = 0;
  double most_feasible = 0;
  std::size_t closest = 0;
  for (std::size_t index = 0; index < all.size(); ++index) {
    const Candidate& candidate = all[index];
    if (excess(goal_, candidate.mean) < excess(goal_, all[closest].mean))
      closest = index;
    if (candidate.settled)
      continue;
    if (candidate.feasibility > most_feasible) {
      likeliest = index;
      most_feasible = candidate.feasibility;
    }
    if (candidate.feasibility >= worth_trying && (!best || candidate.worth > all[*best].worth))
      best = index;
  }
  const bool may_go_on = visits_for_goal() < most_visits_for_bounds;
  if (may_go_on && most_feasible > hopeless) {
    const std::size_t chosen = best.value_or(likeliest);
    return {Step::What::visit, chosen, true,
            fmt::format("nothing visited keeps the bounds for sure; this one may, with {:.0f} %",
                        100 * all[chosen].feasibility)};
  }
  if (may_go_on && visits_.find(closest) == nullptr)
    return {Step::What::visit, closest, true,
            "no configuration is likely to keep the bounds; "
            "this one should miss them least"};
  return {Step::What::settle, best_visited(visits_, goal_).configuration, false,
          "no configuration keeps the bounds; this one misses them least"};
}

Step AdaptiveSearch::improve(const std::vector<Candidate>& all, std::size_t best) const {
  std::size_t most_promising = best;
  double most = 0;
  for (std::size_t index = 0; index < all.size(); ++index) {
    const Candidate& candidate = all[index];
    if (candidate.settled)
      continue;
    const double ratio = candidate.worth / all[best].worth;
    const double acquisition =
        candidate.feasibility * expected_improvement(ratio - 1, ratio * candidate.worth_deviation);
    if (acquisition > most) {
      most = acquisition;
      most_promising = index;
    }
  }
  const std::size_t visits = visits_for_goal();
  const auto beyond =
      static_cast<double>(visits > cheap_visits ? visits - cheap_visits : std::size_t{0});
  if (most < least_improvement * (1 + beyond) || visits >= most_visits)
    return {Step::What::settle, best, true,
            fmt::format("keeps the bounds; no other promises {:.2g} % more",
                        100 * least_improvement * (1 + beyond))};
  const std::string promise =
      fmt::format("{:.2g} % better is expected, {:.0f} % likely to keep the bounds", 100 * most,
                  100 * all[most_promising].feasibility);
  const bool again = visits_.find(most_promising) != nullptr;
  return {Step::What::visit, most_promising, true,
          again ? "too close to a bound for what was measured: " + promise : promise};
}

Step AdaptiveSearch::next() {
  if (visits_.empty())
    return {Step::What::visit, wide_and_slow(space_), true, "first visit: all cores, lowest gear"};
  const auto all = candidates();
  std::optional<std::size_t> best;
  for (const Visit& visit : visits_.all()) {
    const Candidate& candidate = all[visit.configuration];
    if (candidate.keeps_bounds && (!best || candidate.worth > all[*best].worth))
      best = visit.configuration;
  }
  return best ? improve(all, *best) : find_feasible(all);
}

} // namespace hypermile::steer
