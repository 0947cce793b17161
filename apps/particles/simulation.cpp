#include "particles/simulation.hpp"

#include "common/session.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace apps::particles {
namespace {

double square(const Vector& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

Vector sum_over_ranks(const Vector& mine) {
  Vector sum{};
  MPI_Allreduce(mine.data(), sum.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

Vector sum_of(const std::vector<Vector>& vectors) {
  Vector sum{};
  for (const Vector& vector : vectors)
    for (std::size_t axis = 0; axis < 3; ++axis)
      sum[axis] += vector[axis];
  return sum_over_ranks(sum);
}

} // namespace

Simulation::Simulation(const Problem& problem, const BoxPart& part)
    : problem_(problem), part_(part), domain_(part) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 0; number < problem.particles(); ++number) {
    const Vector position = problem.position(number);
    if (part.has(0, position[0]) && part.has(1, position[1]) && part.has(2, position[2])) {
      numbers.push_back(number);
      all_.positions.push_back(position);
    }
  }
  set_velocities(numbers);
  rebuild();
  compute_forces();
}

/// At rest as a whole, at the given temperature.
void Simulation::set_velocities(const std::vector<std::uint32_t>& numbers) {
  for (const std::uint32_t number : numbers)
    all_.velocities.push_back(Problem::velocity(number));
  const Vector sum = sum_of(all_.velocities);
  double squares = 0.0;
  for (Vector& velocity : all_.velocities) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      velocity[axis] -= sum[axis] / problem_.particles();
    squares += square(velocity);
  }
  const double wanted = 3.0 * Problem::temperature * problem_.particles();
  const double scale = std::sqrt(wanted / sum_of_ranks(squares));
  for (Vector& velocity : all_.velocities)
    for (double& component : velocity)
      component *= scale;
}

void Simulation::kick() {
  for (std::size_t i = 0; i < all_.owned(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      all_.velocities[i][axis] += 0.5 * Problem::time_step * all_.forces[i][axis];
}

void Simulation::step() {
  kick();
  for (std::size_t i = 0; i < all_.owned(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      all_.positions[i][axis] += Problem::time_step * all_.velocities[i][axis];
  if (have_moved())
    rebuild();
  else
    domain_.update_ghosts(all_);
  compute_forces();
  kick();
}

/// Whether any particle of any rank has moved by more than half of the skin.
bool Simulation::have_moved() const {
  double largest = 0.0;
  for (std::size_t i = 0; i < built_at_.size(); ++i)
    largest = larger(largest, distance_squared(all_.positions[i], built_at_[i]));
  return largest_of_ranks(largest) > Problem::skin * Problem::skin / 4.0;
}

void Simulation::rebuild() {
  domain_.migrate(all_);
  built_at_ = all_.positions;
  domain_.set_ghosts(all_);
  neighbours_ = Neighbours(all_.positions, all_.owned());
  ++rebuilds_;
}

void Simulation::compute_forces() {
  all_.forces.assign(all_.positions.size(), Vector{});
  potential_ = neighbours_.add_forces(all_.positions, all_.forces);
  domain_.return_forces(all_);
}

Simulation::Energies Simulation::energies() const {
  std::array<double, 2> mine = {0.0, potential_};
  for (const Vector& velocity : all_.velocities)
    mine[0] += 0.5 * square(velocity);
  std::array<double, 2> sums{};
  MPI_Allreduce(mine.data(), sums.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return {sums[0], sums[1]};
}

double Simulation::drift() const {
  double speeds = 0.0;
  for (const Vector& velocity : all_.velocities)
    speeds += std::sqrt(square(velocity));
  return std::sqrt(square(sum_of(all_.velocities))) / sum_of_ranks(speeds);
}

double Simulation::particles() const { return sum_of_ranks(static_cast<double>(all_.owned())); }

std::vector<Vector> Simulation::positions_of_all(std::size_t& first_of_ours) const {
  int ranks = 1;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto mine = static_cast<int>(3 * all_.owned());
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> begins(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  std::vector<Vector> result(static_cast<std::size_t>(begins.back() + counts.back()) / 3);
  MPI_Allgatherv(all_.positions.data(), mine, MPI_DOUBLE, result.data(), counts.data(),
                 begins.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  first_of_ours = static_cast<std::size_t>(begins[static_cast<std::size_t>(rank)]) / 3;
  return result;
}

double Simulation::force_error() const {
  constexpr std::size_t looked_at = 20;
  std::size_t first = 0;
  const auto positions = positions_of_all(first);
  double error = 0.0;
  for (std::size_t i = 0; i < std::min(looked_at, all_.owned()); ++i) {
    Vector sum{};
    double size = 0.0;
    for (std::size_t j = 0; j < positions.size(); ++j) {
      Vector away{};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        away[axis] = positions[first + i][axis] - positions[j][axis];
        away[axis] -= part_.side * std::round(away[axis] / part_.side);
      }
      if (j == first + i || square(away) >= Problem::cutoff * Problem::cutoff)
        continue;
      const double force = Pair(square(away)).force;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        sum[axis] += force * away[axis];
        size += std::abs(force * away[axis]);
      }
    }
    error = larger(error, std::sqrt(distance_squared(sum, all_.forces[i])) / size);
  }
  return largest_of_ranks(error);
}

} // namespace apps::particles
