#pragma once

#include <cstdint>
#include <string_view>

namespace apps::cg {

/// One class of the NAS CG specification.
struct Problem {
  char name;
  std::uint32_t n;      ///< order of the matrix
  std::uint32_t nonzer; ///< random non-zeros of each generating vector
  int iterations;       ///< of the power method, each with `cg_steps` steps of CG
  double shift;
  double zeta; ///< published result

  static constexpr double rcond = 0.1;
  static constexpr int cg_steps = 25;
  static constexpr double tolerance = 1e-10;

  [[nodiscard]] bool verified(double computed_zeta) const;
  /// Operations of the timed part, as the specification counts them.
  [[nodiscard]] double operations() const;
};

inline constexpr std::string_view problem_classes = "SWABC";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::cg
