// What nodes draw is learnt while a program runs, from meters that follow its gears and what it
// does.

#include "runtime/apply/program.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hypermile::runtime {
namespace {

/// A rank on each of five nodes with a meter.
const std::vector<double> computation{1, 2, 0.5, 1.9, 1.1};

std::vector<RankSetup> metered_nodes() {
  std::vector<RankSetup> setups;
  for (std::size_t n = 0; n < computation.size(); ++n)
    setups.push_back(
        {.node = n, .computation = computation[n], .energy_interval = 0.5, .learns_power = true});
  return setups;
}

/// The tables of test::node() are off by this.
const std::vector<model::GearPower> truth{{Watts{23}, Watts{7}, Watts{7}},
                                          {Watts{9}, Watts{5}, Watts{5}}};

RunReport run(const std::vector<double>& factors,
              std::optional<select::Request> request = unbounded, int iterations = 60) {
  Program program(metered_nodes(), std::move(request), Program::Messages::by_tree);
  for (std::size_t n = 0; n < program.machines.size(); ++n)
    for (const model::GearPower& power : truth)
      program.machines[n].power.push_back(
          {power.computing * factors[n], power.waiting * factors[n], power.idle * factors[n]});
  program.iterate(iterations);
  return program.finish();
}

TEST(power_learning, finds_what_nodes_really_draw_and_chooses_gears_by_it) {
  const RunReport report = run({1, 1, 1, 1, 1});
  ASSERT_EQ(report.power.size(), 1U);
  const LearntPower& learnt = report.power[0];
  EXPECT_EQ(learnt.nodes, 5U);
  EXPECT_FALSE(learnt.assumed);
  ASSERT_TRUE(learnt.in_use) << learnt.why_not;
  for (std::size_t g = 0; g < 2; ++g) {
    EXPECT_GT(learnt.gears[g].metered, Seconds{1}) << "no node was in gear " << g;
    EXPECT_NEAR(learnt.gears[g].computing.value, truth[g].computing.value(), 0.3);
    EXPECT_NEAR(learnt.gears[g].waiting.value, truth[g].waiting.value(), 0.3);
  }
  // The last choice: an iteration in gear 0 takes 2 s and 0.25 s of messages; by hand.
  const double gear0 = 5 * 7 * 2.25 + 16 * (1 + 2 + 0.5 + 1.9 + 1.1);
  EXPECT_NEAR(report.decisions.back().baseline.energy.value(), gear0, 0.02 * gear0);
  for (const RankReport& rank : report.ranks) {
    EXPECT_TRUE(rank.power.empty());
    EXPECT_NEAR(rank.node.type.power[0].computing.value(), 23, 0.3);
  }
}

TEST(power_learning, goes_on_without_choices_of_gears) {
  const RunReport report = run({1, 1, 1, 1, 1}, std::nullopt);
  ASSERT_EQ(report.power.size(), 1U);
  EXPECT_FALSE(report.power[0].in_use);
  EXPECT_EQ(report.power[0].why_not, "");
  EXPECT_NEAR(report.power[0].gears[0].computing.value, 23, 0.3);
  EXPECT_EQ(report.power[0].gears[1].metered, Seconds{});
  EXPECT_EQ(report.ranks[0].node.type.power[0].computing, Watts{20});
}

TEST(power_learning, changes_no_table_under_a_cap_on_power) {
  select::Request request;
  request.constraints.average_power_cap = Watts{70};
  const RunReport report = run({1, 1, 1, 1, 1}, request);
  ASSERT_EQ(report.power.size(), 1U);
  EXPECT_FALSE(report.power[0].in_use);
  EXPECT_NE(report.power[0].why_not.find("cap"), std::string::npos);
}

TEST(power_learning, tells_of_no_energy_of_a_meter_that_says_twice_what_equal_nodes_say) {
  const RunReport report = run({1, 1, 1, 1, 2.2});
  ASSERT_EQ(report.power.size(), 1U);
  EXPECT_EQ(report.power[0].nodes, 4U);
  EXPECT_NEAR(report.power[0].gears[0].computing.value, 23, 0.5);
  EXPECT_TRUE(report.ranks[0].energy);
  EXPECT_EQ(report.ranks[0].meter_dropped, "");
  EXPECT_FALSE(report.ranks[4].energy);
  EXPECT_TRUE(report.ranks[4].readings.empty());
  EXPECT_NE(report.ranks[4].meter_dropped.find("is not believed"), std::string::npos);
}

TEST(power_learning, learns_nothing_of_a_meter_that_stands_still) {
  const RunReport report = run({0, 1, 1, 1, 1});
  EXPECT_NE(report.ranks[0].meter_dropped.find("said the same"), std::string::npos);
  EXPECT_FALSE(report.ranks[0].energy);
  ASSERT_EQ(report.power.size(), 1U);
  EXPECT_EQ(report.power[0].nodes, 4U);
  EXPECT_NEAR(report.power[0].gears[0].computing.value, 23, 0.3);
}

} // namespace
} // namespace hypermile::runtime
