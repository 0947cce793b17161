#include "ring/forces.hpp"

#include <cmath>
#include <limits>

namespace apps::ring {

void attract(const Vectors& position, std::span<const Attractor> others, Vectors& acceleration) {
  constexpr double softening2 = Problem::softening * Problem::softening;
  const auto x = position.axis(0);
  const auto y = position.axis(1);
  const auto z = position.axis(2);
  for (std::size_t i = 0; i < position.count(); ++i) {
    std::array<double, 3> sum{};
    for (const auto& [mass, other_x, other_y, other_z] : others) {
      const double dx = other_x - x[i];
      const double dy = other_y - y[i];
      const double dz = other_z - z[i];
      const double d2 = dx * dx + dy * dy + dz * dz + softening2;
      const double pull = mass / (d2 * std::sqrt(d2));
      sum[0] += pull * dx;
      sum[1] += pull * dy;
      sum[2] += pull * dz;
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      acceleration.axis(axis)[i] += sum[axis];
  }
}

double largest_acceleration() {
  return 1.5 * Problem::total_mass * 2.0 /
         (3.0 * std::sqrt(3.0) * Problem::softening * Problem::softening);
}

double rounding_bound(const Problem& problem) {
  return (problem.bodies + 12.0) * std::numeric_limits<double>::epsilon() * largest_acceleration();
}

} // namespace apps::ring
