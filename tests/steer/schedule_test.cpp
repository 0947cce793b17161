#include "steer/schedule.hpp"

#include <gtest/gtest.h>

namespace hypermile::steer {
namespace {

Seconds hours(double number) { return Seconds{3600 * number}; }

TEST(schedule, holds_each_bound_from_its_time_until_the_next) {
  const PowerSchedule day{{{hours(6), Watts{60}}, {hours(8), Watts{90}}, {hours(20), Watts{70}}}};
  EXPECT_EQ(power_at(day, hours(6)), Watts{60});
  EXPECT_EQ(power_at(day, hours(7.99)), Watts{60});
  EXPECT_EQ(power_at(day, hours(8)), Watts{90});
  EXPECT_EQ(power_at(day, hours(19)), Watts{90});
  EXPECT_EQ(power_at(day, hours(23.9)), Watts{70});
}

TEST(schedule, goes_on_with_the_last_bound_of_the_day_before) {
  const PowerSchedule day{{{hours(6), Watts{60}}, {hours(20), Watts{70}}}};
  EXPECT_EQ(power_at(day, Seconds{0}), Watts{70});
  EXPECT_EQ(power_at(day, hours(5.99)), Watts{70});
}

TEST(schedule, of_one_entry_holds_all_day) {
  const PowerSchedule day{{{hours(12), Watts{60}}}};
  for (const double hour : {0.0, 11.0, 12.0, 23.0})
    EXPECT_EQ(power_at(day, hours(hour)), Watts{60}) << hour;
}

} // namespace
} // namespace hypermile::steer
