#include "report/simulation_text.hpp"

#include <gtest/gtest.h>

namespace hypermile::report {
namespace {

TEST(short_method, is_the_method_itself_where_that_is_short) {
  EXPECT_EQ(short_method("alg5-literal"), "alg5-literal");
  EXPECT_EQ(short_method("gears:0,0,0,0,3,3,3,3"), "gears:0,0,0,0,3,3,3,3");
}

TEST(short_method, counts_equal_gears_side_by_side) {
  EXPECT_EQ(short_method("gears:0,0,0,0,3,3,2,10,10,10"), "gears:4x0,2x3,2,3x10");
}

TEST(short_method, cuts_what_is_too_long_even_then) {
  EXPECT_EQ(short_method("gears:0,1,2,3,4,5,6,7,8,9,10,11"), "gears:0,1,2,3,4,5,6,7,...");
}

} // namespace
} // namespace hypermile::report
