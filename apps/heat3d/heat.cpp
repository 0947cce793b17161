#include "heat3d/heat.hpp"

#include "common/session.hpp"
#include "heat3d/modes.hpp"
#include "heat3d/stencil.hpp"

#include <cmath>
#include <utility>

namespace apps::heat3d {
namespace {

/// Calls visit(z, y) for each row of cells of a field.
template <typename Visit> void for_each_row(const Field& field, Visit visit) {
  for (std::size_t z = 1; z <= field.size[2]; ++z)
    for (std::size_t y = 1; y <= field.size[1]; ++y)
      visit(z, y);
}

} // namespace

Heat::Heat(const Problem& problem, const RankGrid& grid)
    : side_(problem.side), block_(block_of(problem, grid)),
      now_({block_[0].size(), block_[1].size(), block_[2].size()}), before_(now_),
      walls_(grid, now_) {
  restart();
}

void Heat::restart() {
  const ExactField exact(side_, 0, block_);
  for_each_row(now_, [&](std::size_t z, std::size_t y) {
    for (std::size_t x = 1; x <= now_.size[0]; ++x)
      now_.row(z, y)[x] = exact.at(x - 1, y - 1, z - 1);
  });
  walls_.exchange(now_);
}

void Heat::step() {
  std::swap(now_, before_);
  for_each_row(now_, [&](std::size_t z, std::size_t y) {
    const Rows<double> rows = {.centre = before_.row(z, y),
                               .south = before_.row(z, y - 1),
                               .north = before_.row(z, y + 1),
                               .below = before_.row(z - 1, y),
                               .above = before_.row(z + 1, y)};
    step_row(rows, now_.row(z, y), now_.size[0]);
  });
  walls_.exchange(now_);
}

/// Summed row by row, so that rounding grows with the side of the cube and not its volume.
double Heat::norm() const {
  double sum = 0.0;
  for_each_row(now_, [&](std::size_t z, std::size_t y) {
    double row_sum = 0.0;
    for (std::size_t x = 1; x <= now_.size[0]; ++x)
      row_sum += now_.row(z, y)[x] * now_.row(z, y)[x];
    sum += row_sum;
  });
  return std::sqrt(sum_of_ranks(sum));
}

double Heat::error(int steps) const {
  const ExactField exact(side_, steps, block_);
  double largest = 0.0;
  for_each_row(now_, [&](std::size_t z, std::size_t y) {
    for (std::size_t x = 1; x <= now_.size[0]; ++x)
      largest = larger(largest, std::abs(now_.row(z, y)[x] - exact.at(x - 1, y - 1, z - 1)));
  });
  return largest_of_ranks(largest);
}

} // namespace apps::heat3d
