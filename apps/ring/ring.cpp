#include "ring/ring.hpp"

#include <mpi.h>

#include <utility>

namespace apps::ring {
namespace {

constexpr int numbers_of(std::size_t attractors) {
  return static_cast<int>(attractors * std::tuple_size_v<Attractor>);
}

} // namespace

Ring::Ring(int rank, std::vector<Range> parts)
    : rank_(static_cast<std::size_t>(rank)), parts_(std::move(parts)) {}

/// What we have is that of the rank `shift` - 1 before us; what comes is of the one before that.
void Ring::move_on(std::vector<Attractor>& travelling, std::size_t shift) {
  const std::size_t ranks = parts_.size();
  arriving_.resize(parts_[(rank_ + ranks - shift) % ranks].size());
  const auto next = static_cast<int>((rank_ + 1) % ranks);
  const auto previous = static_cast<int>((rank_ + ranks - 1) % ranks);
  MPI_Sendrecv(travelling.data(), numbers_of(travelling.size()), MPI_DOUBLE, next, 0,
               arriving_.data(), numbers_of(arriving_.size()), MPI_DOUBLE, previous, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::swap(travelling, arriving_);
}

std::vector<Attractor> Ring::gather(const std::vector<Attractor>& mine) const {
  std::vector<int> counts;
  std::vector<int> places;
  for (const Range& part : parts_) {
    counts.push_back(numbers_of(part.size()));
    places.push_back(numbers_of(part.begin));
  }
  std::vector<Attractor> all(parts_.back().end);
  MPI_Allgatherv(mine.data(), numbers_of(mine.size()), MPI_DOUBLE, all.data(), counts.data(),
                 places.data(), MPI_DOUBLE, MPI_COMM_WORLD);
  return all;
}

} // namespace apps::ring
