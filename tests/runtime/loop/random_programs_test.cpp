#include "support/random_program.hpp"

#include <gtest/gtest.h>

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
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const test::LoopProgram program = test::random_program(seed, 4);
    ++programs;
    different += verdicts(program, {3, 4}) != verdicts(program, {3, 4}, weeks) ? 1 : 0;
  }
  EXPECT_LE(different, programs / 100); // what is rounded
}

} // namespace
} // namespace hypermile::runtime
