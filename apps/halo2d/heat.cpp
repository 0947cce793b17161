#include "halo2d/heat.hpp"

#include "common/session.hpp"

#include <cmath>
#include <utility>

namespace apps::halo2d {
namespace {

void step_row(const double* above, const double* row, const double* below, double* result,
              std::size_t count) {
  constexpr double centre = 1.0 - 4.0 * Problem::ratio;
  for (std::size_t i = 1; i <= count; ++i)
    result[i] =
        centre * row[i] + Problem::ratio * (above[i] + below[i] + (row[i - 1] + row[i + 1]));
}

} // namespace

Heat::Heat(const Domain& domain, std::uint32_t side)
    : domain_(domain), side_(side), now_(domain.rows().size(), domain.columns().size()),
      before_(now_) {
  restart();
}

void Heat::restart() {
  const ExactField exact(side_, 0, domain_.rows(), domain_.columns());
  for (std::size_t y = 0; y < domain_.rows().size(); ++y)
    for (std::size_t x = 0; x < domain_.columns().size(); ++x)
      now_.row(y + 1)[x + 1] = exact.at(y, x);
}

void Heat::step() {
  std::swap(now_, before_);
  domain_.exchange(before_);
  for (std::size_t y = 1; y <= domain_.rows().size(); ++y)
    step_row(before_.row(y - 1), before_.row(y), before_.row(y + 1), now_.row(y),
             domain_.columns().size());
}

double Heat::residual() const {
  return norm_of([&](std::size_t y, std::size_t x) { return now_.row(y)[x] - before_.row(y)[x]; });
}

double Heat::norm() const {
  return norm_of([&](std::size_t y, std::size_t x) { return now_.row(y)[x]; });
}

double Heat::error(int steps) const {
  const ExactField exact(side_, steps, domain_.rows(), domain_.columns());
  double largest = 0.0;
  for (std::size_t y = 0; y < domain_.rows().size(); ++y)
    for (std::size_t x = 0; x < domain_.columns().size(); ++x)
      largest = larger(largest, std::abs(now_.row(y + 1)[x + 1] - exact.at(y, x)));
  return largest_of_ranks(largest);
}

/// Summed row by row, so that rounding grows with the side of the square and not its area.
template <typename Value> double Heat::norm_of(Value value) const {
  double sum = 0.0;
  for (std::size_t y = 1; y <= domain_.rows().size(); ++y) {
    double row_sum = 0.0;
    for (std::size_t x = 1; x <= domain_.columns().size(); ++x)
      row_sum += value(y, x) * value(y, x);
    sum += row_sum;
  }
  return std::sqrt(sum_of_ranks(sum));
}

} // namespace apps::halo2d
