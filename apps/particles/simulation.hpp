#pragma once

#include "particles/domain.hpp"
#include "particles/forces.hpp"

#include <vector>

namespace apps::particles {

/// The motion of the particles, by the velocity form of Verlet's method.
class Simulation {
public:
  Simulation(const Problem& problem, const BoxPart& part);

  void step();

  /// Sums over all ranks.
  struct Energies {
    double kinetic;
    double potential;
    [[nodiscard]] double total() const { return kinetic + potential; }
  };
  [[nodiscard]] Energies energies() const;
  /// |sum of the velocities| / sum of |velocity|
  [[nodiscard]] double drift() const;
  [[nodiscard]] double particles() const;
  /// How many time steps began with new lists of neighbours.
  [[nodiscard]] int rebuilds() const { return rebuilds_; }
  /// Of some particles of each rank, the force against a sum over all particles and their
  /// nearest images: the largest difference over the sum of the absolute values.
  [[nodiscard]] double force_error() const;

private:
  void set_velocities(const std::vector<std::uint32_t>& numbers);
  [[nodiscard]] bool have_moved() const;
  void rebuild();
  void compute_forces();
  void kick(); ///< half a time step of acceleration
  [[nodiscard]] std::vector<Vector> positions_of_all(std::size_t& first_of_ours) const;

  const Problem& problem_;
  const BoxPart& part_;
  Domain domain_;
  Particles all_;
  std::vector<Vector> built_at_; ///< positions of the owned at the last rebuilding
  Neighbours neighbours_;
  double potential_ = 0.0; ///< of the pairs in this rank's lists
  int rebuilds_ = 0;
};

} // namespace apps::particles
