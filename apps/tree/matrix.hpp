#pragma once

#include "common/range.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace apps::tree {

/// A symmetric matrix of which all is known: H diag(l) H, with the reflection
/// H = I - 2 v v^T, |v| = 1, and the eigenvalues 1 = l_0 > l_1 > ... > 0.
class Spectrum {
public:
  explicit Spectrum(std::uint32_t order);

  [[nodiscard]] std::size_t order() const { return reflection_.size(); }
  [[nodiscard]] double entry(std::size_t row, std::size_t column) const;

  /// What the power method has after `iterations` multiplications, from equal parts of all
  /// axes and normalised each time: H (c_i l_i^iterations), normalised, with c = H x_0.
  [[nodiscard]] std::vector<double> power_vector(int iterations) const;

  /// x . A x for that vector x.
  [[nodiscard]] double rayleigh_quotient(int iterations) const;

  /// How far that vector may be off by rounding, in the 2-norm. A product errs by at most
  /// (order + 16) epsilon | |A| |, and | |H| | is at most 3; what is lost of the first
  /// eigenvector in normalising, 1 / |c_0|, enlarges it.
  [[nodiscard]] double rounding_bound(int iterations) const;

private:
  /// c_i l_i^iterations, of length 1.
  [[nodiscard]] std::vector<double> coefficients(int iterations) const;
  void reflect(std::vector<double>& x) const;

  std::vector<double> reflection_; ///< v
  std::vector<double> eigenvalues_;
  double coupling_ = 0.0; ///< v^T diag(l) v
};

/// One rank's columns of the matrix, one after the other.
class Columns {
public:
  Columns(const Spectrum& spectrum, Range range);

  [[nodiscard]] Range range() const { return range_; }
  /// product = these columns times their part of x: this rank's share of A x.
  void multiply(std::span<const double> x, std::span<double> product) const;

private:
  Range range_;
  std::size_t order_;
  std::vector<double> values_;
};

} // namespace apps::tree
