#include "runtime/apply/energy_readings.hpp"

#include "runtime/apply/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace hypermile::runtime {
namespace {

/// Offers a reading at every moment that is so far from the one before; 5 W. `times`: of all that
/// were due.
EnergyReadings offered(std::size_t most, int moments, double apart, std::vector<double>& times) {
  EnergyReadings readings(Seconds{0.1}, most);
  for (int i = 1; i <= moments; ++i) {
    const Seconds now{apart * i};
    if (readings.due(now)) {
      readings.add(now, Watts{5} * now, Seconds{});
      times.push_back(now.value());
    }
  }
  return readings;
}

TEST(energy_readings, are_all_there_in_a_short_run) {
  std::vector<double> times;
  const auto readings = offered(240, 100, 0.1001, times);
  ASSERT_EQ(readings.all().size(), 100U);
  EXPECT_EQ(times.size(), 100U);
}

TEST(energy_readings, are_few_and_spread_over_the_whole_of_a_long_run) {
  for (const std::size_t most : {2U, 3U, 16U, 240U})
    for (const int moments : {1000, 100'000}) {
      std::vector<double> times;
      const auto readings = offered(most, moments, 0.05, times);
      const auto& all = readings.all();
      const double end = 0.05 * moments;
      EXPECT_LE(all.size(), most);
      EXPECT_GE(all.size(), most / 2 - 1);
      double gap = all.front().time.value();
      for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_GT(all[i].time, all[i - 1].time);
        EXPECT_DOUBLE_EQ(all[i].energy.value(), 5 * all[i].time.value());
        gap = std::max(gap, (all[i].time - all[i - 1].time).value());
      }
      gap = std::max(gap, end - all.back().time.value());
      // Twice the distance that as many readings had if they were equally far from each other.
      EXPECT_LE(gap, 4.2 * end / static_cast<double>(most)) << most << ' ' << moments;
    }
}

TEST(energy_readings, of_a_slow_meter_take_a_small_share_of_the_time) {
  EnergyReadings readings(Seconds{0.1}, 240);
  double spent = 0;
  Seconds now;
  for (int i = 0; i < 100'000; ++i) {
    now += Seconds{0.01};
    if (readings.due(now)) {
      constexpr double cost = 0.05;
      spent += cost;
      readings.add(now, Watts{5} * now, Seconds{cost});
    }
  }
  EXPECT_LT(spent, 0.002 * now.value());
  EXPECT_GT(readings.all().size(), 3U);
}

TEST(energy_readings, of_a_rank_are_in_its_report) {
  Program program({{.computation = 1, .energy_interval = 2.5}, {.node = 1, .computation = 2}},
                  unbounded);
  program.iterate(16);
  const RunReport run = program.finish();
  const auto& readings = run.ranks[0].readings;
  ASSERT_GT(readings.size(), 4U);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    EXPECT_NEAR(readings[i].energy.value(), 5 * readings[i].time.value(), 1e-9);
    const Seconds before = i == 0 ? Seconds{} : readings[i - 1].time;
    EXPECT_GE((readings[i].time - before).value(), 2.5);
  }
  EXPECT_TRUE(run.ranks[1].readings.empty()); // nobody wants them
}

TEST(energy_readings, of_a_meter_that_fails_are_not_there) {
  Program program({{.computation = 1, .energy_interval = 2.5}}, unbounded);
  program.iterate(4);
  program.ranks[0]->meter.works = false;
  program.iterate(8);
  program.ranks[0]->meter.fails = true;
  program.iterate(8);
  const RunReport run = program.finish();
  EXPECT_FALSE(run.ranks[0].energy);
  EXPECT_LE(run.ranks[0].readings.size(), 4U);
  EXPECT_EQ(run.ranks[0].failure, "");
}

} // namespace
} // namespace hypermile::runtime
