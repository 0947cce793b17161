#include "cg/problem.hpp"

#include <array>
#include <cmath>

namespace apps::cg {
namespace {

constexpr std::array<Problem, problem_classes.size()> problems = {{
    {'S', 1400, 7, 15, 10, 8.5971775078648},
    {'W', 7000, 8, 15, 12, 10.362595087124},
    {'A', 14000, 11, 15, 20, 17.130235054029},
    {'B', 75000, 13, 75, 60, 22.712745482631},
    {'C', 150000, 15, 75, 110, 28.973605592845},
}};

} // namespace

bool Problem::verified(double computed_zeta) const {
  return std::abs(computed_zeta - zeta) / zeta <= tolerance;
}

double Problem::operations() const {
  const double nonzeros = nonzer * (nonzer + 1.0);
  return 2.0 * iterations * n * (3.0 + nonzeros + cg_steps * (5.0 + nonzeros) + 3.0);
}

const Problem& problem_of_class(char name) { return problems[problem_classes.find(name)]; }

} // namespace apps::cg
