#include "ring/simulation.hpp"

#include "common/session.hpp"
#include "ring/forces.hpp"

#include <algorithm>
#include <cmath>

namespace apps::ring {

Simulation::Simulation(const Problem& problem, Ring& ring, Range part)
    : problem_(problem), ring_(ring), part_(part), bodies_(draw_bodies(problem, part)),
      acceleration_(part.size()) {}

void Simulation::restart() {
  bodies_ = draw_bodies(problem_, part_);
  time_ = 0.0;
}

void Simulation::compute_accelerations() {
  acceleration_ = Vectors(part_.size());
  travelling_ = attractors(bodies_);
  ring_.pass_round(travelling_, [&](std::span<const Attractor> others) {
    attract(bodies_.position, others, acceleration_);
  });
}

double Simulation::strongest_pull() const {
  double largest = 0.0;
  for (std::size_t i = 0; i < part_.size(); ++i) {
    double square = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      square += acceleration_.axis(axis)[i] * acceleration_.axis(axis)[i];
    largest = std::max(largest, square);
  }
  return std::sqrt(largest_of_ranks(largest));
}

void Simulation::step() {
  compute_accelerations();
  const double duration = Problem::step_share * std::sqrt(Problem::softening / strongest_pull());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto acceleration = acceleration_.axis(axis);
    const auto velocity = bodies_.velocity.axis(axis);
    const auto position = bodies_.position.axis(axis);
    for (std::size_t i = 0; i < part_.size(); ++i) {
      velocity[i] += duration * acceleration[i];
      position[i] += duration * velocity[i];
    }
  }
  time_ += duration;
}

std::array<double, 3> Simulation::momentum() const {
  std::array<double, 3> total{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < part_.size(); ++i)
      total[axis] += bodies_.mass[i] * bodies_.velocity.axis(axis)[i];
    total[axis] = sum_of_ranks(total[axis]);
  }
  return total;
}

double Simulation::kinetic_energy() const {
  double energy = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < part_.size(); ++i) {
      const double velocity = bodies_.velocity.axis(axis)[i];
      energy += 0.5 * bodies_.mass[i] * velocity * velocity;
    }
  return sum_of_ranks(energy);
}

double Simulation::force_error() {
  compute_accelerations();
  Vectors direct(part_.size());
  attract(bodies_.position, ring_.gather(attractors(bodies_)), direct);
  double largest = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < part_.size(); ++i)
      largest = larger(largest, std::abs(acceleration_.axis(axis)[i] - direct.axis(axis)[i]));
  return largest_of_ranks(largest);
}

} // namespace apps::ring
