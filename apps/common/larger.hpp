#pragma once

#include <limits>

namespace apps {

/// The larger of the two; infinity where one is no number, which std::max would pass over.
constexpr double larger(double a, double b) {
  if (b <= a)
    return a;
  return b > a ? b : std::numeric_limits<double>::infinity();
}

} // namespace apps
