#include "mg/charges.hpp"
#include "mg/problem.hpp"
#include "mg/stencil.hpp"

#include "kernels/lcg46.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

namespace apps::mg {
namespace {

using hypermile::kernels::Lcg46;

/// What the exchange of ghosts does where one rank has all points.
void wrap(Field& field) {
  for (std::size_t axis = 0; axis < axes; ++axis) {
    std::vector<double> plane(field.plane_size(axis));
    field.get_plane(axis, field.size[axis], plane);
    field.set_plane(axis, 0, plane);
    field.get_plane(axis, 1, plane);
    field.set_plane(axis, field.size[axis] + 1, plane);
  }
}

template <typename Value> Field periodic(std::uint32_t side, Value value) {
  Field field({side, side, side});
  for (std::size_t z = 1; z <= side; ++z)
    for (std::size_t y = 1; y <= side; ++y)
      for (std::size_t x = 1; x <= side; ++x)
        field.row(z, y)[x] = value(x, y, z);
  wrap(field);
  return field;
}

Field random_field(std::uint32_t side, std::uint64_t seed) {
  Lcg46 random(seed);
  return periodic(side, [&](auto, auto, auto) { return random.next() - 0.5; });
}

double dot(const Field& a, const Field& b) {
  double sum = 0.0;
  for (std::size_t z = 1; z <= a.size[2]; ++z)
    for (std::size_t y = 1; y <= a.size[1]; ++y)
      for (std::size_t x = 1; x <= a.size[0]; ++x)
        sum += a.row(z, y)[x] * b.row(z, y)[x];
  return sum;
}

TEST(MgProblem, the_published_norm_verifies_in_each_class_and_none_beside_it) {
  for (const char name : problem_classes) {
    const auto& problem = problem_of_class(name);
    EXPECT_EQ(problem.name, name);
    EXPECT_LE(problem.distance(problem.residual * (1 + 0.9e-8)), problem.tolerance);
    EXPECT_GT(problem.distance(problem.residual * (1 - 1.1e-8)), problem.tolerance);
    EXPECT_FALSE(problem.distance(std::nan("")) <= problem.tolerance);
  }
}

class MgPartition : public testing::TestWithParam<int> {};

TEST_P(MgPartition, every_level_is_covered_once) {
  for (std::uint32_t side = 2; side <= 32; side *= 2) {
    std::multiset<std::uint32_t> covered;
    for (int rank = 0; rank < GetParam(); ++rank) {
      const LevelPart part(side, RankGrid(rank, GetParam()));
      const auto& [x, y, z] = part.parts;
      for (std::uint32_t k = z.range.begin; k < z.range.end; ++k)
        for (std::uint32_t j = y.range.begin; j < y.range.end; ++j)
          for (std::uint32_t i = x.range.begin; i < x.range.end; ++i)
            covered.insert((k * side + j) * side + i);
    }
    ASSERT_EQ(covered.size(), std::size_t{side} * side * side);
    EXPECT_EQ(std::set<std::uint32_t>(covered.begin(), covered.end()).size(), covered.size());
  }
}

TEST_P(MgPartition, the_neighbour_at_the_stride_has_the_points_that_follow) {
  for (std::uint32_t side = 2; side <= 32; side *= 2)
    for (int rank = 0; rank < GetParam(); ++rank) {
      const RankGrid grid(rank, GetParam());
      const LevelPart part(side, grid);
      for (std::size_t axis = 0; axis < axes && part.is_active(); ++axis) {
        const auto& mine = part.parts[axis];
        const RankGrid next(grid.neighbour(axis, mine.stride), GetParam());
        EXPECT_EQ(LevelPart(side, next).parts[axis].range.begin, mine.range.end % side);
        EXPECT_EQ(next.neighbour(axis, -std::int64_t{mine.stride}), rank);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, MgPartition, testing::Values(1, 2, 4, 8, 16, 128, 1024));

TEST(MgStencil, a_wave_is_multiplied_by_the_eigenvalue_of_the_operator) {
  constexpr std::uint32_t side = 16;
  const double k = 2.0 * std::numbers::pi / side;
  const Field u = periodic(side, [&](auto x, auto y, auto z) {
    return std::cos(
        k * (2.0 * static_cast<double>(x) + static_cast<double>(y) - 3.0 * static_cast<double>(z)));
  });
  const double cx = std::cos(2 * k);
  const double cy = std::cos(k);
  const double cz = std::cos(3 * k);
  const double eigenvalue =
      -8.0 / 3.0 + 4.0 / 6.0 * (cx * cy + cy * cz + cz * cx) + 8.0 / 12.0 * cx * cy * cz;
  const Field v = random_field(side, 7);
  Field r(u);
  residual(v, u, r);
  for (std::size_t z = 1; z <= side; ++z)
    for (std::size_t y = 1; y <= side; ++y)
      for (std::size_t x = 1; x <= side; ++x)
        ASSERT_NEAR(r.row(z, y)[x], v.row(z, y)[x] - eigenvalue * u.row(z, y)[x], 1e-14);
}

TEST(MgStencil, smoothing_adds_what_the_weights_say) {
  constexpr std::uint32_t side = 4;
  Field r =
      periodic(side, [](auto x, auto y, auto z) { return x == 2 && y == 2 && z == 2 ? 1 : 0; });
  Field u = random_field(side, 11);
  const Field before = u;
  smooth({1.0, 2.0, 4.0, 8.0}, r, u);
  for (std::size_t z = 1; z <= 3; ++z)
    for (std::size_t y = 1; y <= 3; ++y)
      for (std::size_t x = 1; x <= 3; ++x) {
        const int distance = (x != 2) + (y != 2) + (z != 2);
        EXPECT_NEAR(u.row(z, y)[x] - before.row(z, y)[x], std::ldexp(1.0, distance), 1e-14);
      }
}

TEST(MgStencil, interpolation_is_twice_the_adjoint_of_restriction) {
  const Field fine = random_field(16, 3);
  const Field coarse = random_field(8, 5);
  Field restricted({8, 8, 8});
  restrict_to(restricted, fine, {0, 0, 0});
  Field interpolated({16, 16, 16});
  interpolate(coarse, interpolated, {0, 0, 0});
  EXPECT_NEAR(dot(restricted, coarse), 0.5 * dot(fine, interpolated), 1e-12);
}

TEST(MgStencil, interpolation_also_fills_the_ghosts) {
  Field fine({16, 16, 16});
  interpolate(random_field(8, 5), fine, {0, 0, 0});
  const Field filled = fine;
  wrap(fine);
  for (std::size_t i = 0; i < fine.values.size(); ++i)
    ASSERT_NEAR(fine.values[i], filled.values[i], 1e-15);
}

TEST(MgCharges, are_the_ten_largest_and_smallest_of_all_random_numbers) {
  constexpr std::uint32_t side = 16;
  std::vector<std::pair<double, std::uint64_t>> sorted;
  Lcg46 random(314159265);
  for (std::uint64_t place = 0; place < side * side * side; ++place)
    sorted.emplace_back(random.next(), place);
  std::ranges::sort(sorted);
  Charges all(side, LevelPart(side, RankGrid(0, 8)));
  for (int rank = 1; rank < 8; ++rank)
    all.merge(Charges(side, LevelPart(side, RankGrid(rank, 8))));
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(all.smallest()[i].place, sorted[i].second);
    EXPECT_EQ(all.largest()[i].place, sorted[sorted.size() - 1 - i].second);
  }
  Field v({side, side, side});
  all.put_into(v, side, LevelPart(side, RankGrid(0, 1)));
  EXPECT_EQ(dot(v, v), 20.0);
  EXPECT_EQ(v.row(sorted[0].second / side / side + 1,
                  sorted[0].second / side % side + 1)[sorted[0].second % side + 1],
            -1.0);
}

} // namespace
} // namespace apps::mg
