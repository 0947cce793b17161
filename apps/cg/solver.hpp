#pragma once

#include "cg/grid.hpp"
#include "cg/matrix.hpp"

#include <mpi.h>

#include <span>
#include <vector>

namespace apps::cg {

/// Conjugate gradients on a matrix that is spread over a grid of ranks. All vectors
/// are this rank's part, of the length of its columns.
class Solver {
public:
  Solver(const Grid& grid, const Matrix& matrix);

  /// Solves A z = x in a fixed number of steps from z = 0; returns |x - A z|.
  double solve(std::span<const double> x, std::span<double> z);

  /// Each of `sums` becomes its sum over the ranks of this grid row.
  void sum_over_row(std::span<double> sums) const;
  [[nodiscard]] double dot(std::span<const double> a, std::span<const double> b) const;

private:
  void multiply(std::span<const double> p, std::span<double> result);
  void reduce_row();
  void transpose(std::span<double> result) const;

  const Grid& grid_;
  const Matrix& matrix_;
  std::vector<double> p_, q_, r_;
  std::vector<double> w_;        ///< a product, of the length of this rank's rows
  std::vector<double> received_; ///< a partner's share of it
};

/// This rank's share of the dot product.
double local_dot(std::span<const double> a, std::span<const double> b);

} // namespace apps::cg
