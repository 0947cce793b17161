#include "common/grid_shape.hpp"
#include "common/larger.hpp"
#include "common/range.hpp"
#include "common/verification.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using apps::grid_shape;
using apps::larger;
using apps::Verification;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(AppGridShape, is_as_near_to_a_square_as_the_factors_allow) {
  using Shape = std::array<int, 2>;
  EXPECT_EQ(grid_shape(1), (Shape{1, 1}));
  EXPECT_EQ(grid_shape(8), (Shape{2, 4}));
  EXPECT_EQ(grid_shape(9), (Shape{3, 3}));
  EXPECT_EQ(grid_shape(13), (Shape{1, 13}));
  EXPECT_EQ(grid_shape(60), (Shape{6, 10}));
  for (int ranks = 1; ranks <= 128; ++ranks)
    EXPECT_EQ(grid_shape(ranks)[0] * grid_shape(ranks)[1], ranks);
}

TEST(AppRange, parts_follow_each_other_and_differ_by_one_at_most) {
  const apps::Range whole{3, 50};
  std::uint32_t next = whole.begin;
  for (std::uint32_t index = 0; index < 6; ++index) {
    const auto part = apps::part_of(whole, 6, index);
    EXPECT_EQ(part.begin, next);
    EXPECT_TRUE(part.size() == 7 || part.size() == 8);
    next = part.end;
  }
  EXPECT_EQ(next, whole.end);
}

TEST(AppLarger, does_not_pass_over_what_is_no_number) {
  EXPECT_EQ(larger(1.0, 2.0), 2.0);
  EXPECT_EQ(larger(2.0, 1.0), 2.0);
  EXPECT_EQ(larger(std::nan(""), 1.0), infinity);
  EXPECT_EQ(larger(1.0, std::nan("")), infinity);
}

TEST(AppVerification, fails_with_its_first_check_that_does) {
  Verification verification;
  verification.at_most("first", 0.5, 0.5);
  EXPECT_TRUE(verification.successful());
  EXPECT_EQ(verification.text(), "  right: first: 0.5 (at most 0.5)\nverification: successful\n");
  verification.at_most("second", 0.75, 0.5);
  verification.holds("third", true);
  EXPECT_FALSE(verification.successful());
  EXPECT_EQ(verification.text(), "  right: first: 0.5 (at most 0.5)\n"
                                 "  WRONG: second: 0.75 (at most 0.5)\n"
                                 "  right: third\n"
                                 "verification: FAILED\n");
}

TEST(AppVerification, fails_for_what_is_no_number) {
  Verification verification;
  verification.at_most("value", std::nan(""), 1.0);
  EXPECT_FALSE(verification.successful());
  Verification without_bound;
  without_bound.at_most("value", 1.0, std::nan(""));
  EXPECT_FALSE(without_bound.successful());
}

} // namespace
