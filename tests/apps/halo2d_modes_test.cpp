#include "halo2d/modes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace apps::halo2d {
namespace {

constexpr std::uint32_t side = 40;

double at(const ExactField& field, std::uint32_t row, std::uint32_t column) {
  const bool border = row == 0 || column == 0 || row > side || column > side;
  return border ? 0.0 : field.at(row - 1, column - 1);
}

TEST(AppHeatModes, one_step_of_the_equation_is_the_solution_one_step_later) {
  const ExactField before(side, 3, {0, side}, {0, side});
  const ExactField after(side, 4, {0, side}, {0, side});
  double change = 0.0;
  for (std::uint32_t row = 1; row <= side; ++row)
    for (std::uint32_t column = 1; column <= side; ++column) {
      const double neighbours = at(before, row - 1, column) + at(before, row + 1, column) +
                                at(before, row, column - 1) + at(before, row, column + 1);
      const double here = at(before, row, column);
      const double next = here + Problem::ratio * (neighbours - 4.0 * here);
      ASSERT_NEAR(next, at(after, row, column), rounding_bound(4));
      change += (next - here) * (next - here);
    }
  EXPECT_NEAR(std::sqrt(change), exact_residual(side, 3), 1e-12);
}

TEST(AppHeatModes, a_block_is_a_part_of_the_whole) {
  const ExactField whole(side, 1, {0, side}, {0, side});
  const ExactField block(side, 1, {7, 19}, {22, 40});
  double largest = 0.0;
  for (std::size_t row = 0; row < 12; ++row)
    for (std::size_t column = 0; column < 18; ++column) {
      EXPECT_EQ(block.at(row, column), whole.at(row + 7, column + 22));
      largest = std::max(largest, std::abs(block.at(row, column)));
    }
  EXPECT_GT(largest, 0.01);
  EXPECT_LT(largest, largest_value);
}

} // namespace
} // namespace apps::halo2d
