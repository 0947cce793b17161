#include "io/power_cap.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace hypermile::io {
namespace {

TEST(power_caps, are_read_by_their_kind) {
  EXPECT_EQ(parse_power_caps("2kW"), (PowerCaps{.average = Watts{2000}}));
  EXPECT_EQ(parse_power_caps("average:90W"), (PowerCaps{.average = Watts{90}}));
  EXPECT_EQ(parse_power_caps("peak:1.5kW"), (PowerCaps{.peak = Watts{1500}}));
  const PowerCaps both{.average = Watts{90}, .peak = Watts{120}};
  EXPECT_EQ(parse_power_caps("90W,peak:120W"), both);
  EXPECT_EQ(parse_power_caps("peak:120W,average:90W"), both);
}

TEST(power_caps, are_refused_where_they_cannot_be_understood_or_kept) {
  for (const char* const text : {"",
                                 "2",
                                 "2k",
                                 "W",
                                 "-2kW",
                                 "peak:-2kW",
                                 "0W",
                                 "peak:0W",
                                 "2kW,",
                                 ",2kW",
                                 "peak:",
                                 "peak",
                                 "top:2kW",
                                 "peak:peak:2kW",
                                 "2kW,3kW",
                                 "peak:2kW,peak:2kW",
                                 "2kW;peak:3kW",
                                 "nanW",
                                 "infW",
                                 "2kW peak:3kW"})
    EXPECT_THROW((void)parse_power_caps(text), Error) << text;
}

TEST(power_caps, are_told_as_a_whole_where_a_comma_is_too_many) {
  for (const std::string text : {"2kW,", ",2kW", "2kW,,peak:3kW"})
    try {
      (void)parse_power_caps(text);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("'" + text + "'"), std::string::npos);
    }
}

TEST(power_caps, are_the_same_when_they_are_written_and_read_again) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> watts(1e-3, 1e7);
  for (int i = 0; i < 200; ++i) {
    PowerCaps caps{.average = Watts{watts(random)}, .peak = Watts{watts(random)}};
    EXPECT_EQ(parse_power_caps(print_power_caps(caps)), caps);
    caps.average.reset();
    EXPECT_EQ(parse_power_caps(print_power_caps(caps)), caps);
  }
  EXPECT_EQ(print_power_caps({}), "");
}

} // namespace
} // namespace hypermile::io
