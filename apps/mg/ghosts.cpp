#include "mg/ghosts.hpp"

#include <mpi.h>

namespace apps::mg {
namespace {

// By the side that a message comes from.
constexpr std::array<int, 2> tags = {1, 2};

std::size_t largest_plane(const LevelPart& part) {
  const Field shape(part.size());
  return std::max({shape.plane_size(0), shape.plane_size(1), shape.plane_size(2)});
}

} // namespace

Ghosts::Ghosts(const RankGrid& grid, const LevelPart& part, const LevelPart& next_finer)
    : grid_(grid), part_(part), takes_part_in_finer_(next_finer.is_active()),
      out_(largest_plane(part)), in_{out_, out_} {}

std::array<int, 2> Ghosts::neighbours(std::size_t axis, std::uint32_t distance) const {
  return {grid_.neighbour(axis, -static_cast<std::int64_t>(distance)),
          grid_.neighbour(axis, distance)};
}

void Ghosts::send_edges(const Field& field, std::size_t axis, const std::array<int, 2>& to) {
  const auto count = static_cast<int>(field.plane_size(axis));
  field.get_plane(axis, field.size[axis], out_);
  MPI_Send(out_.data(), count, MPI_DOUBLE, to[1], tags[0], MPI_COMM_WORLD);
  field.get_plane(axis, 1, out_);
  MPI_Send(out_.data(), count, MPI_DOUBLE, to[0], tags[1], MPI_COMM_WORLD);
}

template <typename BetweenPostAndWait>
void Ghosts::receive_ghosts(Field& field, std::size_t axis, const std::array<int, 2>& from,
                            BetweenPostAndWait between) {
  const auto count = static_cast<int>(field.plane_size(axis));
  std::array<MPI_Request, 2> requests{};
  for (std::size_t side = 0; side < 2; ++side)
    MPI_Irecv(in_[side].data(), count, MPI_DOUBLE, from[side], tags[side], MPI_COMM_WORLD,
              &requests[side]);
  between();
  for (std::size_t side = 0; side < 2; ++side) {
    MPI_Wait(&requests[side], MPI_STATUS_IGNORE);
    field.set_plane(axis, side == 0 ? 0 : field.size[axis] + 1, in_[side]);
  }
}

void Ghosts::exchange(Field& field) {
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto partners = neighbours(axis, part_.parts[axis].stride);
    receive_ghosts(field, axis, partners, [&] { send_edges(field, axis, partners); });
  }
}

/// A rank without points on an axis lies halfway between two that have some. The later axes are
/// still to come, so only ranks that have points there are in it.
void Ghosts::extend(Field& field) {
  if (!takes_part_in_finer_)
    return;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    bool is_in = part_.parts[axis].stride > 1;
    for (std::size_t later = axis + 1; later < axes; ++later)
      is_in = is_in && field.size[later] > 0;
    if (!is_in)
      continue;
    const auto partners = neighbours(axis, part_.parts[axis].stride / 2);
    if (field.size[axis] > 0)
      send_edges(field, axis, partners);
    else
      receive_ghosts(field, axis, partners, [] {});
  }
}

} // namespace apps::mg
