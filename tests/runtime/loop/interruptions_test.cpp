// The loop finder on a machine where other programs take the cores now and then.

#include "runtime/loop/rank_calls.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string_view>

namespace hypermile::runtime {
namespace {

/// Other programs take the cores from time to time, for up to 30 times the length of an iteration.
class Interrupted {
public:
  Interrupted(unsigned seed, double share) : random_(seed), share_(share) {}
  int draw(int least, int most) { return std::uniform_int_distribution<>(least, most)(random_); }
  void calls(Rank& rank, std::string_view sites, double computation, int times) {
    for (int i = 0; i < times; ++i)
      for (const char site : sites)
        rank.call(site, computation / static_cast<double>(sites.size()), 3e-4 + interruption());
  }

private:
  double interruption() { return unit_(random_) < share_ ? 0.04 * unit_(random_) : 0; }
  std::mt19937 random_;
  std::uniform_real_distribution<> unit_;
  double share_;
};

TEST(interruptions, follows_equal_calls_however_long_they_last) {
  constexpr int runs = 1000;
  int all_counted = 0;
  int kept_at_the_end = 0;
  for (unsigned seed = 0; seed < runs; ++seed) {
    Rank rank;
    Interrupted program(seed, 0.03 * (seed % 5));
    program.calls(rank, "d", 1e-5, 4);
    program.calls(rank, "iswa", 1e-3, 40);
    all_counted += rank.report().iterations == 40 ? 1 : 0;
    program.calls(rank, "bffff", 1e-5, 1);
    kept_at_the_end += rank.report().iterations >= 40 ? 1 : 0;
  }
  EXPECT_GE(all_counted, 0.95 * runs);
  EXPECT_GE(kept_at_the_end, 0.9 * runs);
}

/// Share of runs of 40 iterations with 3 to 8 trips of an inner loop in which most are counted.
double share_of_runs_followed(double interruptions) {
  constexpr int runs = 1000;
  int followed = 0;
  for (unsigned seed = 0; seed < runs; ++seed) {
    Rank rank;
    Interrupted program(seed, interruptions);
    program.calls(rank, "d", 1e-5, 4);
    for (int i = 0; i < 40; ++i) {
      program.calls(rank, "is", 5e-4, 1);
      program.calls(rank, "rq", 2e-4, program.draw(3, 8));
      program.calls(rank, "wa", 5e-4, 1);
    }
    const auto iterations = rank.report().iterations;
    followed += iterations >= 35 && iterations <= 40 ? 1 : 0;
  }
  return static_cast<double>(followed) / runs;
}

TEST(interruptions, does_not_take_a_chance_repetition_for_a_longer_loop) {
  EXPECT_GE(share_of_runs_followed(0), 0.88);
}

TEST(interruptions, follows_unequal_iterations_though_calls_last_long_now_and_then) {
  EXPECT_GE(share_of_runs_followed(0.003), 0.6);
}

} // namespace
} // namespace hypermile::runtime
