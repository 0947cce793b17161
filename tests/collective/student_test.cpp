#include "collective/student.hpp"

#include "estimate/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace hypermile::collective {
namespace {

TEST(Student, has_the_quantiles_of_the_other_implementation) {
  for (std::size_t freedom = 1; freedom <= 60; ++freedom)
    EXPECT_NEAR(student_95(freedom), estimate::student_t_95(freedom), 0.002 * student_95(freedom))
        << freedom;
}

/// The density of Student's t distribution, integrated by the trapezoidal rule.
TEST(Student, is_the_integral_of_its_density) {
  for (const std::size_t freedom : {1U, 2U, 3U, 4U, 7U, 10U}) {
    const auto n = static_cast<double>(freedom);
    const auto density = [n](double x) {
      return std::exp(std::lgamma((n + 1) / 2) - std::lgamma(n / 2)) /
             std::sqrt(n * std::numbers::pi) * std::pow(1 + x * x / n, -(n + 1) / 2);
    };
    double area = 0.5;
    constexpr double step = 1e-3;
    for (double x = 0; x < 3 - step / 2; x += step)
      area += step * (density(x) + density(x + step)) / 2;
    EXPECT_NEAR(student_cdf(3, freedom), area, 1e-6) << freedom;
    EXPECT_NEAR(student_cdf(-3, freedom), 1 - area, 1e-6) << freedom;
    EXPECT_DOUBLE_EQ(student_cdf(0, freedom), 0.5);
  }
}

} // namespace
} // namespace hypermile::collective
