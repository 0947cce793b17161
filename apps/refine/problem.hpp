#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace apps::refine {

/// A bump that a wind carries round in a periodic unit square, on blocks of cells that are finer
/// where the bump is.
struct Problem {
  char name;
  std::uint32_t roots; ///< blocks per side where nothing is refined
  std::uint32_t cells; ///< per side of a block, even
  int iterations;      ///< time steps

  static constexpr unsigned finest_level = 2;  ///< each level halves the side of a block
  static constexpr int regrid_interval = 20;   ///< time steps between two refinements
  static constexpr double refine_above = 0.05; ///< difference of values within a block
  static constexpr double coarsen_below = 0.02;

  [[nodiscard]] double cell_width(unsigned level) const { return 1.0 / (roots * cells << level); }
  /// Such that no step moves anything by more than half of the smallest cell.
  [[nodiscard]] double time_step() const { return 0.3 * cell_width(finest_level); }
  /// The speed is 1; its direction turns.
  [[nodiscard]] std::array<double, 2> wind(int step) const;
  /// The value at the beginning: 1 in the middle of the bump, 0 far away.
  [[nodiscard]] static double start(double x, double y);
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::refine
