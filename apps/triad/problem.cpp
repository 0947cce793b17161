#include "triad/problem.hpp"

#include <array>

namespace apps::triad {

const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 4U << 20U, 40},
      {'W', 16U << 20U, 60},
      {'A', 32U << 20U, 220},
  }};
  return problems[problem_classes.find(name)];
}

} // namespace apps::triad
