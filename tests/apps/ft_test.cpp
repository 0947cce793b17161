#include "ft/passes.hpp"
#include "ft/problem.hpp"
#include "ft/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace apps::ft {
namespace {

std::vector<Complex> numbers(std::size_t count) {
  std::vector<Complex> x;
  for (std::size_t i = 0; i < count; ++i)
    x.emplace_back(std::sin(1.0 + static_cast<double>(i * i)), std::cos(static_cast<double>(i)));
  return x;
}

TEST(FtProblem, the_published_checksums_verify_in_each_class_and_none_beside_them) {
  for (const char name : problem_classes) {
    const Problem& problem = problem_of_class(name);
    EXPECT_EQ(problem.name, name);
    EXPECT_EQ(problem.iterations(), name == 'B' || name == 'C' ? 20 : 6);
    for (int iteration = 1; iteration <= problem.iterations(); ++iteration) {
      const Complex sum = problem.checksums[static_cast<std::size_t>(iteration - 1)];
      EXPECT_LE(problem.distance(iteration, sum * (1 + 0.9e-12)), problem.tolerance);
      EXPECT_GT(problem.distance(iteration, sum * (1 - 1.1e-12)), problem.tolerance);
    }
    EXPECT_FALSE(problem.distance(1, std::nan("")) <= problem.tolerance);
  }
}

/// Term by term, the three-dimensional sum at one wave.
Complex wave(const std::vector<Complex>& box, std::array<std::size_t, 3> n,
             std::array<std::size_t, 3> k) {
  Complex sum = 0.0;
  for (std::size_t z = 0; z < n[2]; ++z)
    for (std::size_t y = 0; y < n[1]; ++y)
      for (std::size_t x = 0; x < n[0]; ++x) {
        const double turns = static_cast<double>(x * k[0] % n[0]) / static_cast<double>(n[0]) +
                             static_cast<double>(y * k[1] % n[1]) / static_cast<double>(n[1]) +
                             static_cast<double>(z * k[2] % n[2]) / static_cast<double>(n[2]);
        sum += box[(z * n[1] + y) * n[0] + x] * std::polar(1.0, -2.0 * std::numbers::pi * turns);
      }
  return sum;
}

TEST(FtPass, three_of_them_are_the_sum_that_defines_the_transform_of_a_box) {
  const std::array<std::size_t, 3> n = {32, 8, 4}; // the passes work on 16 columns at a time
  const auto start = numbers(n[0] * n[1] * n[2]);
  auto box = start;
  Pass x(32);
  Pass y(8);
  Pass z(4);
  x.along_lines(box, Direction::forward);
  y.across_rows(box, n[0], Direction::forward);
  z.across_rows(box, n[0] * n[1], Direction::forward);
  for (std::size_t kz = 0; kz < n[2]; ++kz)
    for (std::size_t ky = 0; ky < n[1]; ++ky)
      for (std::size_t kx = 0; kx < n[0]; kx += 5)
        ASSERT_NEAR(std::abs(box[(kz * n[1] + ky) * n[0] + kx] - wave(start, n, {kx, ky, kz})), 0.0,
                    1e-11);
  z.across_rows(box, n[0] * n[1], Direction::inverse);
  y.across_rows(box, n[0], Direction::inverse);
  x.along_lines(box, Direction::inverse);
  for (std::size_t i = 0; i < box.size(); ++i)
    ASSERT_NEAR(std::abs(box[i] - start[i] * static_cast<double>(box.size())), 0.0, 1e-11);
}

constexpr Problem small{.name = 'T', .nx = 8, .ny = 4, .nz = 16, .checksums = {}};

TEST(FtDecay, of_parts_is_that_of_the_whole_and_depends_on_the_wave_number) {
  std::vector<Complex> whole(8 * 4 * 16, 1.0);
  const Decay decay(small);
  decay.apply(whole, {0, 4});
  std::vector<Complex> part(8 * 2 * 16, 1.0);
  decay.apply(part, {2, 4});
  for (std::size_t z = 0; z < 16; ++z)
    for (std::size_t y = 0; y < 2; ++y)
      for (std::size_t x = 0; x < 8; ++x)
        EXPECT_EQ(part[(z * 2 + y) * 8 + x], whole[(z * 4 + y + 2) * 8 + x]);
  EXPECT_EQ(whole[0], 1.0);
  const double pi = std::numbers::pi; // wave (3, 1, -5)
  EXPECT_NEAR(whole[(11 * 4 + 1) * 8 + 3].real(), std::exp(-4e-6 * pi * pi * 35), 1e-15);
}

TEST(FtField, planes_of_the_ranks_make_up_the_field_and_its_checksum) {
  std::vector<Complex> whole(8 * 4 * 16);
  fill_randomly(small, {0, 16}, whole);
  Complex sum = 0.0;
  for (std::uint32_t begin = 0; begin < 16; begin += 4) {
    std::vector<Complex> slab(8 * 4 * 4);
    fill_randomly(small, {begin, begin + 4}, slab);
    for (std::size_t i = 0; i < slab.size(); ++i)
      EXPECT_EQ(slab[i], whole[begin * 32 + i]);
    sum += local_checksum(small, {begin, begin + 4}, slab);
  }
  EXPECT_NEAR(std::abs(sum - local_checksum(small, {0, 16}, whole)), 0.0, 1e-12);
}

} // namespace
} // namespace apps::ft
