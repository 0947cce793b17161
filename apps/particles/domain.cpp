#include "particles/domain.hpp"

#include <mpi.h>

#include <algorithm>

namespace apps::particles {
namespace {

constexpr int leaving_tag = 1;
constexpr int border_tag = 2;
constexpr int position_tag = 3;
constexpr int force_tag = 4;

int numbers(const std::vector<Vector>& vectors) { return static_cast<int>(3 * vectors.size()); }

/// Sends to one rank, and receives from another as much as that sends.
std::vector<Vector> exchange(const std::vector<Vector>& out, int to, int from, int tag) {
  MPI_Request request{};
  MPI_Isend(out.data(), numbers(out), MPI_DOUBLE, to, tag, MPI_COMM_WORLD, &request);
  MPI_Status status{};
  MPI_Probe(from, tag, MPI_COMM_WORLD, &status);
  int count = 0;
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  std::vector<Vector> in(static_cast<std::size_t>(count) / 3);
  MPI_Recv(in.data(), count, MPI_DOUBLE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return in;
}

/// The same where it is known how much comes.
void exchange(const std::vector<Vector>& out, int to, Vector* in, std::size_t count, int from,
              int tag) {
  MPI_Request request{};
  MPI_Irecv(in, static_cast<int>(3 * count), MPI_DOUBLE, from, tag, MPI_COMM_WORLD, &request);
  MPI_Send(out.data(), numbers(out), MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

} // namespace

void Domain::migrate(Particles& particles) const {
  auto& positions = particles.positions;
  auto& velocities = particles.velocities;
  positions.resize(particles.owned());
  for (Vector& position : positions)
    part_.wrap(position);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (is_alone(axis))
      continue;
    std::vector<Vector> leaving; // position, velocity, position, ...
    std::size_t staying = 0;
    for (std::size_t i = 0; i < positions.size(); ++i)
      if (part_.has(axis, positions[i][axis])) {
        positions[staying] = positions[i];
        velocities[staying++] = velocities[i];
      } else {
        leaving.insert(leaving.end(), {positions[i], velocities[i]});
      }
    positions.resize(staying);
    velocities.resize(staying);
    // Both neighbours get all, and take what is theirs; with two ranks these are the same.
    for (int way = -1; way <= (part_.grid.shape[axis] > 2 ? 1 : -1); way += 2) {
      const auto arrived = exchange(leaving, part_.grid.neighbour(axis, way),
                                    part_.grid.neighbour(axis, -way), leaving_tag);
      for (std::size_t i = 0; i < arrived.size(); i += 2)
        if (part_.has(axis, arrived[i][axis])) {
          positions.push_back(arrived[i]);
          velocities.push_back(arrived[i + 1]);
        }
    }
  }
}

Domain::Swap Domain::make_swap(const Particles& particles, std::size_t axis, bool up,
                               std::size_t candidates) const {
  const bool crosses =
      up ? part_.grid.place[axis] + 1 == part_.grid.shape[axis] : part_.grid.place[axis] == 0;
  Swap swap{.axis = axis,
            .to = part_.grid.neighbour(axis, up ? 1 : -1),
            .from = part_.grid.neighbour(axis, up ? -1 : 1),
            .shift = crosses ? (up ? -part_.side : part_.side) : 0.0,
            .sent = {},
            .first_ghost = 0,
            .ghosts = 0};
  for (std::size_t i = 0; i < candidates; ++i) {
    const double x = particles.positions[i][axis];
    if (up ? x >= part_.high[axis] - Problem::reach : x < part_.low[axis] + Problem::reach)
      swap.sent.push_back(i);
  }
  return swap;
}

std::vector<Vector> Domain::pack(const Particles& particles, const Swap& swap) {
  std::vector<Vector> out;
  out.reserve(swap.sent.size());
  for (const std::size_t i : swap.sent) {
    out.push_back(particles.positions[i]);
    out.back()[swap.axis] += swap.shift;
  }
  return out;
}

void Domain::set_ghosts(Particles& particles) {
  auto& positions = particles.positions;
  swaps_.clear();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t candidates = positions.size(); // not the ghosts of this axis
    for (const bool up : {false, true}) {
      Swap swap = make_swap(particles, axis, up, candidates);
      const auto out = pack(particles, swap);
      const auto in = is_alone(axis) ? out : exchange(out, swap.to, swap.from, border_tag);
      swap.first_ghost = positions.size();
      swap.ghosts = in.size();
      positions.insert(positions.end(), in.begin(), in.end());
      swaps_.push_back(std::move(swap));
    }
  }
}

void Domain::update_ghosts(Particles& particles) const {
  for (const Swap& swap : swaps_) {
    const auto out = pack(particles, swap);
    Vector* in = particles.positions.data() + swap.first_ghost;
    if (is_alone(swap.axis))
      std::ranges::copy(out, in);
    else
      exchange(out, swap.to, in, swap.ghosts, swap.from, position_tag);
  }
}

void Domain::return_forces(Particles& particles) const {
  for (auto swap = swaps_.rbegin(); swap != swaps_.rend(); ++swap) {
    const auto first = particles.forces.begin() + static_cast<std::ptrdiff_t>(swap->first_ghost);
    const std::vector<Vector> out(first, first + static_cast<std::ptrdiff_t>(swap->ghosts));
    std::vector<Vector> in(swap->sent.size());
    if (is_alone(swap->axis))
      in = out;
    else
      exchange(out, swap->from, in.data(), in.size(), swap->to, force_tag);
    for (std::size_t k = 0; k < in.size(); ++k)
      for (std::size_t axis = 0; axis < 3; ++axis)
        particles.forces[swap->sent[k]][axis] += in[k][axis];
  }
}

} // namespace apps::particles
