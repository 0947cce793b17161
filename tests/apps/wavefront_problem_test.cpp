#include "wavefront/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace apps::wavefront {
namespace {

constexpr Problem cube{.name = 'T', .columns = 5, .rows = 5, .planes = 5, .iterations = 1};

TEST(AppPoisson, its_solution_is_0_at_the_walls_and_positive_within) {
  const Problem problem{.name = 'T', .columns = 4, .rows = 6, .planes = 3, .iterations = 1};
  for (std::uint32_t x = 0; x <= 5; ++x)
    for (std::uint32_t y = 0; y <= 7; ++y)
      for (std::uint32_t z = 0; z <= 4; ++z) {
        const bool wall = x == 0 || x == 5 || y == 0 || y == 7 || z == 0 || z == 4;
        if (wall) {
          EXPECT_EQ(problem.solution(x, y, z), 0.0);
        } else {
          EXPECT_GT(problem.solution(x, y, z), 0.0);
          EXPECT_LT(problem.solution(x, y, z), Problem::largest_value);
        }
      }
}

TEST(AppPoisson, its_least_eigenvalue_belongs_to_the_longest_wave) {
  const auto wave = [](int x, int y, int z) {
    const double k = std::numbers::pi / 6.0;
    return std::sin(k * x) * std::sin(k * y) * std::sin(k * z);
  };
  const double product = 6.0 * wave(2, 3, 1) - (wave(1, 3, 1) + wave(3, 3, 1) + wave(2, 2, 1) +
                                                wave(2, 4, 1) + wave(2, 3, 0) + wave(2, 3, 2));
  EXPECT_NEAR(product, cube.least_eigenvalue() * wave(2, 3, 1), 1e-14);
}

TEST(AppPoisson, has_a_class_whose_time_steps_are_thousands_of_calls) {
  for (const char name : problem_classes)
    EXPECT_EQ(problem_of_class(name).name, name);
  EXPECT_GE(8 * problem_of_class('T').planes, 2000u);
  EXPECT_GE(problem_of_class('T').iterations, 50);
}

TEST(AppPoisson, is_relaxed_as_in_the_textbook) {
  // On a cube mu = cos(pi h), and so Young's factor is 2 / (1 + sin(pi h)).
  EXPECT_NEAR(cube.relaxation(), 2.0 / (1.0 + std::sin(std::numbers::pi / 6.0)), 1e-14);
}

} // namespace
} // namespace apps::wavefront
