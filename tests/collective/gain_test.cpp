#include "collective/choice.hpp"

#include <gtest/gtest.h>

namespace hypermile::collective {
namespace {

/// At 1000 B in 4 processes on one node, by pass.
Calibration calibrated(const std::vector<double>& of_library, const std::vector<double>& of_chain,
                       double watts_of_library = 0) {
  Calibration calibration;
  const auto add = [&](const std::string& name, const std::vector<double>& times_s, double watts) {
    Cell& cell = cell_of(calibration, 1, 4, {.algorithm = name}, 1000);
    for (const double time_s : times_s) {
      cell.times.emplace_back(time_s);
      if (watts_of_library > 0)
        cell.powers.emplace_back(watts);
    }
  };
  add("default", of_library, watts_of_library);
  add("chain", of_chain, 100);
  return calibration;
}

const Variant chain{.algorithm = "chain"};

TEST(Gain, is_what_the_choice_of_the_library_costs_more) {
  const auto gain = gain_over_library(calibrated({3, 3.2, 2.8}, {2, 2, 2}, 50), 1, 4, 1000, chain);
  ASSERT_TRUE(gain);
  EXPECT_NEAR(gain->time, 0.5, 1e-12);
  ASSERT_TRUE(gain->energy);
  EXPECT_NEAR(*gain->energy, -0.25, 1e-12);
}

TEST(Gain, compares_pass_by_pass) {
  const auto gain = gain_over_library(calibrated({1.1, 5.5, 2.2, 9}, {1, 5, 2}), 1, 4, 1000, chain);
  ASSERT_TRUE(gain);
  EXPECT_NEAR(gain->time, 0.1, 1e-12);
  EXPECT_FALSE(gain->energy);
}

TEST(Gain, is_known_of_what_was_measured_only) {
  const Calibration calibration = calibrated({1}, {1});
  EXPECT_TRUE(gain_over_library(calibration, 1, 4, 1000, chain));
  EXPECT_FALSE(gain_over_library(calibration, 1, 4, 1001, chain));
  EXPECT_FALSE(gain_over_library(calibration, 1, 3, 1000, chain));
  EXPECT_FALSE(gain_over_library(calibration, 2, 4, 1000, chain));
  EXPECT_FALSE(gain_over_library(calibration, 1, 4, 1000, {.algorithm = "binomial"}));
  EXPECT_FALSE(gain_over_library(calibrated({}, {1}), 1, 4, 1000, chain));
}

} // namespace
} // namespace hypermile::collective
