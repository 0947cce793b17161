#include "collective/choice.hpp"

#include "collective/order_statistics.hpp"

#include "support/cases.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace hypermile::collective {
namespace {

/// By pass; the value is that of the first.
Estimate made(const std::string& name, const std::vector<double>& times_s, double power_w = 0) {
  Estimate estimate{.variant = {.algorithm = name}};
  estimate.times_s = times_s;
  estimate.time.value = Seconds{times_s.front()};
  if (power_w > 0) {
    for (const double time_s : times_s)
      estimate.energies_j.push_back(time_s * power_w);
    estimate.energy = Within<Joules>{.value = Joules{estimate.energies_j.front()}};
  }
  return estimate;
}

TEST(Choice, takes_the_least_time_or_the_least_energy) {
  const std::vector<Estimate> estimates{made("binomial", {1, 1.01, 0.99, 1, 1.01, 0.98}, 100),
                                        made("chain", {1.3, 1.31, 1.29, 1.3, 1.3, 1.32}, 50),
                                        made("pipeline", {2, 2.01, 1.99, 2, 2, 2.02}, 20)};
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::time}).index, 0U);
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::energy}).index, 2U);
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::energy, .slowdown = 0.4}).index, 1U);
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::energy, .slowdown = 0}).index, 0U);
  for (const auto& aim : {Aim{.least = Aim::Least::time}, Aim{.slowdown = 0.4}})
    EXPECT_EQ(choose(estimates, aim).undecided, "");
}

TEST(Choice, is_undecided_where_passes_disagree_and_names_the_rival) {
  const std::vector<Estimate> estimates{made("binomial", {1, 1.2, 0.9, 1.1, 1, 1}),
                                        made("chain", {1.02, 1, 1.1, 1, 1.1, 1.1}),
                                        made("pipeline", {9, 9.1, 9, 9.2, 9, 9})};
  const Choice choice = choose(estimates, {.least = Aim::Least::time});
  EXPECT_LT(choice.probability, 0.95);
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::time, .confidence = 0}).undecided, "");
  EXPECT_EQ(choice.undecided, "chain is less in 2 of 6 passes");
}

/// A busy machine slows all algorithms of a pass: that does not hide which is better.
TEST(Choice, what_passes_have_in_common_does_not_count) {
  const std::vector<Estimate> estimates{made("binomial", {1, 3, 0.5, 2, 1, 7}),
                                        made("chain", {1.05, 3.16, 0.524, 2.1, 1.04, 7.3})};
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::time}).undecided, "");
}

/// One of 9 passes may be disturbed, however badly: 2 (1 + 9) / 2^9 is 3.9 %.
TEST(Choice, a_disturbed_pass_is_outweighed_by_the_others) {
  const std::vector<Estimate> estimates{made("binomial", {1, 1, 1, 1, 50, 1, 1, 1, 1}),
                                        made("chain", {2, 2, 2, 2, 2, 2, 2, 2, 2})};
  const Choice choice = choose(estimates, {.least = Aim::Least::time});
  EXPECT_EQ(choice.undecided, "");
  EXPECT_NEAR(choice.probability, 1 - 20.0 / 512, 1e-12);
}

TEST(Choice, too_few_passes_decide_nothing_and_it_says_how_many_would) {
  for (std::size_t passes = 1; passes < 8; ++passes) {
    const std::vector<Estimate> estimates{made("binomial", std::vector<double>(passes, 1)),
                                          made("chain", std::vector<double>(passes, 2))};
    const Choice choice = choose(estimates, {.least = Aim::Least::time});
    EXPECT_NEAR(choice.probability, 1 - std::exp2(1 - static_cast<double>(passes)), 1e-12);
    EXPECT_EQ(choice.undecided.empty(), passes >= 6) << passes;
    EXPECT_EQ(choice.undecided.find("one pass") != std::string::npos, passes == 1);
    EXPECT_EQ(choice.undecided.find("--passes 6") != std::string::npos, passes > 1 && passes < 6);
  }
}

/// By hand: 1.5 of 1.4 allowed in 2 of 6 passes, and the other is too slow in all of them.
TEST(Choice, is_undecided_where_the_bound_on_time_is_missed_in_some_passes) {
  const std::vector<Estimate> estimates{made("binomial", {1, 1, 1, 1, 1, 1}, 100),
                                        made("chain", {1.3, 1.3, 1.5, 1.5, 1.3, 1.3}, 50),
                                        made("pipeline", {2, 2, 2, 2, 2, 2}, 20)};
  const Choice choice = choose(estimates, {.slowdown = 0.4});
  EXPECT_EQ(choice.index, 1U);
  EXPECT_EQ(choice.undecided, "it is too slow in 2 of 6 passes");
  EXPECT_EQ(choose(estimates, {.slowdown = 0.6}).undecided, "");
}

TEST(Choice, needs_power_for_energy) {
  const std::vector<Estimate> estimates{made("binomial", {1, 1})};
  EXPECT_THROW((void)choose(estimates, {.least = Aim::Least::energy}), Error);
}

TEST(Choice, a_single_algorithm_is_the_best) {
  const std::vector<Estimate> estimates{made("binomial", {1, 1.1})};
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::time}).probability, 1);
}

/// Noise of a time, with the median 1.
using Noise = double (*)(std::mt19937&);

double even(std::mt19937& random) {
  return std::exp(std::normal_distribution<double>(0, 0.05)(random));
}
/// As interruptions make it: seldom, and then long.
double skewed(std::mt19937& random) {
  return 1 + 0.05 * (std::exponential_distribution<double>()(random) - std::log(2.0));
}
double without_a_mean(std::mt19937& random) {
  return std::exp(0.02 * std::cauchy_distribution<double>()(random));
}

/// Times of passes in which all variants share a disturbance, and each has one of its own.
std::vector<Estimate> measured(const std::vector<double>& truth, Noise noise, std::mt19937& random,
                               int passes) {
  std::vector<std::vector<double>> times_s(truth.size());
  for (int pass = 0; pass < passes; ++pass) {
    const double shared = noise(random);
    for (std::size_t i = 0; i < truth.size(); ++i)
      times_s[i].push_back(truth[i] * shared * noise(random));
  }
  std::vector<Estimate> estimates;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    estimates.push_back(made("algorithm", times_s[i]));
    estimates.back().time.value = Seconds{median(times_s[i])};
  }
  return estimates;
}

/// How often choices are wrong that are called sure, of all draws. At most 5 % of them are to be.
double share_wrong(Noise noise, std::size_t variants, double spread, std::mt19937& random) {
  const int all = test::cases(1500);
  std::uniform_real_distribution<double> any(1, 1 + spread);
  int wrong = 0;
  for (int i = 0; i < all; ++i) {
    std::vector<double> truth(variants);
    std::ranges::generate(truth, [&] { return any(random); });
    const auto choice =
        choose(measured(truth, noise, random, 6 + i % 4), {.least = Aim::Least::time});
    if (choice.undecided.empty() && truth[choice.index] > std::ranges::min(truth))
      ++wrong;
  }
  return static_cast<double>(wrong) / all;
}

/// 6.7 % of 1500 would be three standard deviations too many.
TEST(Choice, is_seldom_wrong_where_it_is_sure_whatever_the_noise) {
  std::mt19937 random(4);
  for (const Noise noise : {even, skewed, without_a_mean})
    for (const std::size_t variants : {2U, 3U, 15U})
      for (const double spread : {1e-6, 0.02, 0.3})
        EXPECT_LE(share_wrong(noise, variants, spread, random), 0.067 + 2.0 / test::cases(1500))
            << variants << " " << spread;
}

/// Not by never being sure: 30 % are between two that differ by much more than the noise.
TEST(Choice, is_sure_where_differences_are_clear) {
  std::mt19937 random(5);
  for (const Noise noise : {even, skewed})
    for (int i = 0; i < test::cases(50); ++i)
      EXPECT_EQ(
          choose(measured({1, 2, 3}, noise, random, 6), {.least = Aim::Least::time}).undecided, "");
}

Estimate simulated(const std::string& name, double time_s, double misfit) {
  Estimate estimate = made(name, {time_s});
  estimate.exact = true;
  estimate.misfit = misfit;
  return estimate;
}

// By hand: ln 1.05 is 0.049, and the two misfits together are 0.028, so that the difference is 1.73
// of them: less than 4.2 % of a normal distribution lie beyond.
TEST(Choice, in_simulation_only_the_model_can_err) {
  const Aim aim{.least = Aim::Least::time};
  const Choice sure = choose(std::vector{simulated("a", 1, 0), simulated("b", 1.001, 0)}, aim);
  EXPECT_EQ(sure.probability, 1);
  EXPECT_EQ(sure.undecided, "");
  const Choice likely =
      choose(std::vector{simulated("a", 1, 0.02), simulated("b", 1.05, 0.02)}, aim);
  EXPECT_NEAR(likely.probability, 0.9577, 0.001);
  const Choice unsure =
      choose(std::vector{simulated("a", 1, 0.02), simulated("b", 1.01, 0.02)}, aim);
  EXPECT_NE(unsure.undecided.find("b may be less"), std::string::npos);
}

} // namespace
} // namespace hypermile::collective
