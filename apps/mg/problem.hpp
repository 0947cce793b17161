#pragma once

#include "mg/stencil.hpp"

#include <cstdint>
#include <string_view>

namespace apps::mg {

/// One class of the NAS MG specification: Poisson's equation in a periodic cube.
struct Problem {
  char name;
  unsigned levels; ///< of the multigrid; the finest has 2^levels points per side
  int iterations;  ///< V-cycles
  Weights smoother;
  double residual; ///< published result: 2-norm of the residual, divided by sqrt(points)

  static constexpr double tolerance = 1e-8; ///< relative

  [[nodiscard]] std::uint32_t side() const { return std::uint32_t{1} << levels; }
  [[nodiscard]] double points() const { return 1.0 * side() * side() * side(); }
  /// Relative distance from the published result.
  [[nodiscard]] double distance(double computed_residual) const;
};

inline constexpr std::string_view problem_classes = "SWABC";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::mg
