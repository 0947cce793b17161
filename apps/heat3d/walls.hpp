#pragma once

#include "common/field.hpp"
#include "common/rank_grid.hpp"

#include <mpi.h>

#include <array>

namespace apps::heat3d {

/// Fills the ghosts of a rank's block from the walls of its neighbours, one axis after the other.
/// An axis takes four steps of blocking messages [M16]:
///
/// 1. ranks at even places send to the next rank,
/// 2. those at odd places send to the next rank,
/// 3. those at odd places send to the rank before,
/// 4. those at even places send to the rank before.
///
/// Who does not send in a step receives. The ghosts at the border of the cube stay as they are.
class Walls {
public:
  /// For fields that are as large as this one.
  Walls(const RankGrid& grid, const Field& field);
  ~Walls();
  Walls(const Walls&) = delete;
  Walls& operator=(const Walls&) = delete;

  void exchange(Field& field) const;

private:
  /// Steps 1 and 2 are those up, steps 3 and 4 those down.
  void pass(Field& field, std::size_t axis, bool evens_send, bool up) const;

  RankGrid grid_;
  std::array<MPI_Datatype, axes> types_{}; ///< of a wall across each axis
};

} // namespace apps::heat3d
