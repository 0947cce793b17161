#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace apps::multipartition {

/// Quantities at each point.
inline constexpr std::size_t components = 5;

/// One size of the diffusion of five quantities through a unit cube, all 0 at its walls:
/// u_t = A (u_xx + u_yy + u_zz), where A couples the quantities.
struct Problem {
  char name;
  std::uint32_t points; ///< along each axis, without the walls
  int iterations;       ///< time steps

  /// Half a time step over the square of the mesh width.
  static constexpr double half_step = 0.1;

  /// A of the equation. Each quantity is pushed by those after it and held back by those before,
  /// so all eigenvalues of A have the real part 1.
  static constexpr double coupling(std::size_t row, std::size_t column) {
    if (row == column)
      return 1.0;
    return row < column ? 0.1 : -0.1;
  }
};

/// The sizes are those of NAS BT.
inline constexpr std::string_view problem_classes = "SWABC";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::multipartition
