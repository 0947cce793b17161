#include "calibrate/fit.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace hypermile;
using namespace hypermile::calibrate;

namespace {

model::GearTable gears() { return model::GearTable({Hertz{2e9}, Hertz{1.5e9}, Hertz{1e9}}); }

model::GearPower measured_power(double computing, double waiting, double idle) {
  return {Watts{computing}, Watts{waiting}, Watts{idle}};
}

} // namespace

// [F16] Eq. 3.15: of 120 W, 20 W are static, so that 100 W shrink by 1/S^3: S = 4/3 and 2.
TEST(Fit, of_one_gear_takes_idle_power_as_static) {
  const auto all = power_in_all_gears(gears(), {{0, measured_power(120, 70, 20)}});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_DOUBLE_EQ(all[0].computing.value(), 120);
  EXPECT_DOUBLE_EQ(all[1].computing.value(), 20 + 100 * std::pow(0.75, 3));
  EXPECT_DOUBLE_EQ(all[2].computing.value(), 20 + 100 / 8.0);
  EXPECT_DOUBLE_EQ(all[2].waiting.value(), 20 + 50 / 8.0);
  EXPECT_EQ(all[2].idle, Watts{20});
}

TEST(Fit, keeps_what_was_measured) {
  const auto all = power_in_all_gears(
      gears(), {{0, measured_power(120, 70, 20)}, {2, measured_power(60, 50, 18)}});
  EXPECT_EQ(all[0].computing, Watts{120});
  EXPECT_EQ(all[2].computing, Watts{60});
  EXPECT_EQ(all[2].waiting, Watts{50});
}

TEST(Fit, goes_straight_over_the_cube_between_two_gears) {
  const auto all = power_in_all_gears(
      gears(), {{2, measured_power(60, 50, 18)}, {0, measured_power(120, 70, 20)}});
  const double share = (std::pow(0.75, 3) - 0.125) / (1 - 0.125);
  EXPECT_DOUBLE_EQ(all[1].computing.value(), 60 + share * 60);
  EXPECT_DOUBLE_EQ(all[1].waiting.value(), 50 + share * 20);
}

TEST(Fit, goes_on_to_faster_gears_than_were_measured) {
  // From 20 W at 1/S^3 = 0 over 20 + 27 W at 27/64 to 84 W at 1.
  const auto all = power_in_all_gears(gears(), {{1, measured_power(20 + 27, 20 + 13.5, 20)}});
  EXPECT_DOUBLE_EQ(all[0].computing.value(), 20 + 64);
  EXPECT_DOUBLE_EQ(all[0].waiting.value(), 20 + 32);
}

TEST(Fit, takes_idle_power_of_the_nearest_gear) {
  const model::GearTable four({Hertz{4e9}, Hertz{3e9}, Hertz{2e9}, Hertz{1e9}});
  const auto all =
      power_in_all_gears(four, {{0, measured_power(9, 8, 7)}, {3, measured_power(5, 4, 3)}});
  EXPECT_EQ(all[1].idle, Watts{7});
  EXPECT_EQ(all[2].idle, Watts{3});
}

TEST(Fit, is_never_negative) {
  const auto all =
      power_in_all_gears(gears(), {{1, measured_power(50, 50, 0)}, {2, measured_power(90, 90, 0)}});
  EXPECT_EQ(all[0].computing, Watts{0});
}

TEST(Fit, needs_a_gear) { EXPECT_THROW(power_in_all_gears(gears(), {}), Error); }
