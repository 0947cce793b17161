#include "select/pruned_merge.hpp"
#include "support/random_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile::select {
namespace {

TEST(pruned_merge, finds_what_the_whole_hull_holds) {
  test::RandomProblem random(4);
  constexpr Objective objectives[] = {Objective::maxdist, Objective::edp, Objective::ed2p,
                                      Objective::edp48, Objective::energy};
  PrunedMerge pruned;
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    SCOPED_TRACE(i);
    const model::Problem problem =
        random.make_large(model::ModelKind::hybrid, random.integer(2, 300));
    if (!problem.monotone())
      continue;
    ++compared;
    Request request{.objective = objectives[random.integer(0, 4)]};
    if (request.objective == Objective::maxdist && random.chance(0.5))
      request.weight = random.uniform(0, 0.95);
    const Score score(problem.baseline(), request);
    Plan plan;
    plan.gears.resize(problem.unit_count());
    pruned.run(problem, score, plan);
    const Plan reference = choose(problem, request);
    ASSERT_EQ(reference.certificate.kind, Certificate::Kind::exact);
    const double wanted = score(reference.prediction.time, reference.prediction.energy);
    ASSERT_NEAR(score(plan.prediction.time, plan.prediction.energy), wanted,
                1e-9 * std::abs(wanted) + 1e-12);
  }
  EXPECT_GT(compared, 500);
}

} // namespace
} // namespace hypermile::select
