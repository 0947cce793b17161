#pragma once

#include "common/range.hpp"

#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

namespace apps::halo2d {

/// This rank's block of a field with one layer of ghost points around it: row 0 and column 0
/// are ghosts, the block begins at (1, 1).
struct Field {
  Field(std::uint32_t rows, std::uint32_t columns)
      : stride(columns + std::size_t{2}), values((rows + std::size_t{2}) * stride, 0.0) {}

  double* row(std::size_t index) { return values.data() + index * stride; }
  [[nodiscard]] const double* row(std::size_t index) const {
    return values.data() + index * stride;
  }

  std::size_t stride;
  std::vector<double> values;
};

/// A square of points cut into blocks, one for each rank of a Cartesian communicator.
class Domain {
public:
  /// `shape`: how many ranks in each direction.
  Domain(std::uint32_t side, std::array<int, 2> shape);
  ~Domain();
  Domain(const Domain&) = delete;
  Domain& operator=(const Domain&) = delete;

  [[nodiscard]] Range rows() const { return rows_; }
  [[nodiscard]] Range columns() const { return columns_; }

  /// Fills the ghost points from the four neighbours. At the border they stay as they are.
  void exchange(Field& field) const;

private:
  MPI_Comm grid_{};
  MPI_Datatype column_{}; ///< one column of the block
  Range rows_;
  Range columns_;
  std::array<int, 4> neighbours_{}; ///< above, below, left, right
};

} // namespace apps::halo2d
