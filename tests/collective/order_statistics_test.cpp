#include "collective/order_statistics.hpp"

#include "collective/synthetic.hpp"

#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace hypermile::collective {
namespace {

/// A distribution with a density, and its median.
struct Distribution {
  const char* name;
  double (*draw)(std::mt19937&);
  double median;
};

const std::vector<Distribution> distributions{
    {"uniform",
     [](std::mt19937& random) { return std::uniform_real_distribution<double>(1, 3)(random); }, 2},
    {"normal", [](std::mt19937& random) { return std::normal_distribution<double>(5, 1)(random); },
     5},
    {"exponential",
     [](std::mt19937& random) { return 1 + std::exponential_distribution<double>()(random); },
     1 + std::log(2.0)},
    {"lognormal, which is more skewed",
     [](std::mt19937& random) { return std::lognormal_distribution<double>(0, 1.5)(random); }, 1},
    {"without a mean",
     [](std::mt19937& random) {
       return std::exp(std::cauchy_distribution<double>(0, 0.1)(random));
     },
     1},
    {"one in three is ten times as long",
     [](std::mt19937& random) {
       const double value = std::uniform_real_distribution<double>(1, 4)(random);
       return value < 3 ? value : 10 * value;
     },
     2.5}};

// By hand, n values: 1 - 2 / 2^n of all intervals from the least to the largest hold the median.
TEST(OrderStatistics, few_values_reach_what_coins_say) {
  EXPECT_FALSE(median_interval({1}, 0.95));
  for (const auto& [count, reached] : std::vector<std::pair<std::size_t, double>>{
           {2, 0.5}, {3, 0.75}, {4, 0.875}, {5, 0.9375}, {6, 0.96875}, {8, 1 - 2.0 / 256}}) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(static_cast<double>(count - i));
    const auto interval = median_interval(values, 0.95);
    ASSERT_TRUE(interval);
    EXPECT_NEAR(interval->confidence, reached, 1e-12);
    EXPECT_EQ(interval->low, 1);
    EXPECT_EQ(interval->high, static_cast<double>(count));
  }
  // From the second on: 1 - 2 (1 + 9) / 2^9.
  const auto nine = median_interval({9, 8, 7, 6, 5, 4, 3, 2, 1}, 0.95);
  EXPECT_EQ(nine->low, 2);
  EXPECT_EQ(nine->high, 8);
  EXPECT_NEAR(nine->confidence, 1 - 20.0 / 512, 1e-12);
}

TEST(OrderStatistics, six_values_are_needed_for_95_percent) {
  EXPECT_EQ(values_needed(0), 2U);
  EXPECT_EQ(values_needed(0.9), 5U);
  EXPECT_EQ(values_needed(0.95), 6U);
  EXPECT_EQ(values_needed(0.99), 8U);
  for (const double confidence : {0.5, 0.8, 0.95, 0.999}) {
    const std::size_t needed = values_needed(confidence);
    EXPECT_GE(median_interval(std::vector<double>(needed, 1), confidence)->confidence, confidence);
    const auto fewer = median_interval(std::vector<double>(needed - 1, 1), confidence);
    EXPECT_TRUE(!fewer || fewer->confidence < confidence);
  }
}

/// Against counting all ways in which coins can fall.
TEST(OrderStatistics, coins_are_counted) {
  for (std::size_t count = 0; count <= 12; ++count)
    for (std::size_t most = 0; most <= count + 1; ++most) {
      int few = 0;
      for (unsigned way = 0; way < 1U << count; ++way)
        few += static_cast<std::size_t>(__builtin_popcount(way)) <= most ? 1 : 0;
      EXPECT_NEAR(coins_at_most(count, most), few / std::exp2(static_cast<double>(count)), 1e-12);
    }
}

/// With a density it is equality: not wider than it says either. Four standard deviations.
TEST(OrderStatistics, intervals_hold_the_median_as_often_as_they_say_whatever_the_distribution) {
  std::mt19937 random(1);
  const int all = test::cases(4000);
  for (const auto& [name, draw, truth] : distributions)
    for (const std::size_t count : {2U, 5U, 6U, 9U, 20U, 101U}) {
      int held = 0;
      double confidence = 0;
      for (int i = 0; i < all; ++i) {
        std::vector<double> values(count);
        std::ranges::generate(values, [&, draw = draw] { return draw(random); });
        const auto interval = median_interval(std::move(values), 0.95);
        confidence = interval->confidence;
        held += interval->low <= truth && truth <= interval->high ? 1 : 0;
      }
      EXPECT_NEAR(static_cast<double>(held) / all, confidence,
                  4 * std::sqrt(confidence * (1 - confidence) / all))
          << name << " " << count;
    }
}

/// The same of estimates at a size that was calibrated: a single size has no misfit.
TEST(OrderStatistics, estimates_hold_the_median_of_passes_as_often_as_they_say) {
  std::mt19937 random(2);
  const int all = test::cases(1000);
  for (const auto& [name, draw, truth] : distributions)
    for (const std::size_t passes : {3U, 6U, 9U}) {
      int held = 0;
      double confidence = 0;
      for (int i = 0; i < all; ++i) {
        Calibration calibration{.passes = passes};
        Cell& cell = cell_of(calibration, 1, 4, {.algorithm = "binomial"}, 1000);
        for (std::size_t pass = 0; pass < passes; ++pass)
          cell.times.emplace_back(draw(random));
        const auto estimates =
            Model(calibration).estimate({.nodes = 1, .processes_per_node = 4, .size_b = 1000});
        const auto& time = estimates.at(0).time;
        confidence = time.confidence;
        held += time.low->value() <= truth && truth <= time.high->value() ? 1 : 0;
      }
      EXPECT_NEAR(static_cast<double>(held) / all, confidence,
                  4 * std::sqrt(confidence * (1 - confidence) / all))
          << name << " " << passes;
    }
}

} // namespace
} // namespace hypermile::collective
