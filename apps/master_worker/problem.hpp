#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace apps::master_worker {

/// One size of a series of integrals, each cut into items of uneven work.
struct Problem {
  char name;
  std::uint32_t items; ///< of one integral
  int iterations;      ///< integrals, one after the other
  double tolerance;    ///< of one integral
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
inline const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 64, 25, 1e-10},
      {'W', 96, 60, 1e-11},
      {'A', 128, 240, 3e-12},
  }};
  return problems[problem_classes.find(name)];
}

} // namespace apps::master_worker
