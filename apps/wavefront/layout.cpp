#include "wavefront/layout.hpp"

#include <mpi.h>

namespace apps::wavefront {
namespace {

Range part(std::uint32_t points, int parts, int index) {
  return part_of({0, points}, static_cast<std::uint32_t>(parts), static_cast<std::uint32_t>(index));
}

} // namespace

Layout::Layout(const Problem& problem, std::array<int, 2> shape, int rank)
    : planes(problem.planes) {
  const int row = rank / shape[1];
  const int column = rank % shape[1];
  rows = part(problem.rows, shape[0], row);
  columns = part(problem.columns, shape[1], column);
  north = row > 0 ? rank - shape[1] : MPI_PROC_NULL;
  south = row + 1 < shape[0] ? rank + shape[1] : MPI_PROC_NULL;
  west = column > 0 ? rank - 1 : MPI_PROC_NULL;
  east = column + 1 < shape[1] ? rank + 1 : MPI_PROC_NULL;
}

} // namespace apps::wavefront
