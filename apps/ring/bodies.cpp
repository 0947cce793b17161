#include "ring/bodies.hpp"

#include "kernels/lcg46.hpp"

namespace apps::ring {

Bodies draw_bodies(const Problem& problem, Range range) {
  constexpr std::uint64_t seed = 271828183;
  constexpr std::uint64_t draws_per_body = 7;
  hypermile::kernels::Lcg46 random(seed);
  random.skip(draws_per_body * range.begin);
  Bodies bodies(range.size());
  for (std::size_t i = 0; i < range.size(); ++i) {
    bodies.mass[i] = Problem::total_mass / problem.bodies * (0.5 + random.next());
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bodies.position.axis(axis)[i] = random.next();
      bodies.velocity.axis(axis)[i] = random.next() - 0.5;
    }
  }
  return bodies;
}

std::vector<Attractor> attractors(const Bodies& bodies) {
  std::vector<Attractor> all;
  all.reserve(bodies.mass.size());
  for (std::size_t i = 0; i < bodies.mass.size(); ++i)
    all.push_back({bodies.mass[i], bodies.position.axis(0)[i], bodies.position.axis(1)[i],
                   bodies.position.axis(2)[i]});
  return all;
}

} // namespace apps::ring
