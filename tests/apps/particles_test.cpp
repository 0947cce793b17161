#include "particles/box_part.hpp"
#include "particles/forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace apps::particles {
namespace {

TEST(ParticlesPair, its_force_is_the_slope_of_its_energy) {
  for (double r = 0.9; r < 2.4; r += 0.1) {
    const double h = 1e-5;
    const double slope =
        (Pair((r + h) * (r + h)).energy - Pair((r - h) * (r - h)).energy) / (2 * h);
    EXPECT_NEAR(Pair(r * r).force * r, -slope, 1e-6 * std::abs(slope) + 1e-6);
  }
}

TEST(ParticlesPair, ends_at_0_at_the_cutoff_and_attracts_before) {
  const double end = Problem::cutoff * Problem::cutoff;
  EXPECT_NEAR(Pair(end).energy, 0.0, 1e-15);
  EXPECT_NEAR(Pair(end).force, 0.0, 1e-15);
  EXPECT_LT(Pair(1.5 * 1.5).force, 0.0);
  EXPECT_GT(Pair(1.0).force, 0.0);
}

std::vector<Vector> random_positions(std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<> place(0.0, 9.0);
  std::vector<Vector> positions;
  while (positions.size() < count) { // none too near to another
    const Vector position = {place(random), place(random), place(random)};
    if (std::ranges::all_of(positions, [&](const Vector& other) {
          return distance_squared(position, other) > 0.8;
        }))
      positions.push_back(position);
  }
  return positions;
}

struct Sum {
  double energy = 0.0;
  std::vector<Vector> forces;
};

Sum over_all_pairs(const std::vector<Vector>& positions) {
  Sum sum{0.0, std::vector<Vector>(positions.size())};
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t j = 0; j < positions.size(); ++j) {
      const double square = distance_squared(positions[i], positions[j]);
      if (i == j || square >= Problem::cutoff * Problem::cutoff)
        continue;
      sum.energy += 0.5 * Pair(square).energy;
      for (std::size_t axis = 0; axis < 3; ++axis)
        sum.forces[i][axis] += Pair(square).force * (positions[i][axis] - positions[j][axis]);
    }
  return sum;
}

void expect_same(const Sum& sum, const Sum& expected) {
  EXPECT_NEAR(sum.energy, expected.energy, 1e-10);
  for (std::size_t i = 0; i < expected.forces.size(); ++i)
    EXPECT_NEAR(distance_squared(sum.forces[i], expected.forces[i]), 0.0, 1e-20);
}

TEST(ParticlesNeighbours, give_the_forces_of_all_pairs) {
  const auto positions = random_positions(300);
  Sum sum{0.0, std::vector<Vector>(positions.size())};
  sum.energy = Neighbours(positions, positions.size()).add_forces(positions, sum.forces);
  expect_same(sum, over_all_pairs(positions));
}

TEST(ParticlesNeighbours, of_two_ranks_have_each_pair_once) {
  auto positions = random_positions(300);
  Sum sum{0.0, std::vector<Vector>(positions.size())};
  const std::size_t half = positions.size() / 2;
  sum.energy = Neighbours(positions, half).add_forces(positions, sum.forces);
  const auto middle = static_cast<std::ptrdiff_t>(half);
  auto swapped = positions; // the other rank owns the other half
  std::rotate(swapped.begin(), swapped.begin() + middle, swapped.end());
  std::vector<Vector> forces(swapped.size());
  sum.energy += Neighbours(swapped, positions.size() - half).add_forces(swapped, forces);
  std::rotate(forces.begin(), forces.end() - middle, forces.end());
  for (std::size_t i = 0; i < forces.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      sum.forces[i][axis] += forces[i][axis];
  expect_same(sum, over_all_pairs(positions));
}

TEST(ParticlesNeighbours, hold_until_particles_have_moved_by_half_of_the_skin) {
  auto positions = random_positions(300);
  const Neighbours neighbours(positions, positions.size());
  std::mt19937 random(2);
  std::uniform_real_distribution<> move(-0.5, 0.5);
  for (Vector& position : positions)
    for (double& x : position)
      x += move(random) * Problem::skin / std::sqrt(3.0);
  Sum sum{0.0, std::vector<Vector>(positions.size())};
  sum.energy = neighbours.add_forces(positions, sum.forces);
  expect_same(sum, over_all_pairs(positions));
}

TEST(ParticlesBoxPart, every_place_belongs_to_one_rank) {
  std::mt19937 random(3);
  std::uniform_real_distribution<> place(-20.0, 40.0);
  for (const int ranks : {1, 2, 6, 8, 12, 27, 64})
    for (int time = 0; time < 50; ++time) {
      Vector position = {place(random), place(random), place(random)};
      int owners = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const BoxPart part(13.4, {rank, ranks});
        part.wrap(position);
        owners += part.has(0, position[0]) && part.has(1, position[1]) && part.has(2, position[2]);
      }
      EXPECT_EQ(owners, 1);
    }
}

TEST(ParticlesProblem, starts_as_a_crystal_in_which_each_particle_has_twelve_nearest) {
  const Problem problem{.name = 'T', .cells = 4, .iterations = 1};
  const BoxPart box(problem.side(), {0, 1});
  const double nearest = problem.side() / problem.cells / std::sqrt(2.0);
  for (std::uint32_t i = 0; i < problem.particles(); i += 7) {
    int count = 0;
    for (std::uint32_t j = 0; j < problem.particles(); ++j) {
      Vector away{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        away[axis] = problem.position(i)[axis] - problem.position(j)[axis];
        away[axis] -= box.side * std::round(away[axis] / box.side);
      }
      const double distance = std::sqrt(distance_squared(away, {}));
      EXPECT_TRUE(i == j || distance > 0.999 * nearest);
      count += i != j && distance < 1.001 * nearest ? 1 : 0;
    }
    EXPECT_EQ(count, 12);
  }
}

} // namespace
} // namespace apps::particles
