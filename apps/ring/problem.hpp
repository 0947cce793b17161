#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace apps::ring {

/// One size of the motion of bodies that attract each other, all pairs of them.
struct Problem {
  char name;
  std::uint32_t bodies;
  int iterations; ///< time steps

  /// Gravity is that of a body smeared out over this length: |f| = m1 m2 d / (d^2 + s^2)^1.5.
  static constexpr double softening = 0.1;
  static constexpr double total_mass = 1.0;
  /// Time step: this share of the time in which the largest acceleration moves a body by the
  /// softening length.
  static constexpr double step_share = 0.05;
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
inline const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 1024, 90},
      {'W', 2048, 160},
      {'A', 4096, 300},
  }};
  return problems[problem_classes.find(name)];
}

} // namespace apps::ring
