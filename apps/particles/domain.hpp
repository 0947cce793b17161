#pragma once

#include "particles/box_part.hpp"

#include <cstddef>
#include <vector>

namespace apps::particles {

/// The particles that a rank owns, and the ghosts behind them: copies of those that others own,
/// or of its own across the periodic walls, as far as forces reach.
struct Particles {
  std::vector<Vector> positions;  ///< owned, then ghosts
  std::vector<Vector> velocities; ///< owned
  std::vector<Vector> forces;     ///< owned, then ghosts

  [[nodiscard]] std::size_t owned() const { return velocities.size(); }
};

/// The messages between a rank and its neighbours: in x, then y, then z, each way; what came
/// along one direction goes on along the next.
class Domain {
public:
  explicit Domain(const BoxPart& part) : part_(part) {}

  /// Gives particles that have left this rank's part to the neighbours. Removes all ghosts.
  void migrate(Particles& particles) const;
  /// Chooses which particles are ghosts elsewhere, and gets the ghosts of this rank.
  void set_ghosts(Particles& particles);
  /// Moves the ghosts to where their owners have them now.
  void update_ghosts(Particles& particles) const;
  /// Adds the forces on ghosts to those that their owners have.
  void return_forces(Particles& particles) const;

private:
  /// One way along one axis.
  struct Swap {
    std::size_t axis;
    int to;
    int from;
    double shift; ///< of the positions that go: the side of the cube where they cross its wall
    std::vector<std::size_t> sent;
    std::size_t first_ghost; ///< of those received, which are one after the other
    std::size_t ghosts;
  };

  [[nodiscard]] Swap make_swap(const Particles& particles, std::size_t axis, bool up,
                               std::size_t candidates) const;
  static std::vector<Vector> pack(const Particles& particles, const Swap& swap);
  [[nodiscard]] bool is_alone(std::size_t axis) const { return part_.grid.shape[axis] == 1; }

  const BoxPart& part_;
  std::vector<Swap> swaps_;
};

} // namespace apps::particles
