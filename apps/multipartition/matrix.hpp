#pragma once

#include "multipartition/problem.hpp"

#include <Eigen/Dense>

namespace apps::multipartition {

using Matrix = Eigen::Matrix<double, components, components>;
using Vector = Eigen::Matrix<double, components, 1>;

/// A of the equation.
inline Matrix coupling() {
  Matrix a;
  for (std::size_t row = 0; row < components; ++row)
    for (std::size_t column = 0; column < components; ++column)
      a(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
          Problem::coupling(row, column);
  return a;
}

} // namespace apps::multipartition
