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

} // namespace
} // namespace hypermile::runtime
