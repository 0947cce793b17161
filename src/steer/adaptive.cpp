#include "steer/adaptive.hpp"

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
double probability(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// Of max(0, x) where x is normal.
double expected_gain(double mean, double deviation) {
  if (deviation <= 0)
    return std::max(mean, 0.0);
  const double distance = mean / deviation;
  return mean * probability(distance) + deviation * density(distance);
}

/// The probability that a normal number is positive.
double chance(double mean, double deviation) {
  if (deviation <= 0)
    return mean >= 0 ? 1 : 0;
  return probability(mean / deviation);
}

} // namespace

AdaptiveSearch::AdaptiveSearch(const Space& space, const Goal& goal, const Prior& prior)
    : Search(space, goal), power_prior_(prior.power), throughput_(space, prior.throughput) {}

std::optional<Performance> AdaptiveSearch::expected(std::size_t configuration) const {
  if (visits_.empty())
    return std::nullopt;
  const PowerModel power(space_, visits_, throughput_.per_core_and_hertz(visits_), power_prior_);
  return outlook_of(configuration, throughput_.fit(visits_)[configuration], power).mean;
}

void AdaptiveSearch::aim(const Goal& goal) {
  if (goal == goal_)
    return;
  goal_ = goal;
  visits_before_goal_ = visits_.size();
}

/// How sure the margins are that both beliefs leave to the bounds.
AdaptiveSearch::Outlook AdaptiveSearch::outlook_of(std::size_t index, const Belief& capacity,
                                                   const PowerModel& power) const {
  const Rate mean{std::exp(capacity.log_mean)};
  const Rate done = throughput(goal_, mean);
  const bool limited = goal_.arrivals && *goal_.arrivals < mean;
  const double done_deviation = limited ? 0 : capacity.log_deviation;
  const PowerBelief watts = power.predict({.configuration = index,
                                           .share = load(goal_, mean),
                                           .throughput = done,
                                           .log_deviation = done_deviation});
  const Watts drawn = std::max(watts.mean, watts.deviation * 0.1);
  const double power_deviation = watts.deviation / drawn;
  const double energy_deviation = std::hypot(power_deviation, done_deviation);

  Outlook outlook;
  outlook.mean = {mean, drawn};
  outlook.worth = worth(goal_, outlook.mean);
  outlook.worth_deviation = goal_.objective == Objective::most_throughput ? done_deviation
                            : goal_.objective == Objective::least_power   ? power_deviation
                                                                          : energy_deviation;
  outlook.may_keep_bounds = 1;
  if (goal_.least_throughput)
    outlook.may_keep_bounds *= chance(capacity.log_mean - std::log(goal_.least_throughput->value()),
                                      capacity.log_deviation);
  if (goal_.most_power)
    outlook.may_keep_bounds *= chance(*goal_.most_power / drawn - 1, power_deviation);
  if (goal_.most_energy_per_item)
    outlook.may_keep_bounds *= chance(
        goal_.most_energy_per_item->value() * done.value() / drawn.value() - 1, energy_deviation);
  return outlook;
}

/// What was measured without error needs no belief.
AdaptiveSearch::Outlook AdaptiveSearch::exact_outlook(const Visit& visit) const {
  Outlook outlook;
  outlook.mean = {visit.mean.capacity, visit.mean.power};
  outlook.worth = worth(goal_, outlook.mean);
  outlook.keeps_bounds = excess(goal_, outlook.mean) <= 0;
  outlook.may_keep_bounds = outlook.keeps_bounds ? 1 : 0;
  outlook.settled = true;
  return outlook;
}

std::vector<AdaptiveSearch::Outlook> AdaptiveSearch::outlooks() const {
  const auto capacity = throughput_.fit(visits_);
  const PowerModel power(space_, visits_, throughput_.per_core_and_hertz(visits_), power_prior_);
  std::vector<Outlook> all(space_.size());
  for (std::size_t index = 0; index < space_.size(); ++index)
    all[index] = outlook_of(index, capacity[index], power);
  for (const Visit& visit : visits_.all()) {
    Outlook& outlook = all[visit.configuration];
    const bool same_load = std::abs(load(goal_, visit.mean.capacity) - visit.mean.load) < 1e-9;
    if (visit.mean.relative_error == 0 && same_load) {
      outlook = exact_outlook(visit);
      continue;
    }
    const double keeps = probability(sure);
    outlook.keeps_bounds = outlook.may_keep_bounds >= keeps;
    outlook.settled =
        outlook.keeps_bounds || outlook.may_keep_bounds <= 1 - keeps || visit.times >= most_times;
  }
  return all;
}

Step AdaptiveSearch::first_look_for_bounds(const std::vector<Outlook>& all) const {
  std::optional<std::size_t> best;
  std::size_t likeliest = 0;
  double chance_of_likeliest = 0;
  std::size_t closest = 0;
  for (std::size_t index = 0; index < all.size(); ++index) {
    const Outlook& outlook = all[index];
    if (excess(goal_, outlook.mean) < excess(goal_, all[closest].mean))
      closest = index;
    if (outlook.settled)
      continue;
    if (outlook.may_keep_bounds > chance_of_likeliest) {
      likeliest = index;
      chance_of_likeliest = outlook.may_keep_bounds;
    }
    if (outlook.may_keep_bounds >= worth_trying && (!best || outlook.worth > all[*best].worth))
      best = index;
  }
  const bool may_go_on = visits_for_goal() < most_visits_for_bounds;
  if (may_go_on && chance_of_likeliest > hopeless) {
    const std::size_t chosen = best.value_or(likeliest);
    return {Step::What::visit, chosen, true,
            fmt::format("nothing visited keeps the bounds for sure; this one may, with {:.0f} %",
                        100 * all[chosen].may_keep_bounds)};
  }
  if (may_go_on && visits_.find(closest) == nullptr)
    return {Step::What::visit, closest, true,
            "no configuration is likely to keep the bounds; "
            "this one should miss them least"};
  return {Step::What::settle, best_visited(visits_, goal_).configuration, false,
          "no configuration keeps the bounds; this one misses them least"};
}

Step AdaptiveSearch::improve(const std::vector<Outlook>& all, std::size_t best) const {
  std::size_t most_promising = best;
  double most = 0;
  for (std::size_t index = 0; index < all.size(); ++index) {
    const Outlook& outlook = all[index];
    if (outlook.settled)
      continue;
    const double ratio = outlook.worth / all[best].worth;
    const double gain =
        outlook.may_keep_bounds * expected_gain(ratio - 1, ratio * outlook.worth_deviation);
    if (gain > most) {
      most = gain;
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
                  100 * all[most_promising].may_keep_bounds);
  const bool again = visits_.find(most_promising) != nullptr;
  return {Step::What::visit, most_promising, true,
          again ? "too close to a bound for what was measured: " + promise : promise};
}

Step AdaptiveSearch::next() {
  if (visits_.empty())
    return {Step::What::visit, wide_and_slow(space_), true, "first look: all cores, lowest gear"};
  const auto all = outlooks();
  std::optional<std::size_t> best;
  for (const Visit& visit : visits_.all()) {
    const Outlook& outlook = all[visit.configuration];
    if (outlook.keeps_bounds && (!best || outlook.worth > all[*best].worth))
      best = visit.configuration;
  }
  return best ? improve(all, *best) : first_look_for_bounds(all);
}

} // namespace hypermile::steer
