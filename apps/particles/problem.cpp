#include "particles/problem.hpp"

#include "kernels/lcg46.hpp"

#include <cmath>

namespace apps::particles {

double Problem::side() const { return std::cbrt(particles() / density); }

Vector Problem::position(std::uint32_t particle) const {
  // The corner of a cell, and the middles of three of its faces.
  static constexpr std::array<Vector, 4> basis = {
      {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}}};
  const Vector& place = basis[particle % 4];
  const std::uint32_t cell = particle / 4;
  const std::uint32_t x = cell % cells;
  const std::uint32_t y = cell / cells % cells;
  const std::uint32_t z = cell / (cells * cells);
  const double width = side() / cells;
  return {(x + place[0]) * width, (y + place[1]) * width, (z + place[2]) * width};
}

Vector Problem::velocity(std::uint32_t particle) {
  constexpr std::uint64_t seed = 314159265;
  hypermile::kernels::Lcg46 random(seed);
  random.skip(std::uint64_t{3} * particle);
  Vector velocity{};
  for (double& component : velocity)
    component = random.next() - 0.5;
  return velocity;
}

const Problem& problem_of_class(char name) {
  static constexpr std::array<Problem, problem_classes.size()> problems = {{
      {'S', 8, 400},
      {'W', 12, 800},
      {'A', 20, 1200},
  }};
  return problems[problem_classes.find(name)];
}

} // namespace apps::particles
