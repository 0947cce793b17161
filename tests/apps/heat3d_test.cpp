#include "common/field.hpp"
#include "heat3d/modes.hpp"
#include "heat3d/problem.hpp"
#include "heat3d/stencil.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace apps::heat3d {
namespace {

constexpr std::uint32_t side = 18;
constexpr Problem small{.name = 'T', .side = side, .iterations = 1};
constexpr Block whole = {{{0, side}, {0, side}, {0, side}}};

TEST(AppHeat3dBlock, each_cell_has_one_rank) {
  for (const int ranks : {1, 2, 7, 8, 12, 27, 64}) {
    std::multiset<std::uint32_t> cells;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto& [x, y, z] = block_of(small, RankGrid(rank, ranks));
      for (std::uint32_t k = z.begin; k < z.end; ++k)
        for (std::uint32_t j = y.begin; j < y.end; ++j)
          for (std::uint32_t i = x.begin; i < x.end; ++i)
            cells.insert((k * side + j) * side + i);
    }
    EXPECT_EQ(cells.size(), side * side * side);
    EXPECT_EQ(std::set<std::uint32_t>(cells.begin(), cells.end()).size(), cells.size());
  }
}

TEST(AppHeat3dBlock, that_follows_along_an_axis_belongs_to_the_next_rank) {
  constexpr int ranks = 12;
  for (int rank = 0; rank < ranks; ++rank) {
    const RankGrid grid(rank, ranks);
    const Block block = block_of(small, grid);
    for (std::size_t axis = 0; axis < axes; ++axis)
      if (const auto next = grid.neighbour_within(axis, 1)) {
        Block expected = block_of(small, RankGrid(*next, ranks));
        EXPECT_EQ(expected[axis].begin, block[axis].end);
        for (std::size_t other = 0; other < axes; ++other)
          if (other != axis) {
            EXPECT_EQ(expected[other].begin, block[other].begin);
            EXPECT_EQ(expected[other].end, block[other].end);
          }
      } else {
        EXPECT_EQ(block[axis].end, side);
      }
  }
}

/// A number that counts what is done with it.
struct Counted {
  double value = 0.0;
  static inline std::uint64_t operations = 0;
};

Counted operator+(Counted a, Counted b) {
  ++Counted::operations;
  return {a.value + b.value};
}

Counted operator*(double a, Counted b) {
  ++Counted::operations;
  return {a * b.value};
}

TEST(AppHeat3dStencil, has_the_operations_that_the_formula_says) {
  const Block block = {{{2, 9}, {0, 4}, {5, 10}}};
  const std::vector<Counted> row(9);
  std::vector<Counted> next(9);
  Counted::operations = 0;
  for (int cell_row = 0; cell_row < 4 * 5; ++cell_row)
    step_row(Rows<Counted>{row.data(), row.data(), row.data(), row.data(), row.data()}, next.data(),
             7);
  EXPECT_EQ(Counted::operations, operations(block));
}

TEST(AppHeat3dStencil, takes_the_exact_field_to_that_one_step_later) {
  const ExactField now(side, 3, whole);
  const ExactField later(side, 4, whole);
  Field field({side, side, side});
  for (std::size_t z = 0; z < side; ++z)
    for (std::size_t y = 0; y < side; ++y)
      for (std::size_t x = 0; x < side; ++x)
        field.row(z + 1, y + 1)[x + 1] = now.at(x, y, z);
  std::vector<double> next(side + 2);
  double change = 0.0;
  for (std::size_t z = 1; z <= side; ++z)
    for (std::size_t y = 1; y <= side; ++y) {
      step_row(Rows<double>{.centre = field.row(z, y),
                            .south = field.row(z, y - 1),
                            .north = field.row(z, y + 1),
                            .below = field.row(z - 1, y),
                            .above = field.row(z + 1, y)},
               next.data(), side);
      for (std::size_t x = 1; x <= side; ++x) {
        ASSERT_NEAR(next[x], later.at(x - 1, y - 1, z - 1), rounding_bound(4));
        change = std::max(change, std::abs(next[x] - field.row(z, y)[x]));
      }
    }
  EXPECT_GT(change, 0.01);
}

TEST(AppHeat3dModes, a_block_is_a_part_of_the_whole) {
  const ExactField all(side, 1, whole);
  const ExactField block(side, 1, {{{3, 12}, {7, 18}, {0, 5}}});
  double largest = 0.0;
  for (std::size_t z = 0; z < 5; ++z)
    for (std::size_t y = 0; y < 11; ++y)
      for (std::size_t x = 0; x < 9; ++x) {
        EXPECT_EQ(block.at(x, y, z), all.at(x + 3, y + 7, z));
        largest = std::max(largest, std::abs(block.at(x, y, z)));
      }
  EXPECT_GT(largest, 0.1);
  EXPECT_LT(largest, largest_value);
}

} // namespace
} // namespace apps::heat3d
