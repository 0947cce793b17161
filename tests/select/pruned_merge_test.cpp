#include "select/pruned_merge.hpp"
#include "support/random_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile::select {
namespace {

TEST(pruned_merge, finds_what_the_whole_hull_holds) {
  test::RandomProblem random(4);
  PrunedMerge pruned;
  int compared = 0;
  for (int i = 0; i < 2500; ++i) {
    SCOPED_TRACE(i);
    const model::Problem problem =
        random.make_large(model::ModelKind::hybrid, random.integer(2, 300));
    if (!problem.monotone())
      continue;
    const ObjectiveRow& row = objectives()[random.integer(0, objectives().size() - 1)];
    Request request{.objective = row.objective};
    if (row.takes_weight && random.chance(0.5))
      request.weight = random.uniform(0, 0.95);
    const Score score(problem.baseline(), request);
    if (row.ignores_energy)
      continue; // no price of time
    ++compared;
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
