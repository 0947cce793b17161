/// Jacobi iterations on a two-dimensional grid of ranks: Isend, Irecv, Waitall with
/// four neighbours. The field x + 2 y + 1 solves the equation and so must not change.
/// halo2d [iterations] [points of a rank's side]
#include "program.hpp"

#include <array>
#include <utility>
#include <vector>

namespace {

struct Field {
  int stride;
  std::vector<double> values;

  explicit Field(int side)
      : stride(side + 2),
        values(static_cast<std::size_t>(stride) * static_cast<std::size_t>(stride)) {}
  double& at(int x, int y) { return values[static_cast<std::size_t>(y * stride + x)]; }
};

using Neighbours = std::array<int, 4>; // left, right, down, up

void exchange(Field& field, int side, const Neighbours& neighbours, MPI_Datatype column) {
  std::array<MPI_Request, 8> requests{};
  const std::array<double*, 4> ghosts = {&field.at(0, 1), &field.at(side + 1, 1), &field.at(1, 0),
                                         &field.at(1, side + 1)};
  const std::array<double*, 4> edges = {&field.at(1, 1), &field.at(side, 1), &field.at(1, 1),
                                        &field.at(1, side)};
  for (std::size_t k = 0; k < 4; ++k) {
    const MPI_Datatype type = k < 2 ? column : MPI_DOUBLE;
    const int count = k < 2 ? 1 : side;
    const int tag = static_cast<int>(k);
    MPI_Irecv(ghosts[k], count, type, neighbours[k], tag ^ 1, MPI_COMM_WORLD, &requests[k]);
    MPI_Isend(edges[k], count, type, neighbours[k], tag, MPI_COMM_WORLD, &requests[k + 4]);
  }
  MPI_Waitall(8, requests.data(), MPI_STATUSES_IGNORE);
}

} // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const program::World world;
  const int iterations = program::argument(argc, argv, 1, 50);
  const int side = program::argument(argc, argv, 2, 300);

  std::array<int, 2> shape{};
  MPI_Dims_create(world.ranks, 2, shape.data());
  const int column = world.rank % shape[0];
  const int row = world.rank / shape[0];
  const Neighbours neighbours = {column > 0 ? world.rank - 1 : MPI_PROC_NULL,
                                 column + 1 < shape[0] ? world.rank + 1 : MPI_PROC_NULL,
                                 row > 0 ? world.rank - shape[0] : MPI_PROC_NULL,
                                 row + 1 < shape[1] ? world.rank + shape[0] : MPI_PROC_NULL};
  const auto exact = [&](int x, int y) { return column * side + x + 2.0 * (row * side + y) + 1.0; };

  // Right everywhere but where a neighbour's value has to come.
  Field field(side);
  for (int y = 0; y <= side + 1; ++y)
    for (int x = 0; x <= side + 1; ++x) {
      const bool foreign = (x == 0 && column > 0) || (x > side && column + 1 < shape[0]) ||
                           (y == 0 && row > 0) || (y > side && row + 1 < shape[1]);
      field.at(x, y) = foreign ? -1.0 : exact(x, y);
    }
  Field next = field;
  MPI_Datatype column_type{};
  MPI_Type_vector(side, 1, side + 2, MPI_DOUBLE, &column_type);
  MPI_Type_commit(&column_type);
  for (int i = 0; i < iterations; ++i) {
    exchange(field, side, neighbours, column_type);
    for (int y = 1; y <= side; ++y)
      for (int x = 1; x <= side; ++x)
        next.at(x, y) = 0.25 * (field.at(x - 1, y) + field.at(x + 1, y) + field.at(x, y - 1) +
                                field.at(x, y + 1));
    std::swap(field, next);
  }
  MPI_Type_free(&column_type);

  bool ok = true;
  for (int y = 1; y <= side; ++y)
    for (int x = 1; x <= side; ++x)
      ok = ok && program::near(field.at(x, y), exact(x, y));
  return program::finish(ok);
}
