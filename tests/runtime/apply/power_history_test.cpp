#include "runtime/apply/power_history.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace hypermile::runtime {
namespace {

/// By gear: for how long the points say that the node was in it.
std::vector<double> times_by_gear(const std::vector<PowerPoint>& points) {
  std::vector<double> times(4);
  for (std::size_t i = 1; i < points.size(); ++i)
    if (!points[i].after_gap)
      times[points[i - 1].gear] += (points[i].time - points[i - 1].time).value();
  return times;
}

TEST(power_history, says_how_long_each_gear_took_however_few_points_there_is_room_for) {
  std::mt19937_64 random(1);
  for (const std::size_t most : {6U, 20U, 48U})
    for (int round = 0; round < 50; ++round) {
      PowerHistory history(Seconds{0.1}, most);
      std::vector<double> truth(4);
      std::size_t gear = 0;
      history.add({.time = Seconds{}, .gear = gear});
      std::size_t changes = 0;
      Seconds now;
      Seconds noted;
      for (int i = 0; i < 1000; ++i) {
        now += Seconds{0.05};
        truth[gear] += 0.05;
        const bool changes_gear = random() % 300 == 0 && changes + 4 < most;
        if (changes_gear) {
          gear = (gear + 1) % 4;
          ++changes;
        }
        if (changes_gear || history.due(now)) {
          history.add({.time = now, .gear = gear});
          noted = now;
        }
        EXPECT_LE(history.points().size(), most);
      }
      truth[gear] -= (now - noted).value();
      const auto told = history.take();
      EXPECT_TRUE(history.points().empty());
      const auto times = times_by_gear(told);
      for (std::size_t g = 0; g < 4; ++g)
        EXPECT_NEAR(times[g], truth[g], 1e-9);
    }
}

TEST(power_history, counts_no_time_in_a_wrong_gear_where_gears_change_all_the_time) {
  PowerHistory history(Seconds{0.1}, 8);
  for (int i = 0; i < 100; ++i) // gears 0 and 1 in turn, a second each: gear 0 from even seconds on
    history.add({.time = Seconds{1.0 * i}, .gear = static_cast<std::size_t>(i % 2)});
  const auto points = history.take();
  EXPECT_LE(points.size(), 8U);
  EXPECT_TRUE(points.front().after_gap);
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_FALSE(points[i].after_gap);
    EXPECT_DOUBLE_EQ((points[i].time - points[i - 1].time).value(), 1);
  }
}

TEST(power_history, of_a_slow_meter_takes_a_small_share_of_the_time) {
  PowerHistory history(Seconds{0.1}, 48);
  Seconds spent;
  Seconds now;
  for (int i = 0; i < 100'000; ++i) {
    now += Seconds{0.01};
    if (history.due(now)) {
      history.add({.time = now}, Seconds{0.004});
      spent += Seconds{0.004};
    }
    if (i % 5000 == 0)
      (void)history.take();
  }
  EXPECT_LT(spent / now, 0.001);
}

} // namespace
} // namespace hypermile::runtime
