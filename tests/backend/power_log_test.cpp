#include "backend/wattmeter/power_log.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

using namespace hypermile;
using namespace hypermile::backend::wattmeter;

namespace {

std::string refusal(const std::string& text) {
  try {
    parse_power_log(text, "log.csv");
    return "accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

} // namespace

TEST(PowerLog, has_the_samples_of_the_only_node) {
  const auto log = parse_power_log("time,power_w\n10,100\n11.5,120.25\n", "log.csv");
  const auto& samples = samples_of(log, "any", "log.csv");
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples[1].time, Seconds{11.5});
  EXPECT_EQ(samples[1].power, Watts{120.25});
}

TEST(PowerLog, keeps_nodes_apart) {
  const auto log = parse_power_log("node,time,power_w\nn1,10,100\nn2,9,50\nn1,11,101\n", "log.csv");
  EXPECT_EQ(samples_of(log, "n1", "log.csv").size(), 2U);
  EXPECT_EQ(samples_of(log, "n2", "log.csv").size(), 1U);
}

TEST(PowerLog, names_its_nodes_when_one_is_missing) {
  const auto log = parse_power_log("time,power_w,node\n10,100,n1\n10,100,n2\n", "log.csv");
  try {
    samples_of(log, "n3", "log.csv");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "log.csv: there is no sample of node 'n3'; try: a log with the "
                               "node's host name; this one has n1, n2");
  }
}

TEST(PowerLog, may_have_line_ends_of_another_system_and_none_at_its_end) {
  const auto log = parse_power_log("time,power_w\r\n10,100\r\n11,101", "log.csv");
  EXPECT_EQ(samples_of(log, "", "log.csv").size(), 2U);
}

TEST(PowerLog, may_repeat_a_time) {
  EXPECT_EQ(refusal("time,power_w\n10,100\n10,101\n"), "accepted");
}

TEST(PowerLog, refuses_a_time_that_goes_back) {
  EXPECT_EQ(refusal("time,power_w\n10,100\n9.5,100\n"),
            "log.csv:3: the time '9.5' is before the sample above; try: samples in the order of "
            "time");
}

TEST(PowerLog, refuses_powers_that_are_none) {
  EXPECT_EQ(refusal("time,power_w\n10,nan\n"),
            "log.csv:2: 'nan' is not a power in watts; try: a plain number such as 231.5");
  EXPECT_TRUE(
      refusal("time,power_w\n10,-1\n").starts_with("log.csv:2: the power '-1' is negative; "));
  for (const char* power : {"", "inf", "1e400", "12W", " 12", "0x10", "2000000000"})
    EXPECT_TRUE(refusal(std::string("time,power_w\n10,") + power + "\n").starts_with("log.csv:2: "))
        << power;
}

TEST(PowerLog, refuses_a_time_with_its_line) {
  EXPECT_TRUE(
      refusal("time,power_w\n10,1\nnoon,1\n").starts_with("log.csv:3: 'noon' is not a time;"));
}

TEST(PowerLog, refuses_headers_that_are_none) {
  const std::string advice = "; try: a first line such as 'time,power_w' or 'time,power_w,node'";
  EXPECT_EQ(refusal(""), "log.csv:1: the file is empty" + advice);
  EXPECT_EQ(refusal("10,100\n"), "log.csv:1: '10' is not a column" + advice);
  EXPECT_EQ(refusal("time\n10\n"), "log.csv:1: there is no column power_w" + advice);
  EXPECT_EQ(refusal("node,power_w\n"), "log.csv:1: there is no column time" + advice);
  EXPECT_EQ(refusal("time,power_w,time\n"), "log.csv:1: the column time is there twice" + advice);
}

TEST(PowerLog, refuses_lines_that_are_no_sample) {
  EXPECT_EQ(refusal("time,power_w\n10,100,n1\n"), "log.csv:2: 3 fields instead of 2");
  EXPECT_EQ(refusal("time,power_w\n\n10,100\n"), "log.csv:2: 1 fields instead of 2");
  EXPECT_TRUE(refusal("time,power_w,node\n10,100,\"n1\"\n")
                  .starts_with("log.csv:2: the name of the node is empty,"));
  EXPECT_TRUE(refusal("time,power_w\n").starts_with("log.csv:1: there is no sample; "));
}

TEST(PowerLog, is_cut_where_the_meter_is_still_writing) {
  EXPECT_EQ(complete_lines("time,power_w\n10,100\n11,1"), "time,power_w\n10,100\n");
  EXPECT_EQ(complete_lines("time,po"), "");
}
