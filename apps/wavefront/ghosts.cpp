#include "wavefront/ghosts.hpp"

#include <mpi.h>

#include <algorithm>

namespace apps::wavefront {

Ghosts::Ghosts(const Layout& layout)
    : layout_(layout),
      out_(layout.planes * std::max<std::size_t>(layout.rows.size(), layout.columns.size())),
      in_(out_.size()) {}

template <typename Edge, typename Ghost>
void Ghosts::shift(int to, int from, std::size_t count, Edge edge, Ghost ghost) {
  constexpr int tag = 3;
  const auto size = static_cast<int>(layout_.planes * count);
  MPI_Request request{};
  MPI_Irecv(in_.data(), size, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &request);
  if (to != MPI_PROC_NULL)
    for (std::size_t plane = 0; plane < layout_.planes; ++plane)
      for (std::size_t i = 0; i < count; ++i)
        out_[plane * count + i] = edge(plane + 1, i + 1);
  MPI_Send(out_.data(), size, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (from != MPI_PROC_NULL)
    for (std::size_t plane = 0; plane < layout_.planes; ++plane)
      for (std::size_t i = 0; i < count; ++i)
        ghost(plane + 1, i + 1) = in_[plane * count + i];
}

void Ghosts::exchange(Field& field) {
  const std::size_t rows = layout_.rows.size();
  const std::size_t columns = layout_.columns.size();
  const auto row = [&](std::size_t index) {
    return [&field, index](std::size_t plane, std::size_t i) -> double& {
      return field.row(plane, index)[i];
    };
  };
  const auto column = [&](std::size_t index) {
    return [&field, index](std::size_t plane, std::size_t i) -> double& {
      return field.row(plane, i)[index];
    };
  };
  shift(layout_.south, layout_.north, columns, row(rows), row(0));
  shift(layout_.north, layout_.south, columns, row(1), row(rows + 1));
  shift(layout_.east, layout_.west, rows, column(columns), column(0));
  shift(layout_.west, layout_.east, rows, column(1), column(columns + 1));
}

} // namespace apps::wavefront
