#include "runtime/loop/drift_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace hypermile::runtime {
namespace {

/// Iterations of a rank that is asked, as soon as it has told of a drift, to begin again.
struct DriftRank {
  /// Returns after how many of these iterations it told; `most` if it did not.
  int run(int most, double computation, double length) {
    for (int i = 0; i < most; ++i)
      if (watch.add(Seconds{computation}, Seconds{length}))
        return i;
    return most;
  }
  DriftWatch watch;
};

TEST(drift_watch, tells_once_of_a_rank_that_has_more_to_compute) {
  DriftRank rank;
  EXPECT_EQ(rank.run(500, 1, 2), 500);
  EXPECT_LE(rank.run(100, 2, 2), 48);
  EXPECT_EQ(rank.run(1000, 2, 2), 1000); // and not again
  rank.watch.begin();
  EXPECT_EQ(rank.run(500, 2, 2), 500);
  EXPECT_LE(rank.run(100, 1, 2), 48); // less is a change, too
}

TEST(drift_watch, tells_of_iterations_that_take_longer) {
  DriftRank rank;
  rank.run(500, 1, 2);
  EXPECT_LE(rank.run(100, 1, 2.5), 48);
}

TEST(drift_watch, sees_a_slow_change_when_it_has_become_large) {
  DriftRank rank;
  int told = 0;
  for (int i = 0; i < 2000 && told == 0; ++i)
    told = rank.run(1, 1 + i * 0.0005, 3) == 0 ? i : 0;
  EXPECT_GT(told, 200); // 10 %
  EXPECT_LT(told, 280);
}

TEST(drift_watch, is_not_disturbed_by_noise_or_small_changes) {
  std::mt19937 engine(1);
  for (const double deviation : {0.0, 0.05, 0.3}) {
    std::normal_distribution<double> noise;
    DriftWatch watch;
    for (int i = 0; i < 100'000; ++i) {
      const double computation = 1 + deviation * noise(engine);
      ASSERT_FALSE(watch.add(Seconds{computation}, Seconds{computation + 0.5})) << i;
    }
  }
  DriftRank rank;
  rank.run(100, 1, 2);
  EXPECT_EQ(rank.run(1000, 1.08, 2.1), 1000);
}

TEST(drift_watch, is_not_disturbed_by_a_longer_iteration_now_and_then) {
  DriftWatch watch;
  for (int i = 0; i < 10'000; ++i)
    ASSERT_FALSE(watch.add(Seconds{i % 10 == 9 ? 3.0 : 1.0}, Seconds{4})) << i;
  DriftWatch other;
  for (int i = 0; i < 10'000; ++i) // a pause of the whole machine
    ASSERT_FALSE(other.add(Seconds{1}, Seconds{i == 700 ? 50.0 : 2.0})) << i;
}

/// How often it tells in so many iterations, if it is heard every time.
int told_in(int iterations, const std::function<double(int)>& computation) {
  DriftWatch watch;
  int told = 0;
  for (int i = 0; i < iterations; ++i)
    if (watch.add(Seconds{computation(i)}, Seconds{4})) {
      ++told;
      watch.begin(); // measured afresh
      watch.begin(); // and an order
    }
  return told;
}

TEST(drift_watch, is_heard_less_and_less_of_a_rank_that_goes_back_and_forth) {
  const int told = told_in(100'000, [](int i) { return i / 100 % 2 == 0 ? 1.0 : 2.0; });
  EXPECT_GE(told, 2);
  EXPECT_LE(told, 14);
}

TEST(drift_watch, is_heard_of_every_level_that_is_new) {
  const int told = told_in(40 * 1000, [](int i) { return std::pow(1.3, i / 1000); });
  EXPECT_EQ(told, 39);
}

} // namespace
} // namespace hypermile::runtime
