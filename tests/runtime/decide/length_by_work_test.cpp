#include "runtime/decide/length_by_work.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace hypermile::runtime {
namespace {

/// Iterations of varying work: `waits` s of something else, and the work in a gear that takes
/// `scale` times as long.
std::vector<RecordedIteration> varying_iterations(std::size_t count, double waits, double scale,
                                                  double noise, std::mt19937& dice) {
  std::uniform_real_distribution<double> work(1, 2);
  std::normal_distribution<double> other;
  std::vector<RecordedIteration> result;
  for (std::size_t i = 0; i < count; ++i) {
    const double w = work(dice);
    result.push_back(
        {.first_event = i, .length = waits + scale * w + noise * other(dice), .work = w});
  }
  return result;
}

TEST(length_by_work, compares_iterations_of_varying_work_to_the_digit_where_nothing_else_varies) {
  std::mt19937 dice(1);
  for (int i = 0; i < 1000; ++i) {
    const auto then = *length_by_work(varying_iterations(6, 0, 1, 0, dice));
    const auto now = *length_by_work(varying_iterations(8, 0, 1.3, 0, dice));
    if (const auto ratio = at_same_work(now, then)) {
      EXPECT_NEAR(ratio->value, 1.3, 1e-9);
      EXPECT_NEAR(ratio->error, 0, 1e-9);
    }
  }
}

TEST(length_by_work, is_off_by_more_than_three_of_its_errors_in_few_cases) {
  std::mt19937 dice(2);
  int judged = 0;
  int off = 0;
  for (int i = 0; i < 2000; ++i) {
    const double waits = 0.2 * (i % 6);
    const auto then = varying_iterations(12, waits, 1, 0.1, dice);
    const auto now = varying_iterations(15, waits, 1.2, 0.1, dice);
    const auto ratio = at_same_work(*length_by_work(now), *length_by_work(then));
    if (!ratio)
      continue;
    ++judged;
    double work = 0;
    for (const RecordedIteration& iteration : now)
      work += iteration.work / 15;
    const double truth = (waits + 1.2 * work) / (waits + work);
    off += std::abs(ratio->value - truth) > 3 * ratio->error ? 1 : 0;
  }
  EXPECT_GT(judged, 1900);
  EXPECT_LT(off, judged / 25);
}

TEST(length_by_work, compares_nothing_once_the_work_has_changed) {
  std::mt19937 dice(3);
  const auto then = *length_by_work(varying_iterations(20, 1, 1, 0.1, dice));
  auto grown = varying_iterations(20, 1, 1, 0.1, dice);
  for (RecordedIteration& iteration : grown)
    iteration.work *= 2;
  EXPECT_FALSE(at_same_work(*length_by_work(grown), then));
}

TEST(length_by_work, needs_five_iterations_whose_work_differs) {
  std::mt19937 dice(4);
  EXPECT_FALSE(length_by_work(varying_iterations(4, 1, 1, 0.1, dice)));
  EXPECT_TRUE(length_by_work(varying_iterations(5, 1, 1, 0.1, dice)));
  EXPECT_FALSE(length_by_work(std::vector<RecordedIteration>(9, {.length = 1, .work = 1})));
}

} // namespace
} // namespace hypermile::runtime
