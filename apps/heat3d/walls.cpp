#include "heat3d/walls.hpp"

#include <mpi.h>

#include <algorithm>

namespace apps::heat3d {
namespace {

constexpr int tag = 1;

} // namespace

Walls::Walls(const RankGrid& grid, const Field& field)
    : grid_(grid),
      wall_(std::max({field.plane_size(0), field.plane_size(1), field.plane_size(2)})) {}

void Walls::exchange(Field& field) {
  for (std::size_t axis = 0; axis < axes; ++axis) {
    pass(field, axis, true, true);
    pass(field, axis, false, true);
    pass(field, axis, false, false);
    pass(field, axis, true, false);
  }
}

void Walls::pass(Field& field, std::size_t axis, bool evens_send, bool up) {
  const bool is_even = grid_.place[axis] % 2 == 0;
  const bool sends = is_even == evens_send;
  const auto partner = grid_.neighbour_within(axis, sends == up ? 1 : -1);
  if (!partner)
    return;
  const auto count = static_cast<int>(field.plane_size(axis));
  const std::size_t last = field.size[axis];
  if (sends) {
    field.get_plane(axis, up ? last : 1, wall_);
    MPI_Send(wall_.data(), count, MPI_DOUBLE, *partner, tag, MPI_COMM_WORLD);
  } else {
    MPI_Recv(wall_.data(), count, MPI_DOUBLE, *partner, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    field.set_plane(axis, up ? 0 : last + 1, wall_);
  }
}

} // namespace apps::heat3d
