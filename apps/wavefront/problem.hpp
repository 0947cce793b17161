#pragma once

#include <cstdint>
#include <string_view>

namespace apps::wavefront {

/// One size of Poisson's equation in a box, 0 at its walls, with the same mesh width in
/// all directions: at each point 6 u less the six neighbours is the right-hand side.
struct Problem {
  char name;
  std::uint32_t columns; ///< points in x, without the walls; cut into blocks
  std::uint32_t rows;    ///< in y; cut into blocks
  std::uint32_t planes;  ///< in z; whole on each rank
  int iterations;        ///< time steps: each has 8 calls per plane and 12 more

  static constexpr int check_interval = 5; ///< iterations between two residual norms

  /// The solution that the right-hand side is made for. Points count from 1; it is 0 at the
  /// walls, and between 0 and `largest_value` elsewhere.
  [[nodiscard]] double solution(std::uint32_t column, std::uint32_t row, std::uint32_t plane) const;
  static constexpr double largest_value = 8.0;

  /// The least eigenvalue of the discrete equation, 4 sum_d sin^2(pi / (2 (n_d + 1))).
  [[nodiscard]] double least_eigenvalue() const;
  /// Young's relaxation factor 2 / (1 + sqrt(1 - mu^2)), mu being the spectral radius of
  /// Jacobi's iteration: the best for SOR, and good for SSOR.
  [[nodiscard]] double relaxation() const;
  [[nodiscard]] double points() const;
};

/// T is tall: with its 250 planes a time step has 2012 calls.
inline constexpr std::string_view problem_classes = "SWAT";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::wavefront
