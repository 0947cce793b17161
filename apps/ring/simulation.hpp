#pragma once

#include "ring/bodies.hpp"
#include "ring/ring.hpp"

namespace apps::ring {

/// The motion of all bodies, of which this rank has a part.
class Simulation {
public:
  Simulation(const Problem& problem, Ring& ring, Range part);

  void restart();
  /// One step, as long as the largest acceleration of all bodies allows.
  void step();

  [[nodiscard]] double time() const { return time_; }

  // Of all bodies.

  [[nodiscard]] std::array<double, 3> momentum() const;
  [[nodiscard]] double kinetic_energy() const;
  /// The largest difference between an acceleration from the ring and one from a sum over the
  /// bodies in their order.
  double force_error();

private:
  void compute_accelerations();
  [[nodiscard]] double strongest_pull() const;

  const Problem& problem_;
  Ring& ring_;
  Range part_;
  Bodies bodies_;
  Vectors acceleration_;
  std::vector<Attractor> travelling_;
  double time_ = 0.0;
};

} // namespace apps::ring
