#include "model/dependency/prediction.hpp"

#include "support/allocations.hpp"
#include "support/random_timeline.hpp"
#include "support/scripted_timeline.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::model::dependency {
namespace {

using test::Script;
using test::timeline_of;

/// S = 1 and 2; 20 and 8 W while both cores compute, 4 and 3 W while they wait.
NodeType two_cores() {
  GearTable gears{{Hertz{2e9}, Hertz{1e9}}};
  return {.name = "two-cores",
          .cores = 2,
          .speed = Speed{1},
          .gears = std::move(gears),
          .power = {{Watts{20}, Watts{4}, Watts{4}}, {Watts{8}, Watts{3}, Watts{3}}}};
}

/// Both compute, b longer, and meet.
Timeline two_ranks() {
  Script a;
  Script b;
  a.computes(1).joins(Shape::all, 2, 2.5);
  b.computes(3).joins(Shape::all, 2, 0.5);
  return timeline_of(a, b);
}

std::vector<Node> one_each() {
  const NodeType type = two_cores();
  return {{type, {0}}, {type, {1}}};
}

TEST(prediction, charges_waiting_all_the_time_and_computation_on_top) {
  const Dependencies dependencies(two_ranks());
  const Predictor predictor(dependencies, one_each());
  Predictor::Workspace workspace;
  // 3.5 s at 2 * 4 W; 8 W more per core while it computes, 1 s and 3 s.
  EXPECT_NEAR(predictor.baseline().time.value(), 3.5, 1e-6);
  EXPECT_NEAR(predictor.baseline().energy.value(), 28 + 32, 1e-6);
  // The first computes for 2 s at 2.5 W on top of 3 W.
  const Prediction p = predictor.predict(std::vector<Gear>{1, 0}, workspace);
  EXPECT_NEAR(p.time.value(), 3.5, 1e-6);
  EXPECT_NEAR(p.energy.value(), 3.5 * 7 + 2 * 2.5 + 3 * 8, 1e-6);
  EXPECT_NEAR(p.p_norm, 1, 1e-6);
  EXPECT_NEAR(p.distance, 1 - p.energy.value() / 60, 1e-6);
  EXPECT_NEAR(predictor.predict(std::vector<Gear>{0, 1}, workspace).time.value(), 6.5, 1e-6);
}

TEST(prediction, puts_ranks_of_a_node_into_one_gear) {
  const Dependencies dependencies(two_ranks());
  const Predictor predictor(dependencies, std::vector<Node>{{two_cores(), {0, 1}}});
  Predictor::Workspace workspace;
  const Prediction p = predictor.predict(std::vector<Gear>{1}, workspace);
  EXPECT_NEAR(p.time.value(), 6.5, 1e-6);
  EXPECT_NEAR(p.energy.value(), 6.5 * 3 + 8 * 2.5, 1e-6);
}

TEST(prediction, of_a_run_that_changes_gears_adds_up_its_stages) {
  Script a;
  Script b;
  a.computes(1).joins(Shape::all, 2, 2.5).computes(1).joins(Shape::all, 2, 0.5);
  b.computes(3).joins(Shape::all, 2, 0.5).computes(1).joins(Shape::all, 2, 0.5);
  const Dependencies dependencies(timeline_of(a, b));
  const Predictor predictor(dependencies, one_each());
  // a changes to S = 2 before its second computation: at 3.5 s; the run then ends at 6 s.
  const StagedOutcome outcome =
      dependencies.staged(std::vector<std::vector<ScaleChange>>{{{.event = 2, .scale = 2}}, {}});
  const Prediction p = predictor.predict(outcome, std::vector<std::vector<Gear>>{{0, 1}, {0}});
  EXPECT_NEAR(p.time.value(), 6, 1e-6);
  EXPECT_NEAR(p.energy.value(), (3.5 * 4 + 8) + (2.5 * 3 + 2 * 2.5) + (6 * 4 + 4 * 8), 1e-6);
}

TEST(prediction, of_stages_in_one_gear_is_that_of_the_gear) {
  test::RandomTimeline random(4);
  const test::Program program = random.make(4, 3);
  const Dependencies dependencies(run(program, {1, 1, 1, 1}).timeline, program.protocol);
  const NodeType type = two_cores();
  const Predictor predictor(dependencies,
                            std::vector<Node>{{type, {2, 0}}, {type, {}}, {type, {1, 3}}});
  Predictor::Workspace workspace;
  const Prediction whole = predictor.predict(std::vector<Gear>{1, 0, 0}, workspace);
  const std::vector<ScaleChange> from_the_start{{.event = 0, .scale = 2}};
  const StagedOutcome outcome = dependencies.staged(
      std::vector<std::vector<ScaleChange>>{from_the_start, {}, from_the_start, {}});
  const Prediction staged =
      predictor.predict(outcome, std::vector<std::vector<Gear>>{{0, 1}, {0}, {0, 1}, {0}});
  EXPECT_NEAR(staged.time.value(), whole.time.value(), 1e-9);
  EXPECT_NEAR(staged.energy.value(), whole.energy.value(), 1e-9);
}

TEST(prediction, allocates_nothing_after_the_first) {
  const Dependencies dependencies(two_ranks());
  const Predictor predictor(dependencies, one_each());
  Predictor::Workspace workspace;
  const std::vector<Gear> gears{1, 0};
  (void)predictor.predict(gears, workspace);
  const std::size_t before = test::allocations();
  (void)predictor.predict(gears, workspace);
  EXPECT_EQ(test::allocations(), before);
}

TEST(prediction, refuses_ranks_that_are_nowhere_twice_or_too_many) {
  const Dependencies dependencies(two_ranks());
  const NodeType type = two_cores();
  for (const auto& ranks : {std::vector<std::uint32_t>{0}, {0, 0}, {0, 1, 2}, {0, 2}})
    EXPECT_THROW(Predictor(dependencies, std::vector<Node>{{type, ranks}}), Error);
}

} // namespace
} // namespace hypermile::model::dependency
