#include "mg/problem.hpp"

#include <array>
#include <cmath>

namespace apps::mg {
namespace {

constexpr Weights small_classes = {-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0};
constexpr Weights large_classes = {-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0, 0.0};

constexpr std::array<Problem, problem_classes.size()> problems = {{
    {'S', 5, 4, small_classes, 0.5307707005734e-4},
    {'W', 7, 4, small_classes, 0.6467329375339e-5},
    {'A', 8, 4, small_classes, 0.2433365309069e-5},
    {'B', 8, 20, large_classes, 0.1800564401355e-5},
    {'C', 9, 20, large_classes, 0.5706732285740e-6},
}};

} // namespace

double Problem::distance(double computed_residual) const {
  return std::abs(computed_residual - residual) / residual;
}

const Problem& problem_of_class(char name) { return problems[problem_classes.find(name)]; }

} // namespace apps::mg
