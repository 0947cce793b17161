#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace apps::particles {

using Vector = std::array<double, 3>;

/// A crystal that melts: particles that attract each other from afar and repel each other nearby
/// (Lennard-Jones), in a periodic cube. Lengths, energies and masses are those of the particles.
struct Problem {
  char name;
  std::uint32_t cells; ///< of the crystal, per side; each has four particles
  int iterations;      ///< time steps

  static constexpr double density = 0.8442;
  static constexpr double temperature = 1.44; ///< at the beginning
  static constexpr double time_step = 0.005;
  static constexpr double cutoff = 2.5; ///< of the forces
  static constexpr double skin = 0.3;   ///< lists of neighbours reach further by this
  static constexpr double reach = cutoff + skin;
  static constexpr int output_interval = 20; ///< time steps between two sums of the energies

  [[nodiscard]] std::uint32_t particles() const { return 4 * cells * cells * cells; }
  [[nodiscard]] double side() const;
  /// Where a particle is at the beginning.
  [[nodiscard]] Vector position(std::uint32_t particle) const;
  /// A random velocity between -1/2 and 1/2 in each direction.
  [[nodiscard]] static Vector velocity(std::uint32_t particle);
};

inline constexpr std::string_view problem_classes = "SWA";

/// `name` is one of `problem_classes`.
const Problem& problem_of_class(char name);

} // namespace apps::particles
