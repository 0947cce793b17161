#pragma once

#include "runtime/exchange/messages.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace hypermile::runtime {

/// The same iterations of every rank, the latest that all have recorded. Where few ranks wait for a
/// rank, or late, it may be several iterations ahead of others: at a moment each is in another one,
/// and between two moments each does another number of them.
struct CommonIterations {
  std::size_t count = 0;          ///< >= 1
  std::vector<std::size_t> first; ///< by rank: where they begin in its Measurement::iterations
};

/// Which iterations belong together, messages and collective operations tell, which are counted
/// from MPI_Init on. None where they do not, or the ranks' loops differ. `measurements`: with
/// timelines.
[[nodiscard]] std::optional<CommonIterations>
common_iterations(const std::vector<Measurement>& measurements);

/// These iterations of a rank.
[[nodiscard]] model::RankTimeline extract(const Measurement& measurement, std::size_t first,
                                          std::size_t count);

} // namespace hypermile::runtime
