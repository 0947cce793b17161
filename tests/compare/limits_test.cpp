#include "compare/limits.hpp"

#include "compare/runs.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::compare {
namespace {

using test::compared;
using test::measured_run;

std::vector<compare::Run> runs_of(const std::vector<double>& times) {
  std::vector<compare::Run> runs;
  for (const double time : times)
    runs.push_back(measured_run(time, 10 * time));
  return runs;
}

bool is_kept(const Comparison& comparison, const Limits& limits) {
  return exceeded(comparison, limits).empty();
}

TEST(a_limit, of_one_run_each_is_that_of_the_difference) {
  const auto comparison = compared(runs_of({100}), runs_of({103}));
  EXPECT_FALSE(is_kept(comparison, {.max_slowdown = 0.02, .max_more_energy = {}}));
  EXPECT_TRUE(is_kept(comparison, {.max_slowdown = 0.04, .max_more_energy = {}}));
  EXPECT_FALSE(is_kept(comparison, {.max_slowdown = {}, .max_more_energy = 0.02}));
  EXPECT_TRUE(is_kept(comparison, {.max_slowdown = {}, .max_more_energy = 0.04}));
}

TEST(a_limit, of_several_runs_is_exceeded_only_where_all_of_the_interval_is_above_it) {
  std::mt19937_64 random(8);
  std::normal_distribution<double> noise(0, 1);
  int kept = 0;
  constexpr int comparisons = 300;
  for (int i = 0; i < comparisons; ++i) {
    std::vector<double> a;
    std::vector<double> b;
    for (int run = 0; run < 4; ++run) {
      a.push_back(100 + noise(random));
      b.push_back(104 + noise(random));
    }
    const auto comparison = compared(runs_of(a), runs_of(b));
    const auto& ratio = comparison.pairs[0].time.ratio;
    EXPECT_EQ(is_kept(comparison, {.max_slowdown = 0.03, .max_more_energy = {}}),
              ratio->low <= 1.03);
    EXPECT_EQ(is_kept(comparison, {.max_slowdown = 0.05, .max_more_energy = {}, .proven = true}),
              ratio->high <= 1.05);
    kept += ratio->low <= 1.03 ? 1 : 0;
  }
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, comparisons);
}

TEST(a_limit, that_one_run_keeps_is_not_proven) {
  const auto comparison = compared(runs_of({100}), runs_of({90}));
  const auto sentences =
      exceeded(comparison, {.max_slowdown = 0.02, .max_more_energy = {}, .proven = true});
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_EQ(sentences[0],
            "B took 10.0 % less time; these runs do not show that it keeps the limit of 2 %.");
}

TEST(a_limit, of_an_energy_that_is_not_known_is_an_error) {
  auto runs = runs_of({1});
  runs[0].energies.clear();
  const auto comparison = compared(runs, runs);
  EXPECT_THROW((void)exceeded(comparison, {.max_slowdown = {}, .max_more_energy = 0.1}), Error);
  EXPECT_TRUE(is_kept(comparison, {.max_slowdown = 0.1, .max_more_energy = {}}));
}

TEST(like_for_like, is_a_limit_of_its_own) {
  auto a = runs_of({1});
  auto b = runs_of({1});
  a[0].facts = {{"ranks", "4"}};
  b[0].facts = {{"ranks", "8"}};
  const auto comparison = compared(a, b);
  EXPECT_TRUE(is_kept(comparison, {.max_slowdown = 0, .max_more_energy = 0}));
  const auto sentences =
      exceeded(comparison, {.max_slowdown = {}, .max_more_energy = {}, .like_for_like = true});
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_EQ(sentences[0], "A and B are not like for like: they differ in ranks.");
  EXPECT_TRUE(
      is_kept(compared(a, a), {.max_slowdown = {}, .max_more_energy = {}, .like_for_like = true}));
}

} // namespace
} // namespace hypermile::compare
