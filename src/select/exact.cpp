#include "select/exact.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::select {
namespace {

/// Points that a Pareto merge may hold before it is given up for a bound.
constexpr std::size_t merge_limit = 200000;

const SweepPoint* best_of(const std::vector<SweepPoint>& points, const Score& score) {
  const SweepPoint* best = nullptr;
  double least = unreachable;
  for (const SweepPoint& point : points)
    if (const double value = score.feasible_score(point.time, point.energy); value < least) {
      least = value;
      best = &point;
    }
  return best;
}

Seconds longest_in_gear_0(const model::Problem& problem, std::size_t group) {
  Seconds longest;
  for (const std::uint32_t unit : problem.group(group).units)
    longest = std::max(longest, problem.costs(unit)[0].time);
  return longest;
}

} // namespace

void ExactSolver::solve(const model::Problem& problem, const Score& score, Plan& plan) {
  plan.gears.resize(problem.unit_count());
  if (problem.group_count() == 1 && score.caps_peak_power())
    peak_power_.solve(problem, score, sweep_, plan);
  else if (problem.group_count() == 1)
    solve_one_group(problem, score, plan);
  else if (PrunedMerge::applies(problem, score))
    pruned_merge_.run(problem, score, plan);
  else
    solve_many_groups(problem, score, plan);
}

void ExactSolver::solve_one_group(const model::Problem& problem, const Score& score, Plan& plan) {
  if (PrunedSweep::applies(problem, score) && pruned_.run(problem, score, plan)) {
    plan.certificate = {Certificate::Kind::exact, 0.0, "Theorem 1 (sweep)"};
    return;
  }
  sweep_.run(problem, 0);
  const SweepPoint* best = best_of(sweep_.points(), score);
  if (best == nullptr)
    best = best_of(sweep_.points(), score.violation());
  assign_gears(problem, 0, *best, plan.gears);
  plan.prediction = predict(problem, plan.gears);
  plan.certificate = {Certificate::Kind::exact, 0.0, "Theorem 2 (forced sweep)"};
}

void ExactSolver::sweep_all(const model::Problem& problem, const Score& score) {
  merge_.clear();
  points_.resize(problem.group_count());
  for (std::size_t k = 0; k < problem.group_count(); ++k) {
    sweep_.run(problem, k, score.caps_peak_power());
    points_[k] = sweep_.points();
    merge_.add_group(points_[k], score, problem.group_count());
  }
}

void ExactSolver::assign(const model::Problem& problem, const std::vector<std::uint32_t>& choice,
                         std::vector<model::Gear>& gears) const {
  for (std::size_t k = 0; k < choice.size(); ++k)
    assign_gears(problem, k, points_[k][choice[k]], gears);
}

void ExactSolver::solve_many_groups(const model::Problem& problem, const Score& score, Plan& plan) {
  sweep_all(problem, score);
  GroupMerge::Result best = merge_.along_hull(score);
  if (best.score < unreachable &&
      best.score <= best.bound + bound_tolerance * std::abs(best.bound)) {
    plan.certificate = {Certificate::Kind::exact, 0.0, "Theorem 3 (hull of the sum)"};
  } else if (GroupMerge::Result all = merge_.by_pareto(score, merge_limit); all.complete) {
    plan.certificate = {Certificate::Kind::exact, 0.0, "Theorem 4 (Pareto merge)"};
    best =
        all.score < unreachable ? std::move(all) : merge_.by_pareto(score.violation(), merge_limit);
  } else {
    plan.certificate = bracket(score, best);
  }
  assign(problem, best.choice, plan.gears);
  plan.prediction = predict(problem, plan.gears);
}

/// Too many points for a proof: the best that a local search finds, and what the hull proves.
Certificate ExactSolver::bracket(const Score& score, GroupMerge::Result& best) const {
  const double bound = best.bound;
  bool hopeless = !(bound < unreachable);
  if (!(best.score < unreachable)) {
    // No vertex of the hull keeps the bounds; something between or beyond them may.
    best = score.caps_peak_power() ? merge_.least_power(score.violation())
                                   : merge_.along_hull(score.violation());
    hopeless |= best.complete;
    merge_.improve(score.violation(), best);
    best.score = merge_.score_of(score, best.choice);
  }
  if (best.score < unreachable) {
    merge_.improve(score, best);
    return {Certificate::Kind::bound, std::max(0.0, best.score - bound),
            "Theorem 5 (bound of the hull)"};
  }
  if (hopeless)
    return {Certificate::Kind::exact, 0.0, "Theorem 5 (bound of the hull)"};
  return {};
}

void ExactSolver::use_slack(const model::Problem& problem, std::vector<model::Gear>& gears) {
  gears.resize(problem.unit_count());
  for (std::size_t k = 0; k < problem.group_count(); ++k) {
    const Seconds deadline = longest_in_gear_0(problem, k);
    sweep_.run(problem, k);
    const SweepPoint* best = &sweep_.points().front();
    for (const SweepPoint& point : sweep_.points())
      if (point.longest <= deadline * (1 + bound_tolerance) && point.energy < best->energy)
        best = &point;
    assign_gears(problem, k, *best, gears);
  }
}

Front ExactSolver::front(const model::Problem& problem, std::size_t limit) {
  sweep_all(problem, Score(problem.baseline(), {}));
  Front front;
  bool complete = false;
  const std::vector<GroupMerge::Sum> sums = merge_.front(limit, complete);
  const bool with_gears = sums.size() * problem.unit_count() <= most_front_gears;
  for (const GroupMerge::Sum& sum : sums) {
    FrontPoint point{normalised(problem.baseline(), sum.time, sum.energy), {}};
    if (with_gears && !sum.choice.empty()) {
      point.gears.resize(problem.unit_count());
      assign(problem, sum.choice, point.gears);
      point.prediction = predict(problem, point.gears);
    }
    front.points.push_back(std::move(point));
  }
  front.certificate =
      complete ? Certificate{Certificate::Kind::exact, 0.0, "Theorem 4 (Pareto merge)"}
               : Certificate{Certificate::Kind::bound, std::nullopt, "Theorem 3 (hull of the sum)"};
  return front;
}

} // namespace hypermile::select
