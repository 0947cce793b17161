#include "collective/choice.hpp"

#include "collective/synthetic.hpp"

#include "support/cases.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
  const std::vector<Estimate> estimates{made("binomial", {1, 1.01, 0.99}, 100),
                                        made("chain", {1.3, 1.31, 1.29}, 50),
                                        made("pipeline", {2, 2.01, 1.99}, 20)};
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::time}).index, 0U);
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::energy}).index, 2U);
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::energy, .slowdown = 0.4}).index, 1U);
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::energy, .slowdown = 0}).index, 0U);
  for (const auto& aim : {Aim{.least = Aim::Least::time}, Aim{.slowdown = 0.4}})
    EXPECT_EQ(choose(estimates, aim).undecided, "");
}

TEST(Choice, is_undecided_where_passes_disagree_and_names_the_rival) {
  const std::vector<Estimate> estimates{made("binomial", {1, 1.2, 0.9, 1.1}),
                                        made("chain", {1.02, 1, 1.1, 1}),
                                        made("pipeline", {9, 9.1, 9, 9.2})};
  const Choice choice = choose(estimates, {.least = Aim::Least::time});
  EXPECT_LT(choice.probability, 0.95);
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::time, .confidence = 0}).undecided, "");
  EXPECT_NE(choice.undecided.find("chain"), std::string::npos);
}

/// A busy machine slows all algorithms of a pass: that does not hide which is better.
TEST(Choice, what_passes_have_in_common_does_not_count) {
  const std::vector<Estimate> estimates{made("binomial", {1, 3, 0.5, 2}),
                                        made("chain", {1.05, 3.16, 0.524, 2.1})};
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::time}).undecided, "");
}

TEST(Choice, one_pass_decides_nothing) {
  const std::vector<Estimate> estimates{made("binomial", {1}), made("chain", {2})};
  EXPECT_NE(choose(estimates, {.least = Aim::Least::time}).undecided.find("one pass"),
            std::string::npos);
}

TEST(Choice, needs_power_for_energy) {
  const std::vector<Estimate> estimates{made("binomial", {1, 1})};
  EXPECT_THROW((void)choose(estimates, {.least = Aim::Least::energy}), Error);
}

TEST(Choice, a_single_algorithm_is_the_best) {
  const std::vector<Estimate> estimates{made("binomial", {1, 1.1})};
  EXPECT_EQ(choose(estimates, {.least = Aim::Least::time}).probability, 1);
}

/// Of the choices that are called sure, at most 5 % are wrong: true times are drawn, then passes.
/// With 1000 draws, 7.5 % would be more than three standard deviations too many.
TEST(Choice, is_as_often_right_as_it_says) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(1, 1.3);
  std::normal_distribution<double> noise(0, 0.05);
  int sure = 0;
  int wrong = 0;
  for (int i = 0; i < test::cases(2000); ++i) {
    std::vector<double> truth;
    std::vector<Estimate> estimates;
    for (const char* const name : {"binomial", "chain", "pipeline", "knomial"}) {
      truth.push_back(any(random));
      std::vector<double> passes;
      double mean = 0;
      for (int pass = 0; pass < 5; ++pass) {
        passes.push_back(truth.back() * std::exp(noise(random)));
        mean += passes.back() / 5;
      }
      estimates.push_back(made(name, passes));
      estimates.back().time.value = Seconds{mean};
    }
    const Choice choice = choose(estimates, {.least = Aim::Least::time});
    if (!choice.undecided.empty())
      continue;
    ++sure;
    if (std::ranges::min_element(truth) - truth.begin() !=
        static_cast<std::ptrdiff_t>(choice.index))
      ++wrong;
  }
  EXPECT_GT(sure, test::cases(2000) / 10);
  EXPECT_LE(wrong, sure * 75 / 1000 + 3);
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
  EXPECT_NE(unsure.undecided.find("b is as good"), std::string::npos);
}

} // namespace
} // namespace hypermile::collective
