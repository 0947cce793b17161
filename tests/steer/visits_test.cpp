#include "steer/visits.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hypermile::steer {
namespace {

TEST(visits, keeps_the_order_of_first_visits) {
  Visits visits;
  EXPECT_TRUE(visits.empty());
  EXPECT_EQ(visits.find(7), nullptr);
  for (const std::size_t configuration : {7U, 3U, 7U, 5U, 3U})
    visits.add(configuration, {Rate{1}, Watts{1}});
  ASSERT_EQ(visits.size(), 3U);
  EXPECT_EQ(visits.all()[0].configuration, 7U);
  EXPECT_EQ(visits.all()[1].configuration, 3U);
  EXPECT_EQ(visits.all()[2].configuration, 5U);
  EXPECT_EQ(visits.find(3)->times, 2U);
  visits.clear();
  EXPECT_TRUE(visits.empty());
}

TEST(visits, takes_the_mean_of_all_measurements_of_a_configuration) {
  Visits visits;
  visits.add(0, {.capacity = Rate{90}, .power = Watts{40}, .load = 1});
  visits.add(0, {.capacity = Rate{120}, .power = Watts{50}, .load = 0.7});
  visits.add(0, {.capacity = Rate{60}, .power = Watts{60}, .load = 0.4});
  const Measurement& mean = visits.find(0)->mean;
  EXPECT_DOUBLE_EQ(mean.capacity.value(), 90);
  EXPECT_DOUBLE_EQ(mean.power.value(), 50);
  EXPECT_DOUBLE_EQ(mean.load, 0.7);
  EXPECT_EQ(mean.relative_error, 0);
}

/// The standard error of the mean of n equally good measurements: s / sqrt(n).
TEST(visits, the_error_of_the_mean_falls_with_more_measurements) {
  Visits visits;
  for (int times = 0; times < 16; ++times)
    visits.add(0, {.capacity = Rate{1}, .power = Watts{1}, .relative_error = 0.08});
  EXPECT_EQ(visits.find(0)->times, 16U);
  EXPECT_DOUBLE_EQ(visits.find(0)->mean.relative_error, 0.02);
}

TEST(visits, errors_of_different_sizes_add_as_squares) {
  Visits visits;
  visits.add(0, {.capacity = Rate{1}, .power = Watts{1}, .relative_error = 0.03});
  visits.add(0, {.capacity = Rate{1}, .power = Watts{1}, .relative_error = 0.04});
  EXPECT_DOUBLE_EQ(visits.find(0)->mean.relative_error, 0.05 / 2);
}

TEST(visits, replacing_forgets_what_was_measured_there_before) {
  Visits visits;
  visits.add(4, {Rate{10}, Watts{10}});
  visits.add(4, {Rate{12}, Watts{10}});
  visits.add(2, {Rate{30}, Watts{30}});
  visits.replace(4, {Rate{20}, Watts{15}});
  visits.replace(5, {Rate{1}, Watts{1}}); // was not there
  EXPECT_EQ(visits.size(), 3U);
  EXPECT_EQ(visits.find(4)->times, 1U);
  EXPECT_EQ(visits.find(4)->mean.capacity, Rate{20});
  EXPECT_EQ(seen_of(visits, 4)->power, Watts{15});
  EXPECT_EQ(seen_of(visits, 2)->capacity, Rate{30});
  EXPECT_FALSE(seen_of(visits, 3));
}

TEST(visits, the_best_is_that_of_most_worth_among_those_that_keep_the_bounds) {
  Visits visits;
  visits.add(4, {Rate{10}, Watts{10}});
  visits.add(2, {Rate{30}, Watts{30}});
  visits.add(9, {Rate{20}, Watts{20}});
  const Pick pick =
      best_visited(visits, {.objective = Objective::most_throughput, .most_power = Watts{25}});
  EXPECT_EQ(pick.configuration, 9U);
  EXPECT_TRUE(pick.keeps_bounds);
}

TEST(visits, else_the_best_is_that_which_misses_least) {
  Visits visits;
  visits.add(4, {Rate{10}, Watts{10}});
  visits.add(2, {Rate{30}, Watts{30}});
  const Pick pick = best_visited(visits, {.least_throughput = Rate{50}});
  EXPECT_EQ(pick.configuration, 2U);
  EXPECT_FALSE(pick.keeps_bounds);
}

} // namespace
} // namespace hypermile::steer
