#include "simulate/experiment.hpp"

#include "support/nodes.hpp"

#include <gtest/gtest.h>

namespace hypermile::simulate {
namespace {

using runtime::Decision;
using runtime::GearChange;
using runtime::RankReport;
using runtime::RunReport;

/// Predicted to take `time_ratio` of the time and `energy_ratio` of the energy.
Decision decision(double time_ratio, double energy_ratio) {
  Decision d;
  d.prediction = {.time = {},
                  .energy = {},
                  .p_norm = 1 / time_ratio,
                  .e_norm = energy_ratio,
                  .distance = 1 / time_ratio - energy_ratio};
  return d;
}

RankReport rank(int number, const std::string& node, std::vector<GearChange> changes) {
  RankReport report{.rank = number,
                    .node = test::node(node, 2),
                    .loop = {},
                    .changes = std::move(changes),
                    .gear = 0,
                    .time = {},
                    .computation = {},
                    .communication = {},
                    .overhead = {},
                    .calls = 0,
                    .energy = std::nullopt,
                    .divergences = 0,
                    .failure = ""};
  return report;
}

GearChange change(double time, double energy) {
  return {.time = Seconds{time}, .gear = 1, .iteration = 2, .energy = Joules{energy}};
}

TEST(expectation, scales_what_the_unscaled_run_has_left_when_the_gears_take_effect) {
  // After 2 s, 10 + 20 J. Of 10 s and 100 J are left 8 s and 70 J: * 1.25 and * 0.5.
  const RunReport run{.ranks = {rank(0, "a", {change(1, 10)}), rank(1, "b", {change(2, 20)})},
                      .decisions = {decision(1.25, 0.5)},
                      .without_loop = {}};
  const auto expected = expect(run, Seconds{10}, Joules{100});
  ASSERT_TRUE(expected);
  EXPECT_DOUBLE_EQ(expected->time.value(), 2 + 8 * 1.25);
  EXPECT_DOUBLE_EQ(expected->energy.value(), 30 + 70 * 0.5);
}

TEST(expectation, counts_a_node_once_however_many_ranks_it_has) {
  const RunReport run{.ranks = {rank(0, "a", {change(2, 30)}), rank(1, "a", {change(1, 15)})},
                      .decisions = {decision(1, 0.5)},
                      .without_loop = {}};
  EXPECT_DOUBLE_EQ(expect(run, Seconds{10}, Joules{100})->energy.value(), 30 + 70 * 0.5);
}

TEST(expectation, follows_the_progress_of_the_unscaled_run_through_two_decisions) {
  // Until 2 s and 30 J unscaled. Until 7 s and 60 J with 1.25 and 0.5: that is what takes 4 s
  // and 60 J unscaled. So 4 s and 10 J of it are left, which will take * 1.1 and * 0.8.
  const RunReport run{.ranks = {rank(0, "a", {change(2, 30), change(7, 60)})},
                      .decisions = {decision(1.25, 0.5), decision(1.1, 0.8)},
                      .without_loop = {}};
  const auto expected = expect(run, Seconds{10}, Joules{100});
  ASSERT_TRUE(expected);
  EXPECT_NEAR(expected->time.value(), 7 + 4 * 1.1, 1e-12);
  EXPECT_NEAR(expected->energy.value(), 60 + 10 * 0.8, 1e-12);
}

TEST(expectation, ignores_a_decision_that_did_not_take_effect_everywhere) {
  const RunReport run{
      .ranks = {rank(0, "a", {change(2, 10), change(5, 20)}), rank(1, "b", {change(2, 20)})},
      .decisions = {decision(1.25, 0.5), decision(3, 3)},
      .without_loop = {}};
  const auto expected = expect(run, Seconds{10}, Joules{100});
  ASSERT_TRUE(expected);
  EXPECT_DOUBLE_EQ(expected->time.value(), 2 + 8 * 1.25);
}

TEST(expectation, is_none_where_no_gear_took_effect) {
  EXPECT_FALSE(expect({}, Seconds{10}, Joules{100}));
  const RunReport late{.ranks = {rank(0, "a", {change(2, 10)}), rank(1, "b", {})},
                       .decisions = {decision(1.25, 0.5)},
                       .without_loop = {}};
  EXPECT_FALSE(expect(late, Seconds{10}, Joules{100}));
}

TEST(comparison, is_against_the_unscaled_run) {
  SimulatedRun unscaled;
  unscaled.time = Seconds{10};
  unscaled.energy = Joules{200};
  SimulatedRun run;
  run.time = Seconds{12.5};
  run.energy = Joules{120};
  const auto comparison = compare(run, unscaled);
  EXPECT_DOUBLE_EQ(comparison.saving, 0.4);
  EXPECT_DOUBLE_EQ(comparison.slowdown, 0.25);
  EXPECT_DOUBLE_EQ(comparison.distance, 0.8 - 0.6);
}

} // namespace
} // namespace hypermile::simulate
