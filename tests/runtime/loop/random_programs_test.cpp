#include "support/cases.hpp"
#include "support/random_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hypermile::runtime {
namespace {

/// bench_loops does the same with five thousand, and asks for what has to be reached.
TEST(random_programs, are_understood_by_the_end_of_their_third_iteration) {
  const test::VerdictTable table = test::judge_random_programs(1000);
  EXPECT_GT(table.fixed.programs, 200U);
  EXPECT_GE(table.fixed.right_after_3, 0.995);
  EXPECT_GE(table.all.right_after_3, 0.94);
  EXPECT_GE(table.all.right_after_4, 0.95);
  EXPECT_LE(table.all.inner_after_3, 0.06);
}

/// Clocks count from when the machine was started, weeks ago.
TEST(random_programs, are_understood_no_less_where_the_clock_is_far_on) {
  constexpr double weeks = 1 << 21; // s, such that sums are hardly rounded
  std::size_t programs = 0;
  std::size_t different = 0;
  for (std::uint64_t seed = 0; seed < std::uint64_t{test::cases(600)}; ++seed) {
    const test::LoopProgram program = test::random_program(seed, 4);
    ++programs;
    different += verdicts(program, {3, 4}) != verdicts(program, {3, 4}, weeks) ? 1 : 0;
  }
  EXPECT_LE(different, programs / 100); // what is rounded
}

/// Phases of two programs that take turns: whatever loops are found, of which others are parts.
TEST(random_programs, spend_no_time_in_two_loops) {
  constexpr std::size_t most_calls = 2000; // of a turn
  std::size_t programs = 0;
  for (std::uint64_t seed = 0; seed < 400; seed += 2) {
    const std::array turns{test::random_program(seed, 5), test::random_program(seed + 1, 5)};
    if (std::ranges::any_of(turns, [](const auto& p) { return p.calls.size() > most_calls; }))
      continue;
    ++programs;
    LoopWatch watch(Seconds{});
    double now = 0;
    std::uint64_t event = 0;
    for (std::size_t turn = 0; turn < 6; ++turn) {
      for (const auto& [call, seconds] : turns[turn % 2].calls) {
        const double begin = std::exchange(now, now + seconds);
        watch.add_call(call, {.begin = Seconds{begin},
                              .end = Seconds{now},
                              .computation = Seconds{seconds},
                              .computation_in_gear0 = Seconds{seconds},
                              .communication = {},
                              .calls = 1,
                              .event = event++});
      }
      Seconds in_loops;
      for (const LoopReport& phase : watch.phases())
        in_loops += phase.total;
      EXPECT_LE(in_loops.value(), now * 1.001) << "seed " << seed << ", turn " << turn;
    }
  }
  EXPECT_GT(programs, 50U);
}

} // namespace
} // namespace hypermile::runtime
