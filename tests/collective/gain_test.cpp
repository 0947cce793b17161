#include "collective/gain.hpp"

#include "support/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

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

double probability(const Calibration& calibration, std::size_t size_b = 1000,
                   Aim::Least least = Aim::Least::time) {
  return probability_less_than_library(calibration, 1, 4, size_b, chain, least);
}

// By hand: the logarithms are ln 2 and 0, so that t is 1 with one degree of freedom, where
// Student's distribution is Cauchy's: a quarter lies beyond 1. With 0.1, 0.2 and 0.3 t is the root
// of 12, and (1 - sqrt(12 / 14)) / 2 lies beyond.
TEST(LessThanLibrary, is_what_the_t_distribution_says) {
  EXPECT_NEAR(probability(calibrated({2, 1}, {1, 1})), 0.75, 1e-12);
  const auto times = [](double a, double b, double c) {
    return std::vector{std::exp(a), std::exp(b), std::exp(c)};
  };
  EXPECT_NEAR(probability(calibrated(times(0.1, 0.2, 0.3), times(0, 0, 0))),
              (1 + std::sqrt(12.0 / 14)) / 2, 1e-12);
  EXPECT_NEAR(probability(calibrated(times(0, 0, 0), times(0.1, 0.2, 0.3))),
              (1 - std::sqrt(12.0 / 14)) / 2, 1e-12);
}

// 97.5 % of Student's distribution lie below: tables, with 3, 4, 5 and 8 degrees of freedom.
TEST(LessThanLibrary, agrees_with_tables_of_the_t_distribution) {
  for (const auto& [passes, t] :
       {std::pair{4, 3.18245}, {5, 2.77645}, {6, 2.57058}, {9, 2.30600}}) {
    // Half of the deviations are 1 and half are -1, but for one 0 where the number is odd.
    const int pairs = passes / 2;
    const double error = std::sqrt(2.0 * pairs / (passes - 1) / passes);
    std::vector<double> of_library;
    for (int i = 0; i < passes; ++i)
      of_library.push_back(
          std::exp(t * error + (i == 2 * pairs ? 0.0 : (i % 2 == 0 ? 1.0 : -1.0))));
    const std::vector<double> of_chain(of_library.size(), 1.0);
    EXPECT_NEAR(probability(calibrated(of_library, of_chain)), 0.975, 1e-5) << passes;
  }
}

TEST(LessThanLibrary, compares_energies_where_they_are_to_be_least) {
  const auto calibration = calibrated({3, 3.1, 2.9}, {2, 2, 2}, 50);
  EXPECT_GT(probability(calibration), 0.99);
  EXPECT_LT(probability(calibration, 1000, Aim::Least::energy), 0.01);
  EXPECT_EQ(probability(calibrated({3, 3.1}, {2, 2}), 1000, Aim::Least::energy), 0);
}

TEST(LessThanLibrary, holds_between_two_sizes_at_both_of_which_it_does) {
  auto calibration = calibrated({3, 3.1, 2.9}, {2, 2, 2});
  const auto at_2000 = [&](const std::string& name, const std::vector<double>& times_s) {
    auto& times = cell_of(calibration, 1, 4, {.algorithm = name}, 2000).times;
    times.clear();
    for (const double time_s : times_s)
      times.emplace_back(time_s);
  };
  at_2000("default", {3, 3.1, 2.9});
  at_2000("chain", {2, 2, 2});
  EXPECT_GT(probability(calibration, 1500), 0.99);
  at_2000("chain", {4, 4, 4});
  EXPECT_LT(probability(calibration, 1500), 0.01);
  EXPECT_GT(probability(calibration, 1000), 0.99);
  EXPECT_EQ(probability(calibration, 999), 0);
  EXPECT_EQ(probability(calibration, 2001), 0);
  EXPECT_EQ(probability_less_than_library(calibration, 1, 3, 1000, chain, Aim::Least::time), 0);
}

/// All of 15 are as good as the library: the best of them must not often be called better.
TEST(LessThanLibrary, is_seldom_wrong_although_the_best_of_many_was_picked) {
  const int all = test::cases(1500);
  std::mt19937 random(6);
  const auto noise = [&random](int kind) {
    if (kind == 0)
      return std::exp(std::normal_distribution<double>(0, 0.05)(random));
    if (kind == 1) // as interruptions make it
      return 1 + 0.05 * std::exponential_distribution<double>()(random);
    return std::exp(0.02 * std::cauchy_distribution<double>()(random));
  };
  for (const int kind : {0, 1, 2}) {
    int wrong = 0;
    for (int i = 0; i < all; ++i) {
      Calibration calibration;
      const auto total = [&](const Variant& variant) {
        Cell& cell = cell_of(calibration, 1, 4, variant, 1000);
        double sum = 0;
        for (int pass = 0; pass < 6; ++pass)
          cell.times.emplace_back(noise(kind));
        for (const Seconds time : cell.times)
          sum += std::log(time.value());
        return sum;
      };
      total({.algorithm = "default"});
      std::pair<double, Variant> best{1e300, {}};
      for (std::size_t segment = 1; segment <= 15; ++segment) {
        const Variant variant{.algorithm = "chain", .segment_b = segment};
        best = std::min(best, std::pair{total(variant), variant},
                        [](const auto& a, const auto& b) { return a.first < b.first; });
      }
      if (probability_less_than_library(calibration, 1, 4, 1000, best.second, Aim::Least::time) >=
          0.95)
        ++wrong;
    }
    EXPECT_LE(static_cast<double>(wrong) / all, 0.067 + 2.0 / all) << kind;
  }
}

} // namespace
} // namespace hypermile::collective
