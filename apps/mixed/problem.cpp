#include "mixed/problem.hpp"

#include <array>

namespace apps::mixed {

const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 2U << 20U, 2048, 2000, 40},
      {'W', 8U << 20U, 4096, 4000, 60},
      {'A', 16U << 20U, 8192, 4000, 220},
  }};
  return problems[problem_classes.find(name)];
}

} // namespace apps::mixed
