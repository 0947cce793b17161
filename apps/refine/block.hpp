#pragma once

#include "refine/mesh.hpp"
#include "refine/problem.hpp"

#include <array>
#include <vector>

namespace apps::refine {

/// The cells of one block, with a layer of ghosts around them. Corners are not used.
class Block {
public:
  explicit Block(std::uint32_t cells)
      : cells_(cells), stride_(cells + std::size_t{2}), values_(stride_ * stride_, 0.0) {}

  void set_to_start(const Problem& problem, const Leaf& leaf);

  /// x and y count from 1; 0 and cells + 1 are ghosts.
  [[nodiscard]] double& at(std::size_t x, std::size_t y) { return values_[y * stride_ + x]; }
  [[nodiscard]] double at(std::size_t x, std::size_t y) const { return values_[y * stride_ + x]; }
  [[nodiscard]] std::size_t cells() const { return cells_; }

  /// One time step of upwind differences: each flux through a face takes the value of the cell
  /// that the wind comes from. `courant` is wind times time step over the width of a cell.
  void advance(std::array<double, 2> courant);

  struct Extent {
    double least;
    double largest;
  };
  [[nodiscard]] Extent extent() const;
  /// The sums of the values and of their squares.
  [[nodiscard]] std::array<double, 2> sums() const;

private:
  std::uint32_t cells_;
  std::size_t stride_;
  std::vector<double> values_;
  std::vector<double> next_;
};

} // namespace apps::refine
