#pragma once

#include "common/range.hpp"
#include "common/rank_grid.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace apps::heat3d {

/// One size of the heat equation in a cube, held at 0 along its walls.
struct Problem {
  char name;
  std::uint32_t side; ///< cells in each direction
  int iterations;     ///< time steps

  /// Time step over the square of the cell width; explicit steps are stable up to 1/6. A power of
  /// two, so that products with it do not round.
  static constexpr double ratio = 0.125;
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

/// The cells of one rank: a range along each axis.
using Block = std::array<Range, axes>;

/// No range is empty if the cube has at least as many cells along each axis as there are ranks.
Block block_of(const Problem& problem, const RankGrid& grid);

/// The work of a rank in one time step: so many additions and multiplications.
std::uint64_t operations(const Block& block);

} // namespace apps::heat3d
