// How much computation reacts to gears: told from what iterations took in gears that were visited.

#include "model/call_sensitivities.hpp"
#include "model/sensitivity.hpp"
#include "model/sensitivity_estimate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace hypermile::model;

namespace {

/// A program that is known: what its iterations take in gears.
struct Truth {
  std::vector<double> sensitivity; ///< by rank
  std::vector<double> scales;      ///< S, by period
  std::size_t iterations = 10;     ///< in each
  double noise = 0.05;             ///< of one iteration
};

std::vector<std::vector<GearVisit>> visits_of(const Truth& truth, std::mt19937& engine) {
  const LevelNoise level;
  std::normal_distribution<double> normal;
  std::vector<double> common;
  for (std::size_t p = 0; p < truth.scales.size(); ++p)
    common.push_back(level.common * normal(engine));
  std::vector<std::vector<GearVisit>> visits;
  for (const double b : truth.sensitivity) {
    auto& of_rank = visits.emplace_back();
    const double seconds = std::exp(normal(engine));
    for (std::size_t p = 0; p < truth.scales.size(); ++p) {
      const double own = common[p] + level.own * normal(engine);
      GearVisit visit{.scale = truth.scales[p], .period = p};
      for (std::size_t i = 0; i < truth.iterations; ++i)
        visit.add(std::log(seconds * (b * truth.scales[p] + 1 - b)) + own +
                      truth.noise * normal(engine),
                  static_cast<double>(p));
      of_rank.push_back(visit);
    }
  }
  return visits;
}

Truth random_truth(std::mt19937& engine) {
  std::uniform_real_distribution<double> any(0, 1);
  Truth truth;
  truth.sensitivity.assign(1 + engine() % 12, any(engine));
  truth.scales = {1, 1.15 + any(engine)};
  for (std::size_t more = engine() % 4; more > 0; --more)
    truth.scales.push_back(1 + 1.2 * any(engine));
  truth.iterations = 2 + engine() % 20;
  truth.noise = 0.005 + 0.06 * any(engine);
  return truth;
}

} // namespace

TEST(stretch, is_the_scale_to_the_last_digit_where_computation_reacts_in_full) {
  for (const double scale : {1.0, 1.1, 2.5 / 1.2, 3.0 / 0.7})
    EXPECT_EQ(stretch(scale, 1), scale);
  EXPECT_EQ(stretch(2, 0), 1);
  EXPECT_EQ(stretch(2, 0.5), 1.5);
}

TEST(gear_visit, adds_up_as_all_at_once) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal(-3, 0.2);
  GearVisit visit;
  std::vector<double> all;
  for (int i = 0; i < 50; ++i) {
    all.push_back(normal(engine));
    visit.add(all.back(), i);
  }
  double mean = 0;
  for (const double each : all)
    mean += each / 50;
  double squares = 0;
  for (const double each : all)
    squares += (each - mean) * (each - mean);
  EXPECT_EQ(visit.iterations, 50u);
  EXPECT_NEAR(visit.log_mean, mean, 1e-12);
  EXPECT_NEAR(visit.squares, squares, 1e-12);
  EXPECT_NEAR(visit.moment, 24.5, 1e-12);
}

TEST(sensitivity, intervals_cover_the_truth_in_90_to_98_percent_of_random_cases) {
  std::mt19937 engine(2);
  constexpr int cases = 1000;
  int covered = 0;
  for (int i = 0; i < cases; ++i) {
    const Truth truth = random_truth(engine);
    const auto estimates = estimate_sensitivity(visits_of(truth, engine));
    const auto& any = estimates[engine() % estimates.size()];
    const double b = truth.sensitivity.front();
    covered += any.low <= b && b <= any.high ? 1 : 0;
  }
  EXPECT_GE(covered, 0.90 * cases);
  EXPECT_LE(covered, 0.98 * cases);
  RecordProperty("covered", covered);
}

/// Ten iterations in each of two gears; in the slower one computation takes up to 1.7 times as
/// long.
TEST(sensitivity, is_known_to_5_percent_after_20_iterations_with_5_percent_noise) {
  std::mt19937 engine(3);
  constexpr int cases = 300;
  int near = 0;
  for (int i = 0; i < cases; ++i) {
    const double b = static_cast<double>(i) / cases;
    const auto visits =
        visits_of({.sensitivity = std::vector<double>(8, b), .scales = {1, 1.7}}, engine);
    near += std::abs(estimate_sensitivity(visits).front().mean - b) <= 0.05 ? 1 : 0;
  }
  EXPECT_GE(near, 0.95 * cases);
}

TEST(sensitivity, is_one_where_only_one_gear_was_visited) {
  std::mt19937 engine(4);
  const auto visits = visits_of({.sensitivity = {0.2, 0.3}, .scales = {1.4, 1.4}}, engine);
  for (const auto& estimate : estimate_sensitivity(visits)) {
    EXPECT_EQ(estimate.mean, 1);
    EXPECT_FALSE(estimate.known);
  }
  EXPECT_TRUE(estimate_sensitivity({}).empty());
}

TEST(sensitivity, is_rarely_taken_for_less_where_it_is_one) {
  std::mt19937 engine(5);
  constexpr int cases = 400;
  int wrong = 0;
  for (int i = 0; i < cases; ++i) {
    Truth truth = random_truth(engine);
    truth.sensitivity.assign(truth.sensitivity.size(), 1);
    wrong += estimate_sensitivity(visits_of(truth, engine)).front().known ? 1 : 0;
  }
  EXPECT_LE(wrong, 0.02 * cases);
}

/// Single iterations in a gear say nothing of how much iterations vary, but gears that were visited
/// again do.
TEST(sensitivity, is_rarely_taken_for_less_after_single_iterations_that_vary_much) {
  std::mt19937 engine(8);
  constexpr int cases = 400;
  int wrong = 0;
  for (int i = 0; i < cases; ++i) {
    const auto visits = visits_of({.sensitivity = std::vector<double>(12, 1),
                                   .scales = {1, 1.2, 1.1, 1.2, 1.1, 1, 1.2},
                                   .iterations = 1,
                                   .noise = 0.12},
                                  engine);
    wrong += estimate_sensitivity(visits).front().known ? 1 : 0;
  }
  EXPECT_LE(wrong, 0.02 * cases);
}

TEST(sensitivity, of_a_rank_that_is_like_no_other_is_its_own) {
  std::mt19937 engine(6);
  Truth truth{.sensitivity = std::vector<double>(9, 0.9), .scales = {1, 1.5, 2}, .noise = 0.02};
  truth.sensitivity[4] = 0.2;
  const auto estimates = estimate_sensitivity(visits_of(truth, engine));
  for (std::size_t r = 0; r < estimates.size(); ++r)
    EXPECT_NEAR(estimates[r].mean, truth.sensitivity[r], 0.05) << r;
}

/// Whose work changes between visits, in the same way on all ranks, as far as ranks that stayed in
/// their gear show it.
TEST(sensitivity, is_not_confused_by_work_that_changes_where_some_ranks_stay_in_a_gear) {
  std::mt19937 engine(7);
  constexpr double more = 0.02; // three standard deviations of what levels are taken to do
  auto visits = visits_of(
      {.sensitivity = std::vector<double>(8, 0.5), .scales = {1, 1.4}, .noise = 0.01}, engine);
  const auto still = visits_of(
      {.sensitivity = std::vector<double>(8, 0.5), .scales = {1, 1}, .noise = 0.01}, engine);
  visits.insert(visits.end(), still.begin(), still.end());
  for (auto& of_rank : visits)
    of_rank[1].log_mean += more;
  EXPECT_NEAR(estimate_sensitivity(visits).front().mean, 0.5, 0.04);
}

/// The first iteration on each rank may have something to prepare, or be a part of one only. Ranks
/// visit gears one after the other that differ from rank to rank.
TEST(sensitivity, does_not_come_of_first_iterations_that_are_unlike_all_others) {
  std::mt19937 engine(9);
  constexpr int cases = 200;
  int wrong = 0;
  int far = 0;
  for (int i = 0; i < cases; ++i) {
    const double b = i % 2 == 0 ? 1 : 0.4;
    std::vector<std::vector<GearVisit>> visits;
    for (std::size_t r = 0; r < 8; ++r) {
      const double slow = 1.3 + 0.1 * static_cast<double>(engine() % 8);
      visits.push_back(visits_of({.sensitivity = {b}, .scales = {1, slow, 1.1, 1.5}}, engine)[0]);
      visits.back()[0].log_mean += std::log(engine() % 3 == 0 ? 0.3 : 4.0);
      visits.back()[0].iterations = 1;
      visits.back()[0].squares = 0;
    }
    const auto estimate = estimate_sensitivity(visits).front();
    wrong += b == 1 && estimate.known ? 1 : 0;
    far += b < 1 && std::abs(estimate.mean - b) > 0.15 ? 1 : 0;
  }
  EXPECT_LE(wrong, 0.02 * cases);
  EXPECT_LE(far, 0.1 * cases);
}

/// Iterations of a visit are alike, but not those of another one: noise within visits tells nothing
/// of that.
TEST(sensitivity, is_seldom_taken_for_less_where_visits_vary_more_than_their_iterations) {
  std::mt19937 engine(11);
  std::normal_distribution<double> normal(0, 0.15);
  constexpr int cases = 400;
  int wrong = 0;
  for (int i = 0; i < cases; ++i) {
    Truth truth = random_truth(engine);
    truth.sensitivity.assign(truth.sensitivity.size(), 1);
    auto visits = visits_of(truth, engine);
    for (auto& of_rank : visits)
      for (GearVisit& visit : of_rank)
        visit.log_mean += normal(engine);
    wrong += estimate_sensitivity(visits).front().known ? 1 : 0;
  }
  EXPECT_LE(wrong, 0.15 * cases); // 46 % by a normal distribution
}

/// Work that becomes less and less on all ranks, while they are set to slower gears, one after the
/// other. From one visit to the next it has become much less.
TEST(sensitivity, does_not_come_of_work_that_changes_all_the_time) {
  for (const double b : {1.0, 0.5}) {
    std::mt19937 engine(10);
    std::vector<std::vector<GearVisit>> visits;
    for (std::size_t r = 0; r < 16; ++r) {
      auto& of_rank = visits.emplace_back();
      const double first = 1 + 0.05 * static_cast<double>(r);
      for (std::size_t p = 0; p < 6; ++p) {
        const double scale = first + 0.02 * static_cast<double>(p);
        of_rank.push_back(
            visits_of({.sensitivity = {b}, .scales = {scale}, .noise = 0.005}, engine)[0][0]);
        of_rank.back().period = p;
        of_rank.back().moment = 10 * static_cast<double>(p);
        of_rank.back().log_mean = std::log(stretch(scale, b)) - 0.05 * static_cast<double>(p);
      }
    }
    const auto estimate = estimate_sensitivity(visits, {.drift = 0.005}).front();
    EXPECT_EQ(estimate.known, b < 1);
    EXPECT_NEAR(estimate.mean, b, 0.1);
    if (b == 1) { // the estimate would be wrong otherwise
      EXPECT_TRUE(estimate_sensitivity(visits).front().known);
    }
  }
}

TEST(sensitivity, does_not_depend_on_the_order_of_ranks_and_periods) {
  std::mt19937 engine(8);
  const Truth truth{.sensitivity = {0.4, 0.4, 0.7}, .scales = {1, 1.3, 1.7}};
  auto visits = visits_of(truth, engine);
  const auto estimates = estimate_sensitivity(visits);
  std::ranges::reverse(visits);
  for (auto& of_rank : visits)
    std::ranges::reverse(of_rank);
  const auto reversed = estimate_sensitivity(visits);
  for (std::size_t r = 0; r < estimates.size(); ++r)
    EXPECT_NEAR(estimates[r].mean, reversed[estimates.size() - 1 - r].mean, 1e-9);
}

TEST(call_sensitivities, prefer_the_place_to_the_function_and_that_to_everything_else) {
  const CallSensitivities all{.calls = {{"Allreduce", 0, 0.4}, {"Allreduce", 2, 0.2}},
                              .otherwise = 0.8};
  EXPECT_EQ(all.before("Allreduce", 2, 1), 0.2);
  EXPECT_EQ(all.before("Allreduce", 1, 1), 0.4);
  EXPECT_EQ(all.before("Send", 1, 1), 0.8);
  EXPECT_EQ(CallSensitivities{}.before("Send", 1, 0.5), 0.5);
}
