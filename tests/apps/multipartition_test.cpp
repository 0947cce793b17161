#include "multipartition/lines.hpp"
#include "multipartition/partition.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace apps::multipartition {
namespace {

constexpr std::uint32_t points = 14;

class Partitions : public testing::TestWithParam<std::uint32_t> {
protected:
  [[nodiscard]] int ranks() const { return static_cast<int>(GetParam() * GetParam()); }
  [[nodiscard]] Partition of(int rank) const { return {rank, GetParam(), points}; }
};

TEST_P(Partitions, give_each_point_to_one_rank) {
  std::multiset<std::array<std::uint32_t, 3>> all;
  for (int rank = 0; rank < ranks(); ++rank) {
    const Partition partition = of(rank);
    for (const auto& cell : partition.cells())
      for (std::uint32_t x = cell[0].begin; x < cell[0].end; ++x)
        for (std::uint32_t y = cell[1].begin; y < cell[1].end; ++y)
          for (std::uint32_t z = cell[2].begin; z < cell[2].end; ++z)
            all.insert({x, y, z});
  }
  const std::set<std::array<std::uint32_t, 3>> distinct(all.begin(), all.end());
  EXPECT_EQ(all.size(), points * points * points);
  EXPECT_EQ(distinct.size(), all.size());
}

TEST_P(Partitions, give_each_rank_a_cell_in_each_slab_and_one_neighbour_on_each_side) {
  for (int rank = 0; rank < ranks(); ++rank)
    for (const Axis axis : axes) {
      const Partition own = of(rank);
      const Partition next = of(own.next(axis));
      EXPECT_EQ(next.previous(axis), rank);
      for (std::uint32_t slab = 0; slab + 1 < GetParam(); ++slab) {
        auto cell = own.cells()[own.cell_in_slab(axis, slab)];
        const auto after = next.cells()[next.cell_in_slab(axis, slab + 1)];
        EXPECT_EQ(cell[axis].end, after[axis].begin);
        for (const Axis other : axes)
          if (other != axis) {
            EXPECT_EQ(cell[other].begin, after[other].begin);
          }
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Sides, Partitions, testing::Values(1, 2, 3, 5, 7));

TEST(Partition, is_of_square_numbers) {
  EXPECT_EQ(side_of(1), 1U);
  EXPECT_EQ(side_of(144), 12U);
  for (const int ranks : {2, 3, 8, 143})
    EXPECT_EQ(side_of(ranks), std::nullopt);
}

/// (1 - A times the second difference along `axis`) x at a point of one cell, 0 beyond it.
double row_of_product(std::span<const double> x, const std::array<std::uint32_t, 3>& size,
                      Axis axis, std::array<std::uint32_t, 3> at, std::size_t row) {
  const auto value = [&](std::uint32_t along, std::size_t c) {
    if (along >= size[axis])
      return 0.0;
    auto point = at;
    point[axis] = along;
    return x[((point[2] * size[1] + point[1]) * size[0] + point[0]) * components + c];
  };
  double sum = value(at[axis], row);
  for (std::size_t c = 0; c < components; ++c)
    sum -= Problem::half_step * Problem::coupling(row, c) *
           (value(at[axis] - 1, c) - 2 * value(at[axis], c) + value(at[axis] + 1, c));
  return sum;
}

TEST(Lines, solve_their_systems_along_each_axis) {
  const std::array<std::uint32_t, 3> size = {5, 3, 4};
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const Axis axis : axes) {
    Cell cell({Range{0, size[0]}, Range{0, size[1]}, Range{0, size[2]}});
    for (double& number : cell.change())
      number = uniform(random);
    const std::vector<double> right(cell.change().begin(), cell.change().end());
    Lines lines(cell);
    std::vector<double> forward(lines.count(axis) * Lines::eliminated);
    lines.eliminate(axis, forward);
    std::vector<double> backward(lines.count(axis) * Lines::substituted);
    lines.substitute(axis, backward);
    std::size_t entry = 0;
    for (std::uint32_t z = 0; z < size[2]; ++z)
      for (std::uint32_t y = 0; y < size[1]; ++y)
        for (std::uint32_t x = 0; x < size[0]; ++x)
          for (std::size_t c = 0; c < components; ++c, ++entry)
            EXPECT_NEAR(row_of_product(cell.change(), size, axis, {x, y, z}, c), right[entry],
                        1e-13);
  }
}

TEST(Modes, decay_and_are_bounded_by_the_largest_value) {
  Modes modes(problem_of_class('S'));
  double before = 2 * Modes::largest_value();
  for (int step = 0; step < 50; step += 10) {
    double largest = 0;
    for (std::uint32_t x = 0; x < 12; ++x)
      for (std::uint32_t y = 0; y < 12; ++y)
        for (const double value : modes.at(x, y, 5))
          largest = std::max(largest, std::abs(value));
    EXPECT_GT(largest, 0);
    EXPECT_LT(largest, step == 0 ? Modes::largest_value() : before);
    before = largest;
    for (int i = 0; i < 10; ++i)
      modes.step();
  }
}

} // namespace
} // namespace apps::multipartition
