#include "select/score.hpp"
#include "select/selector.hpp"
#include "support/random_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile::select {
namespace {

constexpr Objective objectives[] = {Objective::maxdist, Objective::edp,    Objective::ed2p,
                                    Objective::edp48,   Objective::energy, Objective::time};

/// Both plans are as good as each other in the request's objective, and keep the same bounds.
void expect_equally_good(const model::Problem& problem, const Request& request, const Plan& plan,
                         const Plan& reference) {
  ASSERT_EQ(plan.feasible(), reference.feasible());
  if (!plan.feasible())
    return;
  const Score score(problem, request);
  const double value = score(plan.prediction.time, plan.prediction.energy);
  const double wanted = score(reference.prediction.time, reference.prediction.energy);
  ASSERT_NEAR(value, wanted, 1e-9 * std::abs(wanted) + 1e-12);
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
  for (int i = 0; i < 5000; ++i) {
    SCOPED_TRACE(i);
    const model::Problem problem = random.make(GetParam());
    for (const Objective objective : objectives) {
      SCOPED_TRACE(static_cast<int>(objective));
      const Request request{.objective = objective};
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
  for (int i = 0; i < 5000; ++i) {
    SCOPED_TRACE(i);
    const model::Problem problem = random.make(GetParam());
    const Request request{.objective = objectives[random.integer(0, 5)],
                          .constraints = random_bounds(random, problem)};
    Request reference = request;
    reference.method = Method::brute;
    expect_equally_good(problem, request, selector.choose(problem, request),
                        choose(problem, reference));
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
