#pragma once

#include <cstdint>
#include <string_view>

namespace apps::mixed {

/// One size of iterations of two segments: one that waits for memory, one that computes.
struct Problem {
  char name;
  std::uint32_t length; ///< numbers in each of three arrays, of all ranks together
  std::uint32_t points; ///< that are turned, likewise
  int turns;            ///< of each point in an iteration
  int iterations;
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::mixed
