#include "backend/wattmeter/timestamp.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <string>

using namespace hypermile;
using backend::wattmeter::parse_timestamp;

namespace {

double seconds(std::string_view text) { return parse_timestamp(text).value(); }

std::string time_refusal(std::string_view text) {
  try {
    return std::to_string(seconds(text)) + " was accepted";
  } catch (const Error& error) {
    return error.what();
  }
}

} // namespace

// `date -u -d 2024-05-01T12:00:00Z +%s` prints 1714564800.
TEST(Timestamp, reads_seconds_since_1970) {
  EXPECT_EQ(seconds("1714564800"), 1714564800);
  EXPECT_EQ(seconds("1714564800.25"), 1714564800.25);
  EXPECT_EQ(seconds("0"), 0);
}

TEST(Timestamp, reads_iso_8601_in_utc) {
  EXPECT_EQ(seconds("2024-05-01T12:00:00Z"), 1714564800);
  EXPECT_EQ(seconds("2024-05-01 12:00:00.5Z"), 1714564800.5);
  EXPECT_EQ(seconds("2024-02-29T00:00:00Z"), 1709164800);
}

TEST(Timestamp, takes_the_zone_into_account) {
  EXPECT_EQ(seconds("2024-05-01T14:00:00+02:00"), 1714564800);
  EXPECT_EQ(seconds("2024-05-01T06:30:00-0530"), 1714564800);
  EXPECT_EQ(seconds("2024-05-01T14:00:00,25+02"), 1714564800.25);
}

TEST(Timestamp, counts_a_leap_second_as_the_one_after) {
  EXPECT_EQ(seconds("2016-12-31T23:59:60Z"), seconds("2017-01-01T00:00:00Z"));
}

TEST(Timestamp, without_a_zone_is_refused) {
  EXPECT_EQ(
      time_refusal("2024-05-01T12:00:00"),
      "'2024-05-01T12:00:00' is not a time; try: seconds since 1970 such as 1714564800.25, or "
      "2024-05-01T12:00:00Z with its zone");
}

TEST(Timestamp, that_is_none_is_refused) {
  for (const char* text : {"",
                           " ",
                           "nan",
                           "inf",
                           "1e9",
                           "12:00:00Z",
                           "2024-05-01",
                           "2024-13-01T12:00:00Z",
                           "2023-02-29T12:00:00Z",
                           "2024-05-01T24:00:00Z",
                           "2024-05-01T12:60:00Z",
                           "2024-05-01T12:00:61Z",
                           "2024-05-01T12:00:00.Z",
                           "2024-05-01T12:00:00+15:00",
                           "2024-05-01T12:00:00Z ",
                           "2024-05-01t12:00:00z",
                           "0x10",
                           "1714564800s",
                           "2024-5-1T12:00:00Z",
                           "2024-05-01T12:00:00+",
                           "2024-05-01T12:00:00+02:0"})
    EXPECT_NE(time_refusal(text).find("is not a time"), std::string::npos)
        << text << ": " << time_refusal(text);
}

TEST(Timestamp, in_milliseconds_is_refused) {
  EXPECT_EQ(time_refusal("1714564800000"),
            "the time '1714564800000' is not in the years 1970 to 9999; "
            "try: seconds since 1970, not milliseconds");
  EXPECT_NE(time_refusal("-1").find("is not in the years"), std::string::npos);
}
