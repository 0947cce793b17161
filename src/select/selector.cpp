#include "select/selector.hpp"

#include "select/solvers.hpp"

#include <algorithm>
#include <cmath>

namespace hypermile::select {

struct Selector::Workspace {
  Plan plan;
  Plan reference; // of `certify`
  Solvers solvers;
};

Selector::Selector() : workspace_(std::make_unique<Workspace>()) {}
Selector::~Selector() = default;
Selector::Selector(Selector&&) noexcept = default;
Selector& Selector::operator=(Selector&&) noexcept = default;

namespace {

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

const Plan& Selector::choose(const model::Problem& problem, const Request& request) {
  const Score score(problem.baseline(), request);
  const MethodRow& method = row_of(request.method);
  require_is_for(method, problem.kind());
  Plan& plan = workspace_->plan;
  plan.method = request.method;
  plan.objective = request.objective;
  plan.certificate = {};
  plan.tasks.reset();
  method.run(workspace_->solvers, problem, score, plan);
  check_bounds(problem, request.constraints, plan);
  if (request.certify && !plan.certificate.gap && method.predicts_gears) {
    Plan& reference = workspace_->reference;
    workspace_->solvers.exact.solve(problem, score, reference);
    check_bounds(problem, request.constraints, reference);
    certify(score, reference, plan);
  }
  return plan;
}

Front Selector::front(const model::Problem& problem, std::size_t limit) {
  return workspace_->solvers.exact.front(problem, limit);
}

Plan choose(const model::Problem& problem, const Request& request) {
  return Selector().choose(problem, request);
}

} // namespace hypermile::select
