#include "wavefront/solver.hpp"

#include "common/session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace apps::wavefront {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

template <typename Visit> void for_each_row(const Layout& layout, Visit visit) {
  for (std::uint32_t plane = 1; plane <= layout.planes; ++plane)
    for (std::uint32_t row = 1; row <= layout.rows.size(); ++row)
      visit(plane, row);
}

/// The solution at a point of this rank's block, or beside it.
double solution(const Problem& problem, const Layout& layout, std::uint32_t plane,
                std::uint32_t row, std::uint32_t i) {
  return problem.solution(layout.columns.begin + i, layout.rows.begin + row, plane);
}

/// A times the solution: no rank needs another for that.
Field right_hand_side(const Problem& problem, const Layout& layout) {
  Field f(layout);
  const auto u = [&](std::uint32_t plane, std::uint32_t row, std::uint32_t i) {
    return solution(problem, layout, plane, row, i);
  };
  for_each_row(layout, [&](std::uint32_t plane, std::uint32_t row) {
    for (std::uint32_t i = 1; i <= layout.columns.size(); ++i)
      f.row(plane, row)[i] = 6.0 * u(plane, row, i) -
                             (u(plane, row, i - 1) + u(plane, row, i + 1) + u(plane, row - 1, i) +
                              u(plane, row + 1, i) + u(plane - 1, row, i) + u(plane + 1, row, i));
  });
  return f;
}

} // namespace

Solver::Solver(const Problem& problem, const Layout& layout)
    : problem_(problem), layout_(layout), ghosts_(layout), sweep_(layout, problem.relaxation()),
      f_(right_hand_side(problem, layout)), u_(layout), r_(layout), correction_(layout) {
  restart();
}

void Solver::restart() {
  std::ranges::fill(u_.values, 0.0);
  r_ = f_;
}

void Solver::sweep() { sweep_.solve(r_, correction_); }

void Solver::update() {
  for_each_row(layout_, [&](std::uint32_t plane, std::uint32_t row) {
    double* u = u_.row(plane, row);
    const double* correction = correction_.row(plane, row);
    for (std::size_t i = 1; i <= layout_.columns.size(); ++i)
      u[i] += correction[i];
  });
  ghosts_.exchange(u_);
  compute_residual();
}

void Solver::compute_residual() {
  for_each_row(layout_, [&](std::uint32_t plane, std::uint32_t row) {
    const double* u = u_.row(plane, row);
    const double* north = u_.row(plane, row - 1);
    const double* south = u_.row(plane, row + 1);
    const double* below = u_.row(plane - 1, row);
    const double* above = u_.row(plane + 1, row);
    const double* f = f_.row(plane, row);
    double* r = r_.row(plane, row);
    for (std::size_t i = 1; i <= layout_.columns.size(); ++i)
      r[i] = f[i] -
             (6.0 * u[i] - ((u[i - 1] + u[i + 1]) + (north[i] + south[i]) + (below[i] + above[i])));
  });
}

template <typename Value> double Solver::sum_of(Value value) const {
  double sum = 0.0;
  for_each_row(layout_, [&](std::uint32_t plane, std::uint32_t row) {
    double row_sum = 0.0; // keeps the rounding small
    for (std::uint32_t i = 1; i <= layout_.columns.size(); ++i)
      row_sum += value(plane, row, i);
    sum += row_sum;
  });
  return sum_of_ranks(sum);
}

double Solver::residual_norm() const {
  return std::sqrt(sum_of([&](std::uint32_t plane, std::uint32_t row, std::uint32_t i) {
    return r_.row(plane, row)[i] * correction_.row(plane, row)[i];
  }));
}

double Solver::residual_rounding() const {
  // Eight roundings of at most twelve times the largest value, in each point.
  return 8.0 * 12.0 * epsilon * Problem::largest_value * std::sqrt(problem_.points());
}

double Solver::residual_floor() const {
  // The least eigenvalue of M is not below that of A, as M - A has none below 0.
  return residual_rounding() / std::sqrt(problem_.least_eigenvalue());
}

Solver::Error Solver::error() const {
  const double error = sum_of([&](std::uint32_t plane, std::uint32_t row, std::uint32_t i) {
    const double distance = u_.row(plane, row)[i] - solution(problem_, layout_, plane, row, i);
    return distance * distance;
  });
  const double residual = sum_of([&](std::uint32_t plane, std::uint32_t row, std::uint32_t i) {
    return r_.row(plane, row)[i] * r_.row(plane, row)[i];
  });
  return {std::sqrt(error),
          (std::sqrt(residual) + residual_rounding()) / problem_.least_eigenvalue()};
}

Field Solver::times_m(Field d) {
  const double w = problem_.relaxation();
  ghosts_.exchange(d);
  Field s(layout_); // D^-1 (D - w U) d
  for_each_row(layout_, [&](std::uint32_t plane, std::uint32_t row) {
    for (std::size_t i = 1; i <= layout_.columns.size(); ++i)
      s.row(plane, row)[i] =
          d.row(plane, row)[i] -
          w / 6.0 *
              (d.row(plane, row)[i + 1] + d.row(plane, row + 1)[i] + d.row(plane + 1, row)[i]);
  });
  ghosts_.exchange(s);
  for_each_row(layout_, [&](std::uint32_t plane, std::uint32_t row) {
    for (std::size_t i = 1; i <= layout_.columns.size(); ++i)
      d.row(plane, row)[i] =
          (6.0 * s.row(plane, row)[i] -
           w * (s.row(plane, row)[i - 1] + s.row(plane, row - 1)[i] + s.row(plane - 1, row)[i])) /
          (w * (2.0 - w));
  });
  return d;
}

double Solver::sweep_defect() {
  const double w = problem_.relaxation();
  const Field product = times_m(correction_);
  double defect = 0.0;
  double largest = 0.0;
  for_each_row(layout_, [&](std::uint32_t plane, std::uint32_t row) {
    for (std::size_t i = 1; i <= layout_.columns.size(); ++i) {
      defect = larger(defect, std::abs(product.row(plane, row)[i] - r_.row(plane, row)[i]));
      largest = larger(largest, std::abs(correction_.row(plane, row)[i]));
    }
  });
  const double norm_of_m = (6.0 + 3.0 * w) * (6.0 + 3.0 * w) / (6.0 * w * (2.0 - w));
  return largest_of_ranks(defect) / (norm_of_m * largest_of_ranks(largest));
}

double Solver::sweep_defect_bound() { return 2.0 * 2.0 * 5.0 * epsilon; }

} // namespace apps::wavefront
