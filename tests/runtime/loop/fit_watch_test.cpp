#include "runtime/loop/fit_watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace hypermile::runtime {
namespace {

/// Of an iteration of 1 s.
Computed computed(double share) { return {share, Seconds{share}}; }

std::vector<Computed> computed(const std::vector<double>& shares) {
  std::vector<Computed> all;
  for (const double share : shares)
    all.push_back(computed(share));
  return all;
}

/// Iterations of 1 s, one after the other.
struct FitRank {
  explicit FitRank(const std::vector<double>& shares, double scale = 1) {
    watch.begin(now, Seconds{1}, scale, computed(shares));
  }
  /// Returns after how many of these iterations it told; `most` if it did not.
  int run(int most, double share) {
    for (int i = 0; i < most; ++i)
      if (watch.add(now += Seconds{1}, computed(share)))
        return i + 1;
    return most;
  }
  Seconds now{100};
  FitWatch watch;
};

TEST(fit_watch, tells_at_the_second_iteration_of_a_rank_that_no_longer_has_most_to_do) {
  FitRank rank({0.9, 0.9});
  EXPECT_EQ(rank.run(50, 0.9), 50);
  EXPECT_EQ(rank.run(50, 0.4), 2);
  EXPECT_EQ(rank.run(50, 0.4), 50); // and not again
  FitRank more({0.4, 0.41, 0.42});
  EXPECT_EQ(more.run(50, 0.9), 2);
}

/// It computed nearly all the time, as its messages went out without waiting; then it has to wait
/// for the others, and gets ahead again. In all that time it computes the same.
TEST(fit_watch, does_not_mind_a_rank_that_gets_ahead_and_waits) {
  constexpr double scale = 1.6;
  FitRank rank({0.98, 0.98, 0.98, 0.98}, scale);
  const auto add = [&](double share, double computation) {
    return rank.watch.add(rank.now += Seconds{1}, {share, Seconds{computation}});
  };
  for (const double share : {0.62, 0.3, 0.62})
    for (int i = 0; i < 20; ++i)
      EXPECT_FALSE(add(share, 0.98));
  FitRank less = rank;
  EXPECT_FALSE(less.watch.add(less.now += Seconds{1}, {0.4, Seconds{0.6}}));
  EXPECT_TRUE(less.watch.add(less.now += Seconds{1}, {0.4, Seconds{0.6}}));
  // It does not wait, as before, but has more to do.
  EXPECT_FALSE(add(0.62, 1.5));
  EXPECT_TRUE(add(0.62, 1.5));
}

/// Its first iterations have nothing to compute: that tells nothing, and spoils nothing later.
TEST(fit_watch, watches_a_rank_that_computed_nothing_at_first) {
  FitRank rank({0, 0, 0, 0}, 1.6);
  EXPECT_EQ(rank.run(20, 0), 20);
  rank.watch.begin(rank.now, Seconds{1}, 1.6, std::vector(4, Computed{0.6, Seconds{1}}));
  EXPECT_FALSE(rank.watch.add(rank.now += Seconds{1}, {0.6, Seconds{1}}));
  EXPECT_FALSE(rank.watch.add(rank.now += Seconds{1}, {0.6, Seconds{2}}));
  EXPECT_TRUE(rank.watch.add(rank.now += Seconds{1}, {0.6, Seconds{2}}));
}

TEST(fit_watch, takes_one_odd_iteration_for_what_it_is) {
  FitRank rank({0.8, 0.8, 0.8, 0.8});
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(rank.run(1, 0.2), 1);
    EXPECT_EQ(rank.run(3, 0.8), 3);
  }
}

TEST(fit_watch, is_hardly_ever_disturbed_by_noise) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  int alarms = 0;
  for (int run = 0; run < 1000; ++run) {
    const auto share = [&] { return std::clamp(0.6 + 0.1 * normal(engine), 0.0, 1.0); };
    std::vector<double> known(4 + static_cast<std::size_t>(run) % 13);
    std::ranges::generate(known, share);
    FitRank rank(known);
    for (int i = 0; i < 20; ++i)
      alarms += rank.watch.add(rank.now += Seconds{1}, computed(share())) ? 1 : 0;
  }
  EXPECT_LE(alarms, 20); // of 20,000 iterations
}

/// Gears may be chosen from two iterations that happen to be alike.
TEST(fit_watch, learns_how_much_iterations_vary) {
  std::mt19937 engine(2);
  std::normal_distribution<double> normal;
  int alarms = 0;
  FitRank rank({0.6, 0.6});
  for (int run = 0; run < 500; ++run) {
    rank.watch.begin(rank.now, Seconds{1}, 1, computed({0.6, 0.6}));
    for (int i = 0; i < 20; ++i)
      alarms +=
          rank.watch.add(rank.now += Seconds{1}, computed(0.6 + 0.15 * normal(engine))) ? 1 : 0;
  }
  EXPECT_LE(alarms, 10); // of 10,000 iterations
  rank.watch.begin(rank.now, Seconds{1}, 1, computed({0.6, 0.6}));
  EXPECT_LE(rank.run(50, 0.05), 4); // and still sees what is no chance
}

/// A rank that has got ahead stays there for some iterations.
TEST(fit_watch, is_hardly_ever_disturbed_by_noise_that_lasts) {
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  int alarms = 0;
  FitRank rank({0.6, 0.6});
  double share = 0.6;
  for (int run = 0; run < 500; ++run) {
    rank.watch.begin(rank.now, Seconds{1}, 1, computed({0.6, 0.6, 0.6, 0.6, 0.6, 0.6}));
    for (int i = 0; i < 20; ++i) {
      share += 0.4 * (0.6 - share) + 0.12 * normal(engine);
      alarms += rank.watch.add(rank.now += Seconds{1}, computed(share)) ? 1 : 0;
    }
  }
  EXPECT_LE(alarms, 20); // of 10,000 iterations
}

/// Inner loops with varying trip counts.
TEST(fit_watch, does_not_call_iterations_late_that_vary_in_length) {
  std::mt19937 engine(4);
  FitWatch watch;
  Seconds now{1};
  watch.begin(now, Seconds{2}, 1, computed({0.5, 0.5, 0.5, 0.5}));
  int away = 0;
  for (int i = 0; i < 300; ++i) {
    const Seconds end = now + Seconds{1.0 + static_cast<double>(engine() % 3)};
    away += i >= 20 && watch.is_away(end) ? 1 : 0;
    now = end;
    (void)watch.add(now, computed(0.5));
  }
  EXPECT_LE(away, 3);
  EXPECT_TRUE(watch.is_away(now + Seconds{8.1})); // but notices that the loop is over
}

TEST(fit_watch, knows_when_the_loop_does_not_go_on) {
  FitWatch watch;
  EXPECT_FALSE(watch.is_away(Seconds{1e9}));
  watch.begin(Seconds{10}, Seconds{2}, 1, {computed(0.5)});
  EXPECT_FALSE(watch.is_away(Seconds{12.9}));
  EXPECT_TRUE(watch.is_away(Seconds{13.1}));
  EXPECT_FALSE(watch.is_late_again(Seconds{20}));
  EXPECT_FALSE(watch.is_away(Seconds{22.9}));
  EXPECT_FALSE(watch.add(Seconds{22}, computed(0.5)));
  EXPECT_FALSE(watch.is_late_again(Seconds{30}));
  EXPECT_TRUE(watch.is_late_again(Seconds{40})); // twice in a row
  watch.end();
  EXPECT_FALSE(watch.is_away(Seconds{1e9}));
}

} // namespace
} // namespace hypermile::runtime
