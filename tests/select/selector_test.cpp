#include "select/selector.hpp"
#include "support/allocations.hpp"
#include "support/random_problem.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::select {
namespace {

using model::ModelKind;

model::AnalyticNode node(double tcp, std::size_t cluster = 0) {
  // Braced lists and throwing members do not mix in g++ 12, hence the local.
  model::GearTable gears{{Hertz{2e9}, Hertz{1.6e9}, Hertz{1.2e9}}};
  return {std::move(gears), Seconds{tcp}, Seconds{0.2}, Watts{20}, Watts{4}, cluster};
}

TEST(selector, allocates_nothing_after_the_first_call) {
  test::RandomProblem random(6);
  for (const ModelKind kind : {ModelKind::cluster, ModelKind::grid, ModelKind::table})
    for (const Method method : {Method::exact, Method::alg5, Method::alg5_literal, Method::alg7}) {
      const model::Problem problem = random.make_large(kind, 200);
      const Request request{.method = method};
      Selector selector;
      selector.choose(problem, request);
      const std::size_t before = test::allocations();
      for (int i = 0; i < 3; ++i)
        selector.choose(problem, request);
      EXPECT_EQ(test::allocations(), before)
          << "model " << static_cast<int>(kind) << ", method " << static_cast<int>(method);
    }
}

TEST(selector, says_which_bound_cannot_be_kept_and_what_comes_nearest) {
  const auto problem = cluster_problem(std::vector{node(1), node(0.7)});
  Request request{.objective = Objective::time};
  request.constraints.energy_budget = Joules{1};
  const Plan plan = choose(problem, request);
  ASSERT_EQ(plan.violations.size(), 1U);
  EXPECT_EQ(plan.violations[0].bound, Bound::energy);
  EXPECT_DOUBLE_EQ(plan.violations[0].limit, 1);
  // Nearest to an energy budget is the least energy there is.
  const Plan least = choose(problem, {.objective = Objective::energy});
  EXPECT_DOUBLE_EQ(plan.violations[0].reached, least.prediction.energy.value());
  EXPECT_EQ(plan.gears, least.gears);
}

TEST(selector, nearest_to_a_peak_power_cap_draws_least) {
  const auto hopeless = [](const model::Problem& problem) {
    Request request;
    request.constraints.peak_power_cap = Watts{1};
    const Plan plan = choose(problem, request);
    ASSERT_EQ(plan.violations.size(), 1U);
    EXPECT_EQ(plan.violations[0].bound, Bound::peak_power);
    EXPECT_EQ(plan.gears, (std::vector<model::Gear>{2, 2}));
  };
  hopeless(cluster_problem(std::vector{node(1), node(0.7)}));
  hopeless(hybrid_problem(std::vector{node(1, 0), node(0.7, 1)}));
}

TEST(selector, slack_lengthens_nothing) {
  const auto problem = cluster_problem(std::vector{node(1), node(0.7), node(0.55)});
  const Plan plan = choose(problem, {.method = Method::slack});
  // 0.7 * 2 / 1.6 = 0.875, 0.55 * 2 / 1.2 = 0.917: both still within the first node's second.
  EXPECT_EQ(plan.gears, (std::vector<model::Gear>{0, 1, 2}));
  EXPECT_DOUBLE_EQ(plan.prediction.time.value(), 1.2);
}

TEST(selector, papers_methods_are_certified_by_the_optimum) {
  const auto problem = cluster_problem(std::vector{node(1), node(0.9), node(0.55)});
  const Request request{.method = Method::slack, .certify = true};
  const Plan slack = choose(problem, request);
  const Plan exact = choose(problem);
  ASSERT_TRUE(slack.certificate.gap.has_value());
  EXPECT_NEAR(*slack.certificate.gap, exact.prediction.distance - slack.prediction.distance, 1e-12);
}

TEST(selector, many_groups_under_a_bound_carry_a_proven_gap) {
  test::RandomProblem random(8);
  const model::Problem problem = random.make_large(ModelKind::async, 300);
  Request request{.objective = Objective::energy};
  request.constraints.max_slowdown = 0.1;
  const Plan plan = choose(problem, request);
  EXPECT_TRUE(plan.feasible());
  EXPECT_TRUE(plan.certificate.gap.has_value());
  EXPECT_LE(plan.prediction.time.value(), problem.baseline().time.value() * 1.1 * (1 + 1e-9));
}

TEST(selector, refuses_methods_that_do_not_apply) {
  const auto cluster = cluster_problem(std::vector{node(1), node(0.7)});
  const auto hybrid = hybrid_problem(std::vector{node(1, 0), node(0.7, 1)});
  const auto refused = [](const model::Problem& problem, Method method) {
    EXPECT_THROW((void)choose(problem, {.method = method}), Error);
  };
  refused(cluster, Method::epsa);
  refused(cluster, Method::rauber_e);
  refused(cluster, Method::alg8);
  refused(hybrid, Method::alg5);
  refused(hybrid, Method::alg7_literal);
  refused(cluster_problem(std::vector(14, node(1))), Method::brute); // 3^14 vectors
}

TEST(selector, chooses_by_raubers_energy_and_predicts_by_that_of_the_problem) {
  std::size_t differ = 0;
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const model::Problem problem = test::RandomProblem(seed).make(model::ModelKind::homogeneous);
    const Plan plan = choose(problem, {.method = Method::epsa_rauber});
    const Plan by_rauber =
        choose(with_energy_model(problem, model::ModelKind::rauber), {.method = Method::epsa});
    EXPECT_EQ(plan.gears, by_rauber.gears) << seed;
    EXPECT_EQ(plan.tasks->gears, by_rauber.tasks->gears) << seed;
    EXPECT_EQ(plan.prediction.energy, predict(problem, plan.gears).energy) << seed;
    differ += plan.gears != choose(problem, {.method = Method::epsa}).gears;
  }
  EXPECT_GT(differ, 20U); // or nothing would be tested
}

TEST(selector, refuses_bounds_and_weights_without_a_meaning) {
  const auto problem = cluster_problem(std::vector{node(1), node(0.7)});
  const auto refused = [&](const Request& request) {
    EXPECT_THROW((void)choose(problem, request), Error);
  };
  refused({.constraints = {.max_slowdown = -0.1}});
  refused({.constraints = {.energy_budget = Joules{0}}});
  refused({.constraints = {.average_power_cap = Watts{-5}}});
  refused({.constraints = {.peak_power_cap = Watts{0}}});
  refused({.weight = 1.5});
  refused({.objective = Objective::energy, .weight = 0.5});
}

TEST(selector, a_weight_of_one_wants_speed_only_and_of_zero_energy_only) {
  const auto problem = cluster_problem(std::vector{node(1), node(0.7)});
  EXPECT_DOUBLE_EQ(choose(problem, {.weight = 1.0}).prediction.time.value(),
                   choose(problem, {.objective = Objective::time}).prediction.time.value());
  EXPECT_DOUBLE_EQ(choose(problem, {.weight = 0.0}).prediction.energy.value(),
                   choose(problem, {.objective = Objective::energy}).prediction.energy.value());
}

} // namespace
} // namespace hypermile::select
