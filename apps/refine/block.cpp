#include "refine/block.hpp"

#include <algorithm>

namespace apps::refine {

void Block::set_to_start(const Problem& problem, const Leaf& leaf) {
  const double width = problem.cell_width(leaf.level);
  for (std::size_t y = 1; y <= cells_; ++y)
    for (std::size_t x = 1; x <= cells_; ++x)
      at(x, y) = Problem::start(
          (leaf.x * static_cast<double>(cells_) + static_cast<double>(x) - 0.5) * width,
          (leaf.y * static_cast<double>(cells_) + static_cast<double>(y) - 0.5) * width);
}

void Block::advance(std::array<double, 2> courant) {
  const auto [cx, cy] = courant;
  const double east = std::max(cx, 0.0); // by the direction that the wind blows to
  const double west = std::min(cx, 0.0);
  const double north = std::max(cy, 0.0);
  const double south = std::min(cy, 0.0);
  next_ = values_;
  for (std::size_t y = 1; y <= cells_; ++y) {
    const double* u = &values_[y * stride_];
    const double* above = u + stride_;
    const double* below = u - stride_;
    double* result = &next_[y * stride_];
    for (std::size_t x = 1; x <= cells_; ++x) {
      const double out = (east * u[x] + west * u[x + 1]) + (north * u[x] + south * above[x]);
      const double in = (east * u[x - 1] + west * u[x]) + (north * below[x] + south * u[x]);
      result[x] = u[x] - (out - in);
    }
  }
  values_.swap(next_);
}

Block::Extent Block::extent() const {
  Extent extent{at(1, 1), at(1, 1)};
  for (std::size_t y = 1; y <= cells_; ++y) {
    const auto [least, largest] =
        std::minmax_element(&values_[y * stride_ + 1], &values_[y * stride_ + 1] + cells_);
    extent = {std::min(extent.least, *least), std::max(extent.largest, *largest)};
  }
  return extent;
}

std::array<double, 2> Block::sums() const {
  std::array<double, 2> sums{};
  for (std::size_t y = 1; y <= cells_; ++y) {
    std::array<double, 2> of_row{}; // keeps the rounding small
    for (std::size_t x = 1; x <= cells_; ++x) {
      of_row[0] += at(x, y);
      of_row[1] += at(x, y) * at(x, y);
    }
    sums[0] += of_row[0];
    sums[1] += of_row[1];
  }
  return sums;
}

} // namespace apps::refine
