#include "select/selector.hpp"

#include "select/brute.hpp"
#include "select/exact.hpp"
#include "select/homogeneous.hpp"
#include "select/score.hpp"
#include "select/walk.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::select {

struct Selector::Workspace {
  Plan plan;
  Plan reference; // of `certify`
  ExactSolver exact;
  Walk walk;

  /// Fills all of the plan but its violations.
  void run(const model::Problem& problem, const Request& request, const Score& score);
};

Selector::Selector() : workspace_(std::make_unique<Workspace>()) {}
Selector::~Selector() = default;
Selector::Selector(Selector&&) noexcept = default;
Selector& Selector::operator=(Selector&&) noexcept = default;

namespace {

/// Whether the method chooses one factor for a homogeneous cluster.
bool is_homogeneous_method(Method method) {
  return method == Method::epsa || method == Method::rauber_e || method == Method::rauber_ep;
}

/// Whether the prediction belongs to the plan's gears, not to continuous frequencies.
bool chooses_gears(Method method) {
  return method != Method::rauber_e && method != Method::rauber_ep;
}

bool is_walk(Method method) {
  return !is_homogeneous_method(method) && method != Method::exact && method != Method::brute &&
         method != Method::slack;
}

void check_applies(Method method, const model::Problem& problem) {
  const bool homogeneous = problem.homogeneous() != nullptr;
  if (is_homogeneous_method(method) && !homogeneous)
    throw Error(ErrorKind::model, "this method chooses one gear for a homogeneous cluster",
                "exact, or alg5, alg7 or alg8 for nodes with gears of their own");
  if (is_walk(method) && homogeneous)
    throw Error(ErrorKind::model, "this method chooses a gear per node, not one for all",
                "exact, epsa, rauber-e or rauber-ep for a homogeneous cluster");
  const bool many = problem.group_count() > 1;
  if (many && (method == Method::alg5 || method == Method::alg5_literal || method == Method::alg7 ||
               method == Method::alg7_literal))
    throw Error(ErrorKind::model, "this method is for nodes that all wait for the slowest",
                "exact, alg8 or alg8-literal for the hybrid and async models");
  if (!many && (method == Method::alg8 || method == Method::alg8_literal) &&
      problem.kind() != model::ModelKind::hybrid && problem.kind() != model::ModelKind::async &&
      problem.kind() != model::ModelKind::async_literal)
    throw Error(ErrorKind::model, "this method is for the hybrid and async models",
                "exact, alg5 or alg7");
}

WalkRules rules_of(Method method, const model::Problem& problem) {
  const bool asynchronous = problem.kind() == model::ModelKind::hybrid ||
                            problem.kind() == model::ModelKind::async ||
                            problem.kind() == model::ModelKind::async_literal;
  WalkRules rules;
  rules.literal = method == Method::alg5_literal || method == Method::alg7_literal ||
                  method == Method::alg8_literal || method == Method::edp_walk;
  rules.stop_at_negative = method == Method::alg7 || method == Method::alg7_literal ||
                           method == Method::alg8 || method == Method::alg8_literal;
  rules.hold_slowest = !asynchronous;
  rules.by_edp48 = method == Method::edp_walk;
  return rules;
}

void check_bounds(const model::Problem& problem, const Constraints& bounds, Plan& plan) {
  const Watts peak = bounds.peak_power_cap ? peak_power(problem, plan.gears) : Watts{};
  find_violations(problem.baseline(), peak, bounds, plan);
}

/// A method that proves nothing, measured against the optimum of the same request.
void certify(const Score& score, const Plan& reference, Plan& plan) {
  if (!plan.feasible() || !reference.feasible() || !reference.certificate.gap)
    return;
  const double value = score(plan.prediction.time, plan.prediction.energy);
  const double optimum =
      score(reference.prediction.time, reference.prediction.energy) - *reference.certificate.gap;
  const double gap = std::max(0.0, value - optimum);
  const bool none = gap <= bound_tolerance * std::abs(optimum);
  plan.certificate = {none ? Certificate::Kind::exact : Certificate::Kind::bound, none ? 0 : gap,
                      reference.certificate.theorem};
}

} // namespace

void Selector::Workspace::run(const model::Problem& problem, const Request& request,
                              const Score& score) {
  if (request.method == Method::exact) {
    exact.solve(problem, score, plan);
    return;
  }
  if (request.method == Method::epsa) {
    epsa(problem, plan);
    return;
  }
  if (is_homogeneous_method(request.method)) {
    rauber_ruenger(problem, request.method == Method::rauber_ep, plan);
    return;
  }
  if (request.method == Method::brute) {
    brute_force(problem, score, plan.gears);
    plan.certificate = {Certificate::Kind::exact, 0.0, "enumeration"};
  } else if (request.method == Method::slack) {
    exact.use_slack(problem, plan.gears);
  } else {
    walk.run(problem, rules_of(request.method, problem), plan.gears);
  }
  plan.prediction = predict(problem, plan.gears);
}

const Plan& Selector::choose(const model::Problem& problem, const Request& request) {
  const Score score(problem.baseline(), request);
  check_applies(request.method, problem);
  Plan& plan = workspace_->plan;
  plan.method = request.method;
  plan.objective = request.objective;
  plan.certificate = {};
  plan.tasks.reset();
  workspace_->run(problem, request, score);
  check_bounds(problem, request.constraints, plan);
  if (request.certify && !plan.certificate.gap && chooses_gears(request.method)) {
    Plan& reference = workspace_->reference;
    workspace_->exact.solve(problem, score, reference);
    check_bounds(problem, request.constraints, reference);
    certify(score, reference, plan);
  }
  return plan;
}

Front Selector::front(const model::Problem& problem, std::size_t limit) {
  return workspace_->exact.front(problem, limit);
}

Plan choose(const model::Problem& problem, const Request& request) {
  return Selector().choose(problem, request);
}

} // namespace hypermile::select
