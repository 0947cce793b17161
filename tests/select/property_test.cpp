#include "select/score.hpp"
#include "select/selector.hpp"
#include "support/cases.hpp"
#include "support/random_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile::select {
namespace {

Objective random_objective(test::RandomProblem& random) {
  return objectives()[random.integer(0, objectives().size() - 1)].objective;
}

/// Both plans are as good as each other in the request's objective, and keep the same bounds.
void expect_equally_good(const model::Problem& problem, const Request& request, const Plan& plan,
                         const Plan& reference) {
  ASSERT_EQ(plan.feasible(), reference.feasible());
  if (!plan.feasible())
    return;
  const Score score(problem.baseline(), request);
  const double value = score(plan.prediction.time, plan.prediction.energy);
  const double wanted = score(reference.prediction.time, reference.prediction.energy);
  ASSERT_NEAR(value, wanted, 1e-9 * std::abs(wanted) + 1e-12);
}

/// Neither of two plans is better than the gap of the other allows.
void expect_bracketed(const model::Problem& problem, const Request& request, const Plan& a,
                      const Plan& b) {
  if (!a.feasible() || !b.feasible())
    return;
  const Score score(problem.baseline(), request);
  const double value_a = score(a.prediction.time, a.prediction.energy);
  const double value_b = score(b.prediction.time, b.prediction.energy);
  const double slack = 1e-9 * std::abs(value_a);
  ASSERT_LE(value_a - a.certificate.gap.value(), value_b + slack);
  ASSERT_LE(value_b - b.certificate.gap.value(), value_a + slack);
  // A bound is worth having: within a few per cent here.
  ASSERT_LE(a.certificate.gap.value(), 0.05 * std::abs(value_a) + 0.02);
}

Watts peak_in_gear_0(const model::Problem& problem) {
  return peak_power(problem, std::vector<model::Gear>(problem.unit_count(), 0));
}

/// One or more random bounds, from hopeless to harmless.
Constraints random_bounds(test::RandomProblem& random, const model::Problem& problem) {
  const model::Baseline base = problem.baseline();
  Constraints bounds;
  while (bounds.none()) {
    if (random.chance(0.4))
      bounds.max_slowdown = random.chance(0.2) ? 0 : random.uniform(0, 0.6);
    if (random.chance(0.4))
      bounds.energy_budget = base.energy * random.uniform(0.3, 1.1);
    if (random.chance(0.4))
      bounds.average_power_cap = base.energy / base.time * random.uniform(0.2, 1.1);
    if (random.chance(0.4))
      bounds.peak_power_cap = peak_in_gear_0(problem) * random.uniform(0.1, 1.1);
  }
  return bounds;
}

class exact_against_brute_force : public testing::TestWithParam<model::ModelKind> {};

TEST_P(exact_against_brute_force, finds_the_optimum_of_every_objective) {
  test::RandomProblem random(1);
  Selector selector;
  for (int i = 0; i < test::cases(5000); ++i) {
    SCOPED_TRACE(i);
    const model::Problem problem = random.make(GetParam());
    for (const ObjectiveRow& row : objectives()) {
      SCOPED_TRACE(row.name);
      const Request request{.objective = row.objective};
      Request reference = request;
      reference.method = Method::brute;
      expect_equally_good(problem, request, selector.choose(problem, request),
                          choose(problem, reference));
      if (HasFatalFailure())
        return;
    }
  }
}

TEST_P(exact_against_brute_force, finds_the_optimum_under_every_bound) {
  test::RandomProblem random(2);
  Selector selector;
  for (int i = 0; i < test::cases(5000); ++i) {
    SCOPED_TRACE(i);
    const model::Problem problem = random.make(GetParam());
    const Request request{.objective = random_objective(random),
                          .constraints = random_bounds(random, problem)};
    Request reference = request;
    reference.method = Method::brute;
    expect_equally_good(problem, request, selector.choose(problem, request),
                        choose(problem, reference));
    if (HasFatalFailure())
      return;
  }
}

/// Enough units for the buckets of the pruned sweep; the forced sweep, which a harmless bound on
/// the average power asks for, is checked by brute force above. Where many groups leave only a
/// bound, both plans must respect the other's.
TEST_P(exact_against_brute_force, two_ways_to_the_optimum_of_many_units_agree) {
  test::RandomProblem random(3);
  Selector selector;
  for (int i = 0; i < test::cases(100); ++i) {
    SCOPED_TRACE(i);
    const model::Problem problem = random.make_large(GetParam(), random.integer(20, 400));
    Request request{.objective = random_objective(random)};
    if (random.chance(0.3))
      request.constraints.max_slowdown = random.uniform(0, 0.3);
    if (random.chance(0.3))
      request.constraints.energy_budget = problem.baseline().energy * random.uniform(0.5, 1);
    Request other = request;
    other.constraints.average_power_cap = Watts{1e12};
    const Plan reference = choose(problem, other);
    const Plan& plan = selector.choose(problem, request);
    if (plan.certificate.kind == Certificate::Kind::exact &&
        reference.certificate.kind == Certificate::Kind::exact)
      expect_equally_good(problem, request, plan, reference);
    else
      expect_bracketed(problem, request, plan, reference);
    if (HasFatalFailure())
      return;
  }
}

INSTANTIATE_TEST_SUITE_P(models, exact_against_brute_force,
                         testing::Values(model::ModelKind::rauber, model::ModelKind::homogeneous,
                                         model::ModelKind::cluster, model::ModelKind::grid,
                                         model::ModelKind::table, model::ModelKind::hybrid,
                                         model::ModelKind::async, model::ModelKind::async_literal));

} // namespace
} // namespace hypermile::select
