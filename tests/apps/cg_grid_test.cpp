#include "cg/grid.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace apps::cg {
namespace {

std::vector<Grid> grids(int ranks, std::uint32_t n) {
  std::vector<Grid> all;
  for (int rank = 0; rank < ranks; ++rank)
    all.emplace_back(rank, ranks, n);
  return all;
}

class CgGrid : public testing::TestWithParam<int> {};

TEST_P(CgGrid, is_square_or_twice_as_wide_as_high) {
  const Grid grid(0, GetParam(), 1400);
  EXPECT_EQ(grid.height * grid.width, static_cast<std::uint32_t>(GetParam()));
  EXPECT_TRUE(grid.width == grid.height || grid.width == 2 * grid.height);
}

TEST_P(CgGrid, blocks_cover_the_matrix_once) {
  constexpr std::uint32_t n = 1403; // divides by no number of ranks
  std::vector<int> covered(n * n, 0);
  for (const Grid& grid : grids(GetParam(), n))
    for (std::uint32_t row = grid.rows.begin; row < grid.rows.end; ++row)
      for (std::uint32_t column = grid.columns.begin; column < grid.columns.end; ++column)
        ++covered[row * n + column];
  for (const int count : covered)
    ASSERT_EQ(count, 1);
}

TEST_P(CgGrid, transpose_partners_hold_what_the_other_needs) {
  const auto all = grids(GetParam(), 1403);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Grid& grid = all[rank];
    const Grid& partner = all[static_cast<std::size_t>(grid.transpose_partner)];
    EXPECT_EQ(partner.transpose_partner, static_cast<int>(rank));
    EXPECT_EQ(grid.rows.begin + grid.kept.begin, partner.columns.begin);
    EXPECT_EQ(grid.rows.begin + grid.kept.end, partner.columns.end);
  }
}

TEST_P(CgGrid, row_partners_are_mutual_and_lie_in_the_same_row) {
  const auto all = grids(GetParam(), 1403);
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    for (std::size_t stage = 0; stage < all[rank].row_partners.size(); ++stage) {
      const Grid& partner = all[static_cast<std::size_t>(all[rank].row_partners[stage])];
      EXPECT_EQ(partner.row_partners[stage], static_cast<int>(rank));
      EXPECT_EQ(partner.rows.begin, all[rank].rows.begin);
    }
}

INSTANTIATE_TEST_SUITE_P(ranks, CgGrid, testing::Values(1, 2, 4, 8, 16, 32, 64, 128));

TEST(CgGridSize, only_powers_of_two_are_accepted) {
  for (const int good : {1, 2, 4, 128})
    EXPECT_TRUE(is_power_of_two(good)) << good;
  for (const int bad : {-4, 0, 3, 6, 12, 127})
    EXPECT_FALSE(is_power_of_two(bad)) << bad;
}

} // namespace
} // namespace apps::cg
