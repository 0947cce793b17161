#include "common/grid_shape.hpp"
#include "common/larger.hpp"
#include "common/range.hpp"
#include "common/rank_grid.hpp"
#include "common/sine_modes.hpp"
#include "common/verification.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace apps {
namespace {

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

TEST(AppRankGrid, is_as_near_to_a_cube_as_the_factors_allow) {
  using Shape = std::array<std::uint32_t, 3>;
  EXPECT_EQ(RankGrid(0, 1).shape, (Shape{1, 1, 1}));
  EXPECT_EQ(RankGrid(0, 8).shape, (Shape{2, 2, 2}));
  EXPECT_EQ(RankGrid(0, 12).shape, (Shape{2, 2, 3}));
  EXPECT_EQ(RankGrid(0, 13).shape, (Shape{1, 1, 13}));
  EXPECT_EQ(RankGrid(0, 27).shape, (Shape{3, 3, 3}));
  EXPECT_EQ(RankGrid(0, 64).shape, (Shape{4, 4, 4}));
  for (int ranks = 1; ranks <= 130; ++ranks) {
    const auto [x, y, z] = RankGrid(0, ranks).shape;
    EXPECT_EQ(x * y * z, static_cast<std::uint32_t>(ranks));
    EXPECT_LE(std::max(x, y), z);
  }
}

TEST(AppRankGrid, gives_each_rank_a_place_and_mutual_neighbours_between_walls_and_on_rings) {
  for (const int ranks : {1, 2, 6, 8, 12, 27, 60}) {
    std::set<std::array<std::uint32_t, 3>> places;
    for (int rank = 0; rank < ranks; ++rank) {
      const RankGrid grid(rank, ranks);
      places.insert(grid.place);
      for (std::size_t axis = 0; axis < axes; ++axis) {
        EXPECT_EQ(RankGrid(grid.neighbour(axis, 1), ranks).neighbour(axis, -1), rank);
        const auto next = grid.neighbour_within(axis, 1);
        EXPECT_EQ(next.has_value(), grid.place[axis] + 1 < grid.shape[axis]);
        if (next) {
          EXPECT_EQ(*next, grid.neighbour(axis, 1));
          EXPECT_EQ(RankGrid(*next, ranks).neighbour_within(axis, -1), rank);
        }
        EXPECT_EQ(grid.neighbour_within(axis, -1).has_value(), grid.place[axis] > 0);
      }
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(ranks));
  }
}

TEST(AppSines, are_eigenmodes_of_the_second_difference) {
  constexpr std::uint32_t side = 23;
  for (std::uint32_t half_waves = 1; half_waves <= side; ++half_waves) {
    auto values = sines(half_waves, {0, side}, side);
    values.insert(values.begin(), 0.0);
    values.push_back(0.0);
    const double factor = second_difference(half_waves, side);
    for (std::size_t i = 1; i <= side; ++i)
      EXPECT_NEAR(values[i - 1] - 2.0 * values[i] + values[i + 1], -factor * values[i], 1e-14);
  }
}

TEST(AppRange, parts_follow_each_other_and_differ_by_one_at_most) {
  const Range whole{3, 50};
  std::uint32_t next = whole.begin;
  for (std::uint32_t index = 0; index < 6; ++index) {
    const auto part = part_of(whole, 6, index);
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
} // namespace apps
