#include "report/power_over_time.hpp"

#include "report/runs.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::report {
namespace {

/// A run of ranks that each have a node; changes are (time, energy until then).
runtime::RunReport run_of(const std::vector<std::vector<std::pair<double, double>>>& nodes) {
  runtime::RunReport run;
  for (const auto& readings : nodes) {
    auto rank = test::rank_report(static_cast<int>(run.ranks.size()));
    rank.node.name = std::to_string(run.ranks.size());
    for (std::size_t i = 0; i + 1 < readings.size(); ++i)
      rank.changes.push_back(
          {.time = Seconds{readings[i].first}, .energy = Joules{readings[i].second}});
    rank.time = Seconds{readings.back().first};
    rank.energy = Joules{readings.back().second};
    run.ranks.push_back(rank);
  }
  return run;
}

TEST(power_over_time, is_constant_between_changes) {
  // Node 0: 10 W for 2 s, then 5 W. Node 1: 20 W for 4 s, then 2 W.
  const auto steps = power_over_time(run_of({{{2, 20}, {10, 60}}, {{4, 80}, {10, 92}}}));
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_DOUBLE_EQ(steps[0].power.value(), 30);
  EXPECT_DOUBLE_EQ(steps[1].power.value(), 25);
  EXPECT_DOUBLE_EQ(steps[2].power.value(), 7);
  EXPECT_DOUBLE_EQ(steps[1].begin.value(), 2);
  EXPECT_DOUBLE_EQ(steps[1].end.value(), 4);
}

TEST(power_over_time, adds_up_to_the_energy_however_many_changes_there_are) {
  std::mt19937 random(1);
  std::uniform_real_distribution<> draw(0.1, 1);
  std::vector<std::vector<std::pair<double, double>>> nodes(50);
  double total = 0;
  for (auto& readings : nodes) {
    double time = 0;
    double energy = 0;
    for (int i = 0; i < 40; ++i)
      readings.emplace_back(time += draw(random), energy += draw(random));
    total += energy;
  }
  const auto steps = power_over_time(run_of(nodes));
  EXPECT_LE(steps.size(), 400U);
  Joules sum;
  for (const PowerStep& step : steps)
    sum += step.power * (step.end - step.begin);
  EXPECT_NEAR(sum.value(), total, 1e-9 * total);
}

TEST(power_over_time, changes_whenever_a_meter_was_read) {
  auto run = run_of({{{2, 20}, {10, 60}}});
  run.ranks[0].readings = {{Seconds{1}, Joules{2}}, {Seconds{6}, Joules{24}}};
  const auto steps = power_over_time(run);
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_DOUBLE_EQ(steps[0].power.value(), 2);
  EXPECT_DOUBLE_EQ(steps[1].power.value(), 18);
  EXPECT_DOUBLE_EQ(steps[2].power.value(), 1);
  EXPECT_DOUBLE_EQ(steps[3].power.value(), 9);
}

TEST(power_over_time, is_not_known_unless_the_energy_of_all_nodes_is) {
  auto run = run_of({{{2, 20}, {10, 60}}, {{4, 80}, {10, 92}}});
  run.ranks[1].energy.reset();
  EXPECT_TRUE(power_over_time(run).empty());
  run = run_of({{{2, 20}, {10, 60}}});
  run.ranks[0].changes[0].energy.reset();
  EXPECT_TRUE(power_over_time(run).empty());
}

} // namespace
} // namespace hypermile::report
