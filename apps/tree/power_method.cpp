#include "tree/power_method.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace apps::tree {

PowerMethod::PowerMethod(BinomialTree& tree, const Columns& columns, std::size_t order)
    : tree_(tree), columns_(columns), x_(order), product_(order) {
  restart();
}

void PowerMethod::restart() {
  std::ranges::fill(x_, 1.0 / std::sqrt(static_cast<double>(x_.size())));
}

void PowerMethod::iterate() {
  columns_.multiply(x_, product_);
  tree_.sum(product_);
  std::array<double, 2> dots{}; // x . A x and A x . A x, each rank's part of them
  for (std::size_t i = columns_.range().begin; i < columns_.range().end; ++i) {
    dots[0] += x_[i] * product_[i];
    dots[1] += product_[i] * product_[i];
  }
  tree_.sum(dots);
  rayleigh_quotient_ = dots[0];
  const double scale = 1.0 / std::sqrt(dots[1]);
  for (std::size_t i = 0; i < x_.size(); ++i)
    x_[i] = scale * product_[i];
}

} // namespace apps::tree
