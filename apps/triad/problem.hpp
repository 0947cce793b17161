#pragma once

#include <cstdint>
#include <string_view>

namespace apps::triad {

/// One size of the sweeps over long arrays.
struct Problem {
  char name;
  std::uint32_t length; ///< numbers in each of three arrays, of all ranks together
  int iterations;
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::triad
