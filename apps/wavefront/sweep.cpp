#include "wavefront/sweep.hpp"

#include <mpi.h>

namespace apps::wavefront {
namespace {

constexpr int row_tag = 1;
constexpr int column_tag = 2;

} // namespace

Sweep::Sweep(const Layout& layout, double relaxation)
    : layout_(layout), relaxation_(relaxation), column_(layout.rows.size()) {}

void Sweep::solve(const Field& residual, Field& correction) {
  const std::size_t last_row = layout_.rows.size();
  const std::size_t last_column = layout_.columns.size();
  for (std::size_t plane = 1; plane <= layout_.planes; ++plane) {
    receive(correction, plane, layout_.north, 0, layout_.west, 0);
    lower(residual, correction, plane);
    send(correction, plane, layout_.south, last_row, layout_.east, last_column);
  }
  for (std::size_t plane = layout_.planes; plane >= 1; --plane) {
    receive(correction, plane, layout_.south, last_row + 1, layout_.east, last_column + 1);
    upper(correction, plane);
    send(correction, plane, layout_.north, 1, layout_.west, 1);
  }
}

/// (D - w L) y = w (2 - w) residual, for one plane
void Sweep::lower(const Field& residual, Field& y, std::size_t plane) const {
  const double source = relaxation_ * (2.0 - relaxation_) / 6.0;
  const double factor = relaxation_ / 6.0;
  for (std::size_t row = 1; row <= layout_.rows.size(); ++row) {
    const double* r = residual.row(plane, row);
    const double* north = y.row(plane, row - 1);
    const double* below = y.row(plane - 1, row);
    double* result = y.row(plane, row);
    for (std::size_t i = 1; i <= layout_.columns.size(); ++i)
      result[i] = (source * r[i] + factor * (north[i] + below[i])) + factor * result[i - 1];
  }
}

/// (D - w U) d = D y, for one plane of d, which holds y
void Sweep::upper(Field& d, std::size_t plane) const {
  const double factor = relaxation_ / 6.0;
  for (std::size_t row = layout_.rows.size(); row >= 1; --row) {
    const double* south = d.row(plane, row + 1);
    const double* above = d.row(plane + 1, row);
    double* result = d.row(plane, row);
    for (std::size_t i = layout_.columns.size(); i >= 1; --i)
      result[i] = (result[i] + factor * (south[i] + above[i])) + factor * result[i + 1];
  }
}

void Sweep::receive(Field& field, std::size_t plane, int row_from, std::size_t ghost_row,
                    int column_from, std::size_t ghost_column) {
  MPI_Recv(field.row(plane, ghost_row) + 1, static_cast<int>(layout_.columns.size()), MPI_DOUBLE,
           row_from, row_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(column_.data(), static_cast<int>(column_.size()), MPI_DOUBLE, column_from, column_tag,
           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (column_from == MPI_PROC_NULL)
    return;
  for (std::size_t row = 0; row < column_.size(); ++row)
    field.row(plane, row + 1)[ghost_column] = column_[row];
}

void Sweep::send(Field& field, std::size_t plane, int row_to, std::size_t edge_row, int column_to,
                 std::size_t edge_column) {
  MPI_Send(field.row(plane, edge_row) + 1, static_cast<int>(layout_.columns.size()), MPI_DOUBLE,
           row_to, row_tag, MPI_COMM_WORLD);
  for (std::size_t row = 0; row < column_.size(); ++row)
    column_[row] = field.row(plane, row + 1)[edge_column];
  MPI_Send(column_.data(), static_cast<int>(column_.size()), MPI_DOUBLE, column_to, column_tag,
           MPI_COMM_WORLD);
}

} // namespace apps::wavefront
