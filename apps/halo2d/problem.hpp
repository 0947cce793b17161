#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace apps::halo2d {

/// One size of the heat equation on the unit square, held at 0 along its border.
struct Problem {
  char name;
  std::uint32_t side; ///< points in each direction, without the border
  int iterations;     ///< time steps

  /// Time step over the square of the mesh width; explicit steps are stable up to 1/4.
  static constexpr double ratio = 0.2;
  static constexpr int check_interval = 10; ///< steps between two residuals
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
inline const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 1536, 180},
      {'W', 2048, 700},
      {'A', 3072, 2200},
  }};
  return problems[problem_classes.find(name)];
}

} // namespace apps::halo2d
