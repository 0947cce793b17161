#include "units/error.hpp"
#include "units/parse.hpp"

#include <gtest/gtest.h>

namespace hypermile {
namespace {

TEST(parse, reads_numbers_with_units_and_prefixes) {
  EXPECT_DOUBLE_EQ(parse_watts("90W").value(), 90);
  EXPECT_DOUBLE_EQ(parse_watts(" 2 kW ").value(), 2000);
  EXPECT_DOUBLE_EQ(parse_hertz("2.5GHz").value(), 2.5e9);
  EXPECT_DOUBLE_EQ(parse_seconds("50us").value(), 50e-6);
  EXPECT_DOUBLE_EQ(parse_seconds("2h").value(), 7200);
  EXPECT_DOUBLE_EQ(parse_seconds("3min").value(), 180);
  EXPECT_DOUBLE_EQ(parse_joules("1kWh").value(), 3.6e6);
  EXPECT_DOUBLE_EQ(parse_speed("40Gf").value(), 40e9);
}

TEST(parse, tells_bits_from_bytes) {
  EXPECT_DOUBLE_EQ(parse_bandwidth("1Gbps").value(), 125e6);
  EXPECT_DOUBLE_EQ(parse_bandwidth("1Gbit/s").value(), 125e6);
  EXPECT_DOUBLE_EQ(parse_bandwidth("2.25GBps").value(), 2.25e9);
}

TEST(parse, reads_rates_as_items_per_time) {
  EXPECT_DOUBLE_EQ(parse_rate("200/s").value(), 200);
  EXPECT_DOUBLE_EQ(parse_rate(" 0.5 /s ").value(), 0.5);
  EXPECT_DOUBLE_EQ(parse_rate("6k/min").value(), 100);
  EXPECT_DOUBLE_EQ(parse_rate("3.6 M/h").value(), 1000);
  EXPECT_DOUBLE_EQ(parse_rate("86400/d").value(), 1);
  EXPECT_DOUBLE_EQ(parse_rate("20m/s").value(), 0.02);
}

TEST(parse, refuses_rates_without_a_time) {
  for (const char* text : {"200", "200 s", "/s", "200/", "200/ s", "200/min/s", "200 items/s",
                           "200/m", "nan/s", "inf/s", ""})
    EXPECT_THROW((void)parse_rate(text), Error) << text;
  try {
    (void)parse_rate("200");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_STREQ(error.what(),
                 "'200' is not a rate; try: a number with its unit, e.g. 200/s, 5k/min");
  }
}

TEST(parse, reads_ratios_as_percent_or_number) {
  EXPECT_DOUBLE_EQ(parse_ratio("5%"), 0.05);
  EXPECT_DOUBLE_EQ(parse_ratio("0.05"), 0.05);
}

TEST(parse, reads_slowdowns) {
  EXPECT_EQ(parse_slowdown("0"), 0);
  EXPECT_DOUBLE_EQ(parse_slowdown("5%"), 0.05);
  EXPECT_DOUBLE_EQ(parse_slowdown("0.999"), 0.999);
  EXPECT_DOUBLE_EQ(parse_slowdown(" 500 % "), 5);
  EXPECT_THROW((void)parse_slowdown("-1%"), Error);
  EXPECT_THROW((void)parse_slowdown("much"), Error);
}

TEST(parse, refuses_a_slowdown_without_a_sign_that_was_meant_in_percent) {
  try {
    (void)parse_slowdown("5");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "'5' means 500 %; try: 5% or 0.05; 500% if that is meant");
  }
  EXPECT_THROW((void)parse_slowdown("1"), Error);
  EXPECT_THROW((void)parse_slowdown("2.5"), Error);
}

TEST(parse, refuses_what_has_no_unit_or_the_wrong_one) {
  EXPECT_THROW((void)parse_watts("90"), Error);
  EXPECT_THROW((void)parse_watts("90 GHz"), Error);
  EXPECT_THROW((void)parse_watts("W"), Error);
  EXPECT_THROW((void)parse_watts(""), Error);
  EXPECT_THROW((void)parse_watts("90 W W"), Error);
  EXPECT_THROW((void)parse_ratio("5W"), Error);
}

TEST(parse, refuses_nan_and_infinity) {
  EXPECT_THROW((void)parse_watts("nan W"), Error);
  EXPECT_THROW((void)parse_watts("inf W"), Error);
  EXPECT_THROW((void)parse_ratio("nan"), Error);
}

TEST(parse, refuses_sizes_that_no_machine_has) {
  for (const char* text : {"1e300TW", "-1e31W", "1e-40W", "1e-29nW"})
    EXPECT_THROW((void)parse_watts(text), Error) << text;
  EXPECT_EQ(parse_watts("0W").value(), 0);
  EXPECT_EQ(parse_watts("1e30W").value(), 1e30);
}

TEST(parse, says_what_was_written_and_what_is_understood) {
  try {
    (void)parse_watts("90");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_STREQ(error.what(), "'90' is not a power; try: a number with its unit, e.g. 90W, 2kW");
  }
}

} // namespace
} // namespace hypermile
