#include "io/power_schedule.hpp"

#include "io/refusal.hpp"

#include <gtest/gtest.h>

namespace hypermile::io {
namespace {

using Entries = std::vector<steer::PowerSchedule::Entry>;

Entries entries(std::string_view text) { return parse_power_schedule(text, "day.csv").entries; }

/// What the error says; fails the test where there is none.
std::string schedule_refusal(std::string_view text) {
  return refusal([&] { return entries(text); });
}

TEST(power_schedule, is_read_in_the_order_of_the_day) {
  EXPECT_EQ(entries("time,power_w\n00:00,50\n06:30,90.5\n23:59:59,70\n"),
            (Entries{{Seconds{0}, Watts{50}},
                     {Seconds{6 * 3600 + 30 * 60}, Watts{90.5}},
                     {Seconds{24 * 3600 - 1}, Watts{70}}}));
}

TEST(power_schedule, may_have_its_columns_in_any_order_and_any_ends_of_lines) {
  EXPECT_EQ(entries("power_w,time\r\n50,06:00\r\n70,08:00"),
            (Entries{{Seconds{6 * 3600}, Watts{50}}, {Seconds{8 * 3600}, Watts{70}}}));
}

TEST(power_schedule, refuses_what_is_no_time_of_the_day) {
  for (const std::string time :
       {"", "6:00", "06", "06:", "06:0", "06:00:", "06:00:0", "06:00:000", "24:00", "06:60",
        "06:00:60", "0600", "06-00", "-6:00", " 06:00", "06:00 ", "06:00:00:00", "ab:cd", "6am"})
    EXPECT_EQ(schedule_refusal("time,power_w\n" + time + ",50\n"),
              "day.csv:2: '" + time + "' is not a time of the day; try: 06:00 or 23:59:59");
}

TEST(power_schedule, refuses_what_is_no_power) {
  for (const std::string power : {"", "50W", "x", "nan", "inf", "-inf", "1e999", "5 0"})
    EXPECT_EQ(schedule_refusal("time,power_w\n06:00," + power + "\n"),
              "day.csv:2: '" + power +
                  "' is not a power in watts; try: a plain number such as 231.5");
  for (const std::string power : {"0", "-5"})
    EXPECT_EQ(schedule_refusal("time,power_w\n06:00," + power + "\n"),
              "day.csv:2: a bound of " + power + " W cannot be kept");
}

TEST(power_schedule, refuses_times_that_do_not_ascend_and_says_where) {
  for (const std::string time : {"06:00", "05:59:59"})
    EXPECT_EQ(schedule_refusal("time,power_w\n06:00,50\n" + time + ",60\n").rfind("day.csv:3: ", 0),
              0U);
}

TEST(power_schedule, must_have_a_bound) {
  EXPECT_NE(schedule_refusal("time,power_w\n").find("there is no bound"), std::string::npos);
  EXPECT_NE(schedule_refusal("").find("the file is empty"), std::string::npos);
}

TEST(power_schedule, refuses_other_columns) {
  for (const char* const text :
       {"time\n06:00\n", "time,power\n06:00,50\n", "time,power_w,power_w\n06:00,50,50\n",
        "time,power_w,day\n06:00,50,1\n", "06:00,50\n", "time,power_w\n06:00,50,1\n",
        "time,power_w\n06:00\n", "time,power_w\n\n"})
    EXPECT_EQ(schedule_refusal(text).rfind("day.csv:", 0), 0U) << text;
}

} // namespace
} // namespace hypermile::io
