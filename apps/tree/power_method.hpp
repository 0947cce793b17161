#pragma once

#include "tree/binomial_tree.hpp"
#include "tree/matrix.hpp"

#include <vector>

namespace apps::tree {

/// The power method: x becomes A x, normalised, from equal parts of all axes. Every rank has
/// all of x, and columns of A.
class PowerMethod {
public:
  PowerMethod(BinomialTree& tree, const Columns& columns, std::size_t order);

  void restart();
  void iterate();

  [[nodiscard]] const std::vector<double>& vector() const { return x_; }
  /// x . A x for the x that the last iteration began with.
  [[nodiscard]] double rayleigh_quotient() const { return rayleigh_quotient_; }

private:
  BinomialTree& tree_;
  const Columns& columns_;
  std::vector<double> x_;
  std::vector<double> product_;
  double rayleigh_quotient_ = 0.0;
};

} // namespace apps::tree
