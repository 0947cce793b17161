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
  plan.gears.assign(problem.unit_count(), 0);
  if (problem.group_count() == 1)
    solve_one_group(problem, score, plan);
  else
    solve_many_groups(problem, score, plan);
}

void ExactSolver::solve_one_group(const model::Problem& problem, const Score& score, Plan& plan) {
  sweep_.run(problem, 0);
  const SweepPoint* best = best_of(sweep_.points(), score);
  if (best == nullptr)
    best = best_of(sweep_.points(), score.violation());
  assign_gears(problem, 0, *best, plan.gears);
  plan.certificate = {Certificate::Kind::exact, 0.0, "Theorem 2 (forced sweep)"};
}

void ExactSolver::sweep_all(const model::Problem& problem, Watts average_limit) {
  merge_.clear();
  points_.resize(problem.group_count());
  for (std::size_t k = 0; k < problem.group_count(); ++k) {
    sweep_.run(problem, k);
    points_[k] = sweep_.points();
    merge_.add_group(points_[k], average_limit, problem.group_count());
  }
}

void ExactSolver::assign(const model::Problem& problem, const std::vector<std::uint32_t>& choice,
                         std::vector<model::Gear>& gears) const {
  for (std::size_t k = 0; k < choice.size(); ++k)
    assign_gears(problem, k, points_[k][choice[k]], gears);
}

void ExactSolver::solve_many_groups(const model::Problem& problem, const Score& score, Plan& plan) {
  sweep_all(problem, score.average_limit());
  GroupMerge::Result best = merge_.along_hull(score);
  const auto proven = [&] { return best.score <= best.bound + 1e-12 * std::abs(best.bound); };
  plan.certificate = {Certificate::Kind::exact, 0.0, "Theorem 3 (hull of the sum)"};
  if (!proven() || !(best.score < unreachable)) {
    if (GroupMerge::Result all = merge_.by_pareto(score, merge_limit); all.complete) {
      plan.certificate = {Certificate::Kind::exact, 0.0, "Theorem 4 (Pareto merge)"};
      best = std::move(all);
      if (!(best.score < unreachable))
        best = merge_.by_pareto(score.violation(), merge_limit);
    } else if (best.score < unreachable) {
      merge_.improve(score, best);
      plan.certificate = {Certificate::Kind::bound, std::max(0.0, best.score - best.bound),
                          "Theorem 5 (bound of the hull)"};
    } else {
      // No vertex meets the bounds; whether another point does is open unless the hull misses
      // them as well.
      const bool hopeless = !(best.bound < unreachable);
      best = merge_.along_hull(score.violation());
      merge_.improve(score.violation(), best);
      if (!hopeless)
        plan.certificate = {};
    }
  }
  assign(problem, best.choice, plan.gears);
}

void ExactSolver::use_slack(const model::Problem& problem, std::vector<model::Gear>& gears) {
  gears.assign(problem.unit_count(), 0);
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
  sweep_all(problem, Watts{unreachable});
  Front front;
  bool complete = false;
  for (const GroupMerge::Sum& sum : merge_.front(limit, complete)) {
    std::vector<model::Gear> gears(problem.unit_count());
    assign(problem, sum.choice, gears);
    const model::Prediction prediction = predict(problem, gears);
    front.points.push_back({prediction, std::move(gears)});
  }
  front.certificate =
      complete ? Certificate{Certificate::Kind::exact, 0.0, "Theorem 4 (Pareto merge)"}
               : Certificate{Certificate::Kind::bound, std::nullopt, "Theorem 3 (hull of the sum)"};
  return front;
}

} // namespace hypermile::select
