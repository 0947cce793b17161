#pragma once

#include "runtime/exchange/messages.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace hypermile::runtime {

/// Some iterations of a rank: where they begin in its Measurement::iterations, and how many.
struct Iterations {
  std::size_t first = 0;
  std::size_t count = 0;
  bool operator==(const Iterations&) const = default;
};

/// The same iterations of every rank, by rank, the latest that all have recorded; at least one.
/// Where few ranks wait for a rank, or late, it may be several iterations ahead of others: at a
/// moment each is in another one, and between two moments each does another number of them.
///
/// Which iterations belong together, messages and collective operations tell, which are counted
/// from MPI_Init on. Empty where they do not, or the ranks' loops differ. `measurements`: with
/// timelines.
[[nodiscard]] std::vector<Iterations>
common_iterations(const std::vector<Measurement>& measurements);

/// When the rank began and ended them.
[[nodiscard]] std::pair<Seconds, Seconds> moments(const Measurement& measurement,
                                                  const Iterations& iterations);

/// What it did in them.
[[nodiscard]] model::RankTimeline extract(const Measurement& measurement,
                                          const Iterations& iterations);

} // namespace hypermile::runtime
