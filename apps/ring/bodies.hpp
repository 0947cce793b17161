#pragma once

#include "common/range.hpp"
#include "ring/problem.hpp"

#include <array>
#include <span>
#include <vector>

namespace apps::ring {

/// A vector for each of some bodies: all x, then all y, then all z.
class Vectors {
public:
  explicit Vectors(std::size_t count) : count_(count), values_(3 * count, 0.0) {}

  [[nodiscard]] std::size_t count() const { return count_; }
  std::span<double> axis(std::size_t index) {
    return std::span(values_).subspan(index * count_, count_);
  }
  [[nodiscard]] std::span<const double> axis(std::size_t index) const {
    return std::span(values_).subspan(index * count_, count_);
  }

private:
  std::size_t count_;
  std::vector<double> values_;
};

/// What attracts: the part of the bodies that goes round the ring. Mass, x, y, z of each.
using Attractor = std::array<double, 4>;

/// Bodies of one rank.
struct Bodies {
  explicit Bodies(std::size_t count) : mass(count), position(count), velocity(count) {}

  std::vector<double> mass;
  Vectors position;
  Vectors velocity;
};

/// Bodies `range` of the problem, at random places in a cube of side 1 and with random
/// velocities; a body is the same whoever has it.
Bodies draw_bodies(const Problem& problem, Range range);

std::vector<Attractor> attractors(const Bodies& bodies);

} // namespace apps::ring
