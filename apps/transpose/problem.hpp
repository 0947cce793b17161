#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace apps::transpose {

/// One size of the motion of a free quantum particle on a periodic square.
struct Problem {
  char name;
  std::uint32_t side; ///< points in each direction, a power of two
  int iterations;     ///< time steps
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
inline const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 256, 200},
      {'W', 512, 260},
      {'A', 1024, 400},
  }};
  return problems[problem_classes.find(name)];
}

} // namespace apps::transpose
