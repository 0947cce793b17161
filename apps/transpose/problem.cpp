#include "transpose/problem.hpp"

#include <array>

namespace apps::transpose {

const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 256, 200},
      {'W', 512, 260},
      {'A', 1024, 400},
  }};
  return problems[problem_classes.find(name)];
}

} // namespace apps::transpose
