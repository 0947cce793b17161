#pragma once

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
const Problem& problem_of_class(char name);

} // namespace apps::transpose
