#include "select/peak_power.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::select {
namespace {

/// Knapsacks that one selection solves, and partial sums that each of them may hold.
constexpr std::size_t most_knapsacks = 2000;
constexpr std::size_t most_sums = 50000;

} // namespace

void PeakPowerSolver::split(const std::vector<SweepPoint>& points, const Score& score, Best& best) {
  open_.clear();
  for (const SweepPoint& point : points) {
    if (point.least_power > score.peak_limit())
      continue;
    const double value = score.feasible_score(point.time, point.energy);
    if (!(value < best.score))
      continue;
    if (point.power <= score.peak_limit())
      best = {value, &point, {}};
    else
      open_.push_back({value, &point});
  }
  std::sort(open_.begin(), open_.end(),
            [](const Open& a, const Open& b) { return a.bound < b.bound; });
}

Knapsack::Result PeakPowerSolver::fill(const model::Problem& problem, const SweepPoint& point,
                                       Watts cap) {
  knapsack_.clear();
  for (std::uint32_t unit = 0; unit < problem.unit_count(); ++unit) {
    const auto costs = problem.costs(unit);
    std::vector<Knapsack::Option> options;
    for (std::uint32_t gear = 0; gear < costs.size(); ++gear)
      if (unit == point.forced_unit ? gear == point.forced_gear : costs[gear].time <= point.longest)
        options.push_back({problem.active_power(unit, gear),
                           costs[gear].energy + problem.waiting(unit, gear) * point.time, gear});
    knapsack_.add_unit(std::move(options));
  }
  return knapsack_.solve(cap, most_sums);
}

double PeakPowerSolver::close(const model::Problem& problem, const Score& score, Best& best) {
  double proven = unreachable; // of the open times that stay open
  std::size_t solved = 0;
  for (const Open& open : open_) {
    if (!(open.bound < best.score))
      break;
    if (++solved > most_knapsacks)
      return std::min({proven, open.bound, best.score});
    Knapsack::Result result = fill(problem, *open.point, score.peak_limit());
    if (!result.feasible)
      continue;
    const Seconds time = open.point->time;
    if (const double value = score.feasible_score(time, result.energy); value < best.score)
      best = {value, open.point, std::move(result.gears)};
    if (result.bound < result.energy)
      proven = std::min(proven, score.feasible_score(time, result.bound));
  }
  return std::min(proven, best.score);
}

/// Of the least-energy and the least-power gears of every time, those with the least worst
/// violation.
void PeakPowerSolver::take_nearest(const model::Problem& problem, const Score& score,
                                   const std::vector<SweepPoint>& points, Plan& plan) const {
  const SweepPoint* nearest = &points.front();
  bool least_power = false;
  double least = unreachable;
  for (const SweepPoint& point : points) {
    const double by_energy = score.worst_ratio(point.time, point.energy, point.power);
    const double by_power =
        score.worst_ratio(point.time, point.least_power_energy, point.least_power);
    if (std::min(by_energy, by_power) < least) {
      least = std::min(by_energy, by_power);
      nearest = &point;
      least_power = by_power < by_energy;
    }
  }
  assign_gears(problem, 0, *nearest, plan.gears, least_power);
}

void PeakPowerSolver::solve(const model::Problem& problem, const Score& score, GroupSweep& sweep,
                            Plan& plan) {
  sweep.run(problem, 0, true);
  Best best;
  split(sweep.points(), score, best);
  const double proven = close(problem, score, best);
  const std::string_view theorem = "Theorem 6 (peak power)";
  const double gap = best.score < unreachable ? std::max(0.0, best.score - proven) : 0;
  if (best.score <= proven + bound_tolerance * std::abs(best.score) || !(proven < unreachable))
    plan.certificate = {Certificate::Kind::exact, 0.0, theorem};
  else if (best.score < unreachable)
    plan.certificate = {Certificate::Kind::bound, gap, theorem};
  else
    plan.certificate = {};
  if (best.point == nullptr)
    take_nearest(problem, score, sweep.points(), plan);
  else if (best.gears.empty())
    assign_gears(problem, 0, *best.point, plan.gears);
  else
    plan.gears.assign(best.gears.begin(), best.gears.end());
  plan.prediction = predict(problem, plan.gears);
}

} // namespace hypermile::select
