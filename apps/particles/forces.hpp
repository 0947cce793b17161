#pragma once

#include "particles/problem.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace apps::particles {

/// Of two particles; `square` is that of their distance, below that of the cutoff. The potential
/// is 4 (r^-12 - r^-6) less its tangent in r^2 at the cutoff, where energy and force end at 0.
struct Pair {
  explicit Pair(double square);

  double energy;
  double force; ///< over the distance; positive where they repel each other
};

double distance_squared(const Vector& a, const Vector& b);

/// Which pairs may come nearer than the cutoff until particles have moved by half of the skin.
/// A pair of two owned particles is in it once. So is one of an owned particle and a ghost: here,
/// or where the ghost is owned; the one that comes first in z, then y, then x decides.
class Neighbours {
public:
  Neighbours() = default;
  /// The first `owned` of the positions are owned.
  Neighbours(std::span<const Vector> positions, std::size_t owned);

  /// Adds to the forces of owned particles and ghosts. The energy of all pairs in the list.
  double add_forces(std::span<const Vector> positions, std::span<Vector> forces) const;

private:
  std::vector<std::size_t> begins_; ///< in others_, by owned particle
  std::vector<std::uint32_t> others_;
};

} // namespace apps::particles
