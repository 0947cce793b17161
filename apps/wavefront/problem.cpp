#include "wavefront/problem.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace apps::wavefront {
namespace {

constexpr std::array<Problem, problem_classes.size()> problems = {{
    {'S', 384, 384, 8, 50},
    {'W', 512, 384, 10, 200},
    {'A', 512, 512, 24, 520},
    {'T', 192, 192, 250, 60},
}};

double squared_sine(std::uint32_t points) {
  const double sine = std::sin(std::numbers::pi / (2.0 * (points + 1.0)));
  return sine * sine;
}

/// 4 x (1 - x): 0 at the walls, 1 in the middle.
double bump(double x) { return 4.0 * x * (1.0 - x); }

} // namespace

double Problem::solution(std::uint32_t column, std::uint32_t row, std::uint32_t plane) const {
  const double x = column / (columns + 1.0);
  const double y = row / (rows + 1.0);
  const double z = plane / (planes + 1.0);
  return bump(x) * bump(y) * bump(z) * (1.0 + x + 2.0 * y * y + 4.0 * z); // no symmetry
}

double Problem::least_eigenvalue() const {
  return 4.0 * (squared_sine(columns) + squared_sine(rows) + squared_sine(planes));
}

double Problem::relaxation() const {
  const double mu = 1.0 - least_eigenvalue() / 6.0;
  return 2.0 / (1.0 + std::sqrt(1.0 - mu * mu));
}

double Problem::points() const { return 1.0 * columns * rows * planes; }

const Problem& problem_of_class(char name) { return problems[problem_classes.find(name)]; }

} // namespace apps::wavefront
