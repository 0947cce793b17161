#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace apps::tree {

/// One size of the search for the largest eigenvalue of a dense matrix.
struct Problem {
  char name;
  std::uint32_t order;
  int iterations;
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
inline const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 3072, 80},
      {'W', 4096, 280},
      {'A', 6144, 930},
  }};
  return problems[problem_classes.find(name)];
}

} // namespace apps::tree
