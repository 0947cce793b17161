#include "heat3d/walls.hpp"

namespace apps::heat3d {
namespace {

constexpr int tag = 1;

/// The cells of one plane across `axis`, without its ghosts. In C the last axis of an array, x
/// here, is the one whose cells are next to each other.
MPI_Datatype wall_type(const Field& field, std::size_t axis) {
  std::array<int, axes> whole{};
  std::array<int, axes> wall{};
  for (std::size_t i = 0; i < axes; ++i) {
    whole[axes - 1 - i] = static_cast<int>(field.size[i] + 2);
    wall[axes - 1 - i] = i == axis ? 1 : static_cast<int>(field.size[i]);
  }
  const std::array<int, axes> starts{};
  MPI_Datatype type{};
  MPI_Type_create_subarray(static_cast<int>(axes), whole.data(), wall.data(), starts.data(),
                           MPI_ORDER_C, MPI_DOUBLE, &type);
  MPI_Type_commit(&type);
  return type;
}

/// Where the plane `index` across `axis` begins, without its ghosts.
double* wall_at(Field& field, std::size_t axis, std::size_t index) {
  std::array<std::size_t, axes> first = {1, 1, 1};
  first[axis] = index;
  return field.row(first[2], first[1]) + first[0];
}

} // namespace

Walls::Walls(const RankGrid& grid, const Field& field) : grid_(grid) {
  for (std::size_t axis = 0; axis < axes; ++axis)
    types_[axis] = wall_type(field, axis);
}

Walls::~Walls() {
  for (MPI_Datatype& type : types_)
    MPI_Type_free(&type);
}

void Walls::exchange(Field& field) const {
  for (std::size_t axis = 0; axis < axes; ++axis) {
    pass(field, axis, true, true);
    pass(field, axis, false, true);
    pass(field, axis, false, false);
    pass(field, axis, true, false);
  }
}

void Walls::pass(Field& field, std::size_t axis, bool evens_send, bool up) const {
  const bool is_even = grid_.place[axis] % 2 == 0;
  const bool sends = is_even == evens_send;
  const auto partner = grid_.neighbour_within(axis, sends == up ? 1 : -1);
  if (!partner)
    return;
  const std::size_t last = field.size[axis];
  if (sends)
    MPI_Send(wall_at(field, axis, up ? last : 1), 1, types_[axis], *partner, tag, MPI_COMM_WORLD);
  else
    MPI_Recv(wall_at(field, axis, up ? 0 : last + 1), 1, types_[axis], *partner, tag,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

} // namespace apps::heat3d
