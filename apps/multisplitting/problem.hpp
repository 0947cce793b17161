#pragma once

#include <cstdint>
#include <string_view>

namespace apps::multisplitting {

/// Poisson's equation in a cube, 0 at its walls: at each point 6 u less the six neighbours is the
/// right-hand side.
struct Problem {
  std::uint32_t side; ///< points along each axis, without the walls

  /// The solution that the right-hand side is made for. Points count from 1; it is 0 at the walls,
  /// and between 0 and `largest_value` elsewhere.
  [[nodiscard]] double solution(std::uint32_t x, std::uint32_t y, std::uint32_t z) const;
  static constexpr double largest_value = 8.0;
  [[nodiscard]] double right_hand_side(std::uint32_t x, std::uint32_t y, std::uint32_t z) const;

  /// The least eigenvalue of the discrete equation, 12 sin^2(pi / (2 (side + 1))).
  [[nodiscard]] double least_eigenvalue() const;
  [[nodiscard]] double points() const;
  /// What rounding may leave of the norm of a residual, even at the solution.
  [[nodiscard]] double rounding() const;
};

inline constexpr std::string_view problem_classes = "SWA";

/// Points along each axis; `name` is one of `problem_classes`.
std::uint32_t side_of_class(char name);

} // namespace apps::multisplitting
