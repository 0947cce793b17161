#include "select/plan_explanation.hpp"

#include "support/random_problem.hpp"

#include <gtest/gtest.h>

namespace hypermile::select {
namespace {

using model::Gear;
using model::ModelKind;

/// Gears with S = 1, 2 and 4.
model::AnalyticNode three_gears(double computation, double communication, std::size_t cluster = 0) {
  return {.gears = model::GearTable{{Hertz{4e9}, Hertz{2e9}, Hertz{1e9}}},
          .computation = Seconds{computation},
          .communication = Seconds{communication},
          .dynamic_power = Watts{16},
          .static_power = Watts{4},
          .cluster = cluster};
}

TEST(plan_explanation, names_the_slowest_node_and_the_slack_of_the_others) {
  const std::vector nodes{three_gears(3, 1), three_gears(1, 2), three_gears(1, 3)};
  const auto problem = model::cluster_problem(nodes);
  const auto explanation = explain(problem, std::vector<Gear>{0, 2, 1}, {});
  ASSERT_EQ(explanation.groups.size(), 1u);
  EXPECT_EQ(explanation.groups[0].slowest, 1u);
  EXPECT_DOUBLE_EQ(explanation.groups[0].time().value(), 4 + 1);
  ASSERT_EQ(explanation.nodes.size(), 3u);
  EXPECT_DOUBLE_EQ(explanation.nodes[0].slack.value(), 1);
  EXPECT_DOUBLE_EQ(explanation.nodes[1].slack.value(), 0);
  EXPECT_DOUBLE_EQ(explanation.nodes[2].slack.value(), 2);
}

/// T: 5 s; node 1 a gear up: 3 + 1 s. E: 16 * (3 + 1/16 + 1/4) + 3 * 4 * 5 = 113 J, then
/// 16 * (3 + 1/4 + 1/4) + 3 * 4 * 4 = 104 J.
TEST(plan_explanation, tells_what_one_gear_more_or_less_does) {
  const std::vector nodes{three_gears(3, 1), three_gears(1, 2), three_gears(1, 3)};
  const auto problem = model::cluster_problem(nodes);
  const auto explanation = explain(problem, std::vector<Gear>{0, 2, 1}, {});
  const auto& units = explanation.neighbourhood.units;
  EXPECT_FALSE(units[0].faster);
  EXPECT_FALSE(units[1].slower);
  ASSERT_TRUE(units[1].faster);
  EXPECT_EQ(units[1].faster->gear, 1u);
  EXPECT_NEAR(units[1].faster->time_change, 4.0 / 5 - 1, 1e-12);
  EXPECT_NEAR(units[1].faster->energy_change, 104.0 / 113 - 1, 1e-12);
  EXPECT_TRUE(units[1].faster->better);
  EXPECT_GT(units[1].faster->gain, 0);
  const auto found = best(explanation.neighbourhood);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->unit, 1u);
  EXPECT_EQ(found->neighbour.gear, 1u);
}

TEST(plan_explanation, looks_at_the_clusters_of_a_hybrid_problem_one_by_one) {
  const std::vector nodes{three_gears(1, 1, 0), three_gears(2, 1, 0), three_gears(1, 2, 7)};
  const auto explanation = explain(model::hybrid_problem(nodes), std::vector<Gear>{0, 0, 1}, {});
  ASSERT_EQ(explanation.groups.size(), 2u);
  EXPECT_EQ(explanation.groups[0].slowest, 1u);
  EXPECT_EQ(explanation.groups[1].slowest, 2u);
  EXPECT_EQ(explanation.groups[1].cluster, 7u);
  EXPECT_DOUBLE_EQ(explanation.groups[1].time().value(), 4);
  EXPECT_DOUBLE_EQ(explanation.nodes[0].slack.value(), 1);
}

TEST(plan_explanation, knows_the_tasks_of_a_homogeneous_cluster) {
  const model::HomogeneousCluster cluster{
      .gears = three_gears(1, 1).gears,
      .tasks = {{Seconds{1}, Seconds{1}}, {Seconds{3}, Seconds{2}}},
      .dynamic_power = Watts{16},
      .static_power = Watts{4}};
  const auto explanation = explain(model::homogeneous_problem(cluster), std::vector<Gear>{1}, {});
  ASSERT_EQ(explanation.nodes.size(), 2u);
  EXPECT_EQ(explanation.groups[0].slowest, 1u);
  EXPECT_DOUBLE_EQ(explanation.nodes[0].slack.value(), 4);
  ASSERT_EQ(explanation.neighbourhood.units.size(), 1u);
}

/// 2.5 s are allowed. The node in gear 1 takes 1 + 0.5 s; less energy in gear 2, in 4.5 s.
TEST(plan_explanation, does_not_call_better_what_breaks_a_bound) {
  const std::vector nodes{three_gears(1, 0.5)};
  const auto problem = model::cluster_problem(nodes);
  Request request{.objective = Objective::time};
  request.constraints.energy_budget = Joules{17};
  // Gear 0: 16 + 6 = 22 J; gear 1: 4 + 10 = 14 J.
  const auto explanation = explain(problem, std::vector<Gear>{1}, request);
  ASSERT_TRUE(explanation.neighbourhood.keeps_bounds);
  const auto& faster = explanation.neighbourhood.units[0].faster;
  ASSERT_TRUE(faster);
  EXPECT_GT(faster->gain, 0);
  EXPECT_FALSE(faster->keeps_bounds);
  EXPECT_FALSE(faster->better);
  EXPECT_FALSE(best(explanation.neighbourhood));
}

TEST(plan_explanation, calls_better_what_keeps_a_bound_that_is_broken) {
  const std::vector nodes{three_gears(1, 0.5)};
  Request request{.objective = Objective::energy};
  request.constraints.max_slowdown = 0;
  const auto explanation = explain(model::cluster_problem(nodes), std::vector<Gear>{1}, request);
  EXPECT_FALSE(explanation.neighbourhood.keeps_bounds);
  ASSERT_TRUE(best(explanation.neighbourhood));
  EXPECT_EQ(best(explanation.neighbourhood)->neighbour.gear, 0u);
}

constexpr ModelKind kinds[] = {ModelKind::rauber, ModelKind::homogeneous, ModelKind::cluster,
                               ModelKind::grid,   ModelKind::hybrid,      ModelKind::async,
                               ModelKind::table};

TEST(plan_explanation, of_random_plans_is_what_the_model_predicts_of_each_neighbour) {
  test::RandomProblem random(11);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const auto problem = random.make(kinds[static_cast<std::size_t>(i) % std::size(kinds)]);
    std::vector<Gear> gears;
    for (std::size_t unit = 0; unit < problem.unit_count(); ++unit)
      gears.push_back(random.integer(0, problem.gear_count(unit) - 1));
    const auto explanation = explain(problem, gears, {});
    for (std::size_t unit = 0; unit < gears.size(); ++unit)
      for (const auto& neighbour : {explanation.neighbourhood.units[unit].faster,
                                    explanation.neighbourhood.units[unit].slower}) {
        if (!neighbour)
          continue;
        auto changed = gears;
        changed[unit] = neighbour->gear;
        const auto wanted = model::predict(problem, changed);
        ASSERT_NEAR(neighbour->prediction.time / wanted.time, 1, 1e-12);
        ASSERT_NEAR(neighbour->prediction.energy / wanted.energy, 1, 1e-9);
      }
  }
}

TEST(plan_explanation, of_an_optimal_plan_has_no_better_neighbour) {
  test::RandomProblem random(12);
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    const auto problem = random.make(kinds[static_cast<std::size_t>(i) % std::size(kinds)]);
    Request request;
    request.objective = static_cast<Objective>(random.integer(0, 5));
    const Plan plan = choose(problem, request);
    ASSERT_FALSE(best(explain(problem, plan.gears, request).neighbourhood));
  }
}

} // namespace
} // namespace hypermile::select
