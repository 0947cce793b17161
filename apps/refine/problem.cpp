#include "refine/problem.hpp"

#include <cmath>
#include <numbers>

namespace apps::refine {

std::array<double, 2> Problem::wind(int step) const {
  const double angle = 2.0 * std::numbers::pi * step * time_step();
  return {std::cos(angle), std::sin(angle)};
}

double Problem::start(double x, double y) {
  constexpr double width = 0.06;
  const double dx = x - 0.3;
  const double dy = y - 0.4;
  return std::exp(-(dx * dx + dy * dy) / (width * width));
}

const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 8, 16, 800},
      {'W', 16, 16, 5000},
      {'A', 16, 32, 10000},
  }};
  return problems[problem_classes.find(name)];
}

} // namespace apps::refine
