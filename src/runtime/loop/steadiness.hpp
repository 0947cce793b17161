#pragma once

#include "units/quantity.hpp"

#include <cstddef>

namespace hypermile::runtime {

/// Iterations whose mean is well known, however much they vary.
inline constexpr std::size_t many_iterations = 6;

/// Whether the mean length of so many iterations is known well enough to tell what gears cost: that
/// of many is, and that of few that are much alike. `error`: its standard error.
[[nodiscard]] inline bool is_well_known(std::size_t iterations, Seconds mean, Seconds error) {
  constexpr std::size_t few = 3;
  constexpr double alike = 0.006;
  return iterations >= many_iterations || (iterations >= few && error <= mean * alike);
}

} // namespace hypermile::runtime
