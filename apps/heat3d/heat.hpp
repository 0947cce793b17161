#pragma once

#include "common/field.hpp"
#include "heat3d/problem.hpp"
#include "heat3d/walls.hpp"

namespace apps::heat3d {

/// The heat equation by explicit time steps, from the sum of the modes: one rank's block.
class Heat {
public:
  Heat(const Problem& problem, const RankGrid& grid);

  void restart();
  /// Computes the block, then exchanges its walls.
  void step();

  /// Of the block's first cell.
  [[nodiscard]] double first_cell() const { return now_.row(1, 1)[1]; }
  /// The 2-norm of the field, over all ranks.
  [[nodiscard]] double norm() const;
  /// The largest distance from the exact solution after `steps` steps, over all ranks.
  [[nodiscard]] double error(int steps) const;

private:
  std::uint32_t side_;
  Block block_;
  Field now_;
  Field before_;
  Walls walls_;
};

} // namespace apps::heat3d
