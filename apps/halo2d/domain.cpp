#include "halo2d/domain.hpp"

namespace apps::halo2d {

Domain::Domain(std::uint32_t side, std::array<int, 2> shape) {
  const std::array<int, 2> periods{};
  MPI_Cart_create(MPI_COMM_WORLD, 2, shape.data(), periods.data(), 1, &grid_);
  int rank = 0;
  MPI_Comm_rank(grid_, &rank);
  std::array<int, 2> place{};
  MPI_Cart_coords(grid_, rank, 2, place.data());
  const auto part = [&](std::size_t direction) {
    return part_of({0, side}, static_cast<std::uint32_t>(shape[direction]),
                   static_cast<std::uint32_t>(place[direction]));
  };
  rows_ = part(0);
  columns_ = part(1);
  MPI_Cart_shift(grid_, 0, 1, &neighbours_[0], &neighbours_[1]);
  MPI_Cart_shift(grid_, 1, 1, &neighbours_[2], &neighbours_[3]);
  MPI_Type_vector(static_cast<int>(rows_.size()), 1, static_cast<int>(columns_.size() + 2),
                  MPI_DOUBLE, &column_);
  MPI_Type_commit(&column_);
}

Domain::~Domain() {
  MPI_Type_free(&column_);
  MPI_Comm_free(&grid_);
}

void Domain::exchange(Field& field) const {
  const std::size_t last_row = rows_.size();
  const std::size_t last_column = columns_.size();
  const std::array<double*, 4> ghosts = {field.row(0) + 1, field.row(last_row + 1) + 1,
                                         field.row(1), field.row(1) + last_column + 1};
  const std::array<double*, 4> edges = {field.row(1) + 1, field.row(last_row) + 1, field.row(1) + 1,
                                        field.row(1) + last_column};
  std::array<MPI_Request, 8> requests{};
  for (std::size_t side = 0; side < 4; ++side) {
    const bool is_row = side < 2;
    const int count = is_row ? static_cast<int>(last_column) : 1;
    const MPI_Datatype type = is_row ? MPI_DOUBLE : column_;
    const int tag = static_cast<int>(side);
    MPI_Irecv(ghosts[side], count, type, neighbours_[side], tag ^ 1, grid_, &requests[side]);
    MPI_Isend(edges[side], count, type, neighbours_[side], tag, grid_, &requests[side + 4]);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

} // namespace apps::halo2d
