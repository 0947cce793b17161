#include "select/selector.hpp"

#include "select/brute.hpp"
#include "select/group_sweep.hpp"
#include "select/score.hpp"
#include "select/walk.hpp"
#include "units/error.hpp"

namespace hypermile::select {

struct Selector::Workspace {
  Plan plan;
  GroupSweep sweep;
  Walk walk;
};

Selector::Selector() : workspace_(std::make_unique<Workspace>()) {}
Selector::~Selector() = default;
Selector::Selector(Selector&&) noexcept = default;
Selector& Selector::operator=(Selector&&) noexcept = default;

namespace {

WalkRules rules_of(Method method, const model::Problem& problem) {
  const bool waits = problem.group_count() == 1;
  switch (method) {
  case Method::alg5:
    return {};
  case Method::alg5_literal:
    return {.literal = true};
  case Method::alg7:
    return {.stop_at_negative = true};
  case Method::alg7_literal:
    return {.literal = true, .stop_at_negative = true};
  case Method::alg8:
    return {.stop_at_negative = true, .hold_slowest = false};
  case Method::alg8_literal:
    return {.literal = true, .stop_at_negative = true, .hold_slowest = false};
  default:
    return {.literal = true, .hold_slowest = waits, .by_edp48 = true};
  }
}

const SweepPoint& best_of(const std::vector<SweepPoint>& points, const Score& score) {
  const SweepPoint* best = &points.front();
  double least = unreachable;
  for (const SweepPoint& point : points)
    if (const double value = score.feasible_score(point.time, point.energy); value < least) {
      least = value;
      best = &point;
    }
  return *best;
}

} // namespace

const Plan& Selector::choose(const model::Problem& problem, const Request& request) {
  Plan& plan = workspace_->plan;
  plan.method = request.method;
  plan.objective = request.objective;
  const Score score(problem, request);
  plan.gears.assign(problem.unit_count(), 0);
  if (request.method == Method::exact) {
    if (problem.group_count() > 1)
      throw Error(ErrorKind::unsupported, "exact selection of several groups");
    workspace_->sweep.run(problem, 0);
    assign_gears(problem, 0, best_of(workspace_->sweep.points(), score), plan.gears);
    plan.certificate = {Certificate::Kind::exact, 0.0, "Theorem 2"};
  } else if (request.method == Method::brute) {
    brute_force(problem, score, request.constraints.peak_power_cap, plan.gears);
    plan.certificate = {Certificate::Kind::exact, 0.0, "enumeration"};
  } else {
    workspace_->walk.run(problem, rules_of(request.method, problem), plan.gears);
    plan.certificate = {};
  }
  plan.prediction = predict(problem, plan.gears);
  find_violations(problem, request.constraints, plan);
  return plan;
}

Plan choose(const model::Problem& problem, const Request& request) {
  return Selector().choose(problem, request);
}

} // namespace hypermile::select
