#include "multisplitting/problem.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace apps::multisplitting {
namespace {

constexpr std::array<std::uint32_t, problem_classes.size()> sides = {24, 48, 96};

/// 4 x (1 - x): 0 at the walls, 1 in the middle.
double bump(double x) { return 4.0 * x * (1.0 - x); }

} // namespace

double Problem::solution(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
  const double width = 1.0 / (side + 1.0);
  const double a = x * width;
  const double b = y * width;
  const double c = z * width;
  return bump(a) * bump(b) * bump(c) * (1.0 + a + 2.0 * b * b + 4.0 * c); // no symmetry
}

double Problem::right_hand_side(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
  return 6.0 * solution(x, y, z) - solution(x - 1, y, z) - solution(x + 1, y, z) -
         solution(x, y - 1, z) - solution(x, y + 1, z) - solution(x, y, z - 1) -
         solution(x, y, z + 1);
}

double Problem::least_eigenvalue() const {
  const double sine = std::sin(std::numbers::pi / (2.0 * (side + 1.0)));
  return 12.0 * sine * sine;
}

double Problem::points() const { return 1.0 * side * side * side; }

double Problem::rounding() const {
  // Seven terms of at most 6 largest_value, in both sides of the equation.
  return 2.0 * 7.0 * 6.0 * largest_value * std::numeric_limits<double>::epsilon() *
         std::sqrt(points());
}

std::uint32_t side_of_class(char name) { return sides[problem_classes.find(name)]; }

} // namespace apps::multisplitting
