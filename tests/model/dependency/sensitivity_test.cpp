// Computation that reacts less to gears, in the dependency model.

#include "model/dependency/dependencies.hpp"
#include "model/dependency/noise.hpp"
#include "model/dependency/prediction.hpp"
#include "support/nodes.hpp"
#include "support/random_timeline.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace hypermile::model::dependency {
namespace {

/// As if each rank were in a gear in which computation takes as long, and reacted in full.
std::vector<double> as_full(const std::vector<double>& scales, double sensitivity) {
  std::vector<double> full;
  for (const double scale : scales)
    full.push_back(stretch(scale, sensitivity));
  return full;
}

Timeline reacting(Timeline timeline, double sensitivity) {
  for (RankTimeline& rank : timeline.ranks)
    rank.sensitivity_otherwise = sensitivity;
  return timeline;
}

std::vector<double> scales_above_1(test::RandomTimeline& random, std::size_t ranks) {
  std::vector<double> scales;
  for (std::size_t r = 0; r < ranks; ++r)
    scales.push_back(random.uniform(1, 2.5));
  return scales;
}

class Reacting : public testing::TestWithParam<unsigned> {};

/// What was recorded in gear 0 reacts by b. Then gears with S do to it what gears with b S + 1 - b
/// do to what reacts in full.
TEST_P(Reacting, takes_what_it_would_take_in_a_faster_gear_if_it_reacted_in_full) {
  test::RandomTimeline random(GetParam());
  const test::Program program = random.make(random.integer(2, 6), random.integer(1, 4));
  const std::size_t ranks = program.timeline.ranks.size();
  const std::vector<double> gear0(ranks, 1);
  const Timeline recorded = run(program, gear0).timeline;
  const double b = random.uniform(0, 1);
  const Dependencies full(recorded, program.protocol);
  const Dependencies less(reacting(recorded, b), program.protocol);
  Dependencies::Workspace workspace;
  for (int i = 0; i < 5; ++i) {
    const auto scales = scales_above_1(random, ranks);
    const auto faster = as_full(scales, b);
    const Seconds expected = full.time(faster, workspace);
    const double tolerance = 1e-6 * expected.value();
    EXPECT_NEAR(less.time(scales, workspace).value(), expected.value(), tolerance);
    const Outcome outcome = less.outcome(scales);
    const Outcome outcome_of_full = full.outcome(faster);
    std::vector<std::vector<ScaleChange>> changes;
    for (std::size_t r = 0; r < ranks; ++r) {
      EXPECT_NEAR(outcome.computing[r].value(), outcome_of_full.computing[r].value(), tolerance);
      EXPECT_NEAR(less.computing(r, scales[r]).value(), outcome.computing[r].value(), tolerance);
      changes.push_back({{.event = 0, .scale = scales[r]}});
    }
    EXPECT_NEAR(less.staged(changes).time.value(), expected.value(), tolerance);
    const auto accounts = less.accounts(scales);
    const auto accounts_of_full = full.accounts(faster);
    const auto slack = less.slack(scales);
    const auto slack_of_full = full.slack(faster);
    for (std::size_t r = 0; r < ranks; ++r) {
      EXPECT_NEAR(accounts[r].computing.value(), accounts_of_full[r].computing.value(), tolerance);
      EXPECT_NEAR(accounts[r].waiting.value(), accounts_of_full[r].waiting.value(), tolerance);
      EXPECT_NEAR(slack[r].least.value(), slack_of_full[r].least.value(), tolerance);
    }
    const auto path = less.critical_path(scales);
    EXPECT_NEAR((path.steps.back().end - path.begin).value(),
                (full.critical_path(faster).steps.back().end - path.begin).value(), tolerance);
  }
}

/// The time is a largest sum of terms that are linear in S: it lies above each of its tangents.
TEST_P(Reacting, has_the_scaled_part_of_the_path_for_its_slope) {
  test::RandomTimeline random(GetParam() + 100);
  const test::Program program = random.make(random.integer(2, 6), 3);
  const std::size_t ranks = program.timeline.ranks.size();
  const std::vector<double> gear0(ranks, 1);
  Timeline recorded = run(program, gear0).timeline;
  for (RankTimeline& rank : recorded.ranks)
    for (std::size_t o = 0; o < rank.operations.size(); ++o)
      rank.sensitivity.push_back(random.uniform(0, 1));
  const Dependencies dependencies(recorded, program.protocol);
  Dependencies::Workspace workspace;
  const auto scales = scales_above_1(random, ranks);
  const Seconds time = dependencies.time(scales, workspace);
  const auto slopes = dependencies.critical_computing(scales);
  for (int i = 0; i < 10; ++i) {
    const auto others = scales_above_1(random, ranks);
    Seconds bound = time;
    for (std::size_t r = 0; r < ranks; ++r)
      bound += slopes[r] * (others[r] - scales[r]);
    EXPECT_GE(dependencies.time(others, workspace).value(), bound.value() - 1e-6 * time.value());
  }
}

/// What it takes in gear 0 does not depend on the gear that it was recorded in.
TEST_P(Reacting, is_scaled_back_from_slow_gears) {
  test::RandomTimeline random(GetParam() + 200);
  const test::Program program = random.make(random.integer(2, 6), 3);
  const std::size_t ranks = program.timeline.ranks.size();
  const double b = random.uniform(0, 1);
  const auto scales = scales_above_1(random, ranks);
  Timeline recorded = reacting(run(program, as_full(scales, b)).timeline, b);
  for (std::size_t r = 0; r < ranks; ++r)
    recorded.ranks[r].scale = scales[r];
  for (std::size_t r = 0; r < ranks; ++r) {
    const RankTimeline& wanted = program.timeline.ranks[r];
    const std::size_t events = wanted.events.size();
    EXPECT_NEAR(computed_in_gear0(recorded.ranks[r], 0, events).value(),
                computed_in_gear0(wanted, 0, events).value(), 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Reacting, testing::Range(0U, 30U));

/// A second before each of three calls, of which that before the second takes S times as long.
TEST(reaction, is_that_of_the_operation_that_follows) {
  test::Script script;
  script.computes(1).calls(0).computes(1).calls(0).computes(1).calls(0);
  Timeline timeline = test::timeline_of(script);
  timeline.ranks[0].operations.push_back(timeline.ranks[0].operations[0]);
  timeline.ranks[0].events[1].operation =
      static_cast<std::uint32_t>(timeline.ranks[0].operations.size() - 1);
  timeline.ranks[0].sensitivity.assign(timeline.ranks[0].operations.size(), 0);
  timeline.ranks[0].sensitivity.back() = 1;
  timeline.ranks[0].sensitivity_otherwise = 0;
  const Dependencies dependencies(timeline);
  Dependencies::Workspace workspace;
  EXPECT_NEAR(dependencies.time(std::vector<double>{3}, workspace).value(), 2 + 3, 1e-6);
  EXPECT_NEAR(dependencies.scaled(0).value(), 1, 1e-6);
  const auto slope = dependencies.critical_computing(std::vector<double>{3});
  EXPECT_NEAR(slope[0].value(), 1, 1e-6);
}

/// Iterations that are longer in a resample are so in every gear.
TEST(reaction, goes_with_work_that_varies) {
  test::RandomTimeline random(5);
  const test::Program program =
      random.noisy(0.3).make(4, 12, {test::Pattern::halo, test::Pattern::collective}, {});
  const Timeline recorded = run(program, {1, 1, 1, 1}).timeline;
  const Dependencies full(recorded, program.protocol);
  const Dependencies less(reacting(recorded, 0.4), program.protocol);
  const std::vector<double> scales{1, 1.5, 2, 1.2};
  const Spread expected =
      IterationNoise(full, recorded, program.iterations).spread(as_full(scales, 0.4));
  const Spread found = IterationNoise(less, recorded, program.iterations).spread(scales);
  EXPECT_NEAR(found.mean, expected.mean, 1e-6);
  EXPECT_NEAR(found.deviation, expected.deviation, 1e-6);
}

} // namespace
} // namespace hypermile::model::dependency
