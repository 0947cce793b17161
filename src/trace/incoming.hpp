#pragma once

#include "model/timeline.hpp"
#include "units/quantity.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hypermile::trace {

/// A communicator of a trace, by the trace's own number.
struct IncomingCommunicator {
  std::string name;
  std::vector<std::uint32_t> members; ///< ranks of MPI_COMM_WORLD, in the order of its ranks
  bool is_self = false;               ///< MPI_COMM_SELF: each rank's own
  bool is_intercommunicator = false;  ///< nothing of it is understood
};
using IncomingCommunicators = std::map<std::uint64_t, IncomingCommunicator>;

/// What a collective operation of a trace does.
enum class Collective : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv, ///< alltoallw, too
  allreduce,
  reduce,
  reduce_scatter,
  reduce_scatter_block,
  scan, ///< exscan, too
  makes_communicator
};

/// A rank's part in one, as a trace tells it.
struct IncomingCollective {
  std::uint32_t event = 0; ///< of the rank's timeline: it arrives there
  Collective operation = Collective::barrier;
  std::uint64_t communicator = 0; ///< the trace's number
  std::uint32_t root = no_root;   ///< a rank of the communicator
  std::uint64_t sent = 0;         ///< bytes, in all
  std::uint64_t received = 0;     ///< likewise
  static constexpr std::uint32_t no_root = 0xffffffff;
};

/// What a rank did, as far as it can be told without the other ranks.
struct IncomingRank {
  model::RankTimeline timeline; ///< events that arrive have no operation yet
  std::vector<IncomingCollective> collectives;
  /// What other ranks have to do with: by the trace's number, the first event that uses it.
  std::map<std::uint64_t, std::uint32_t> first_use;
};

} // namespace hypermile::trace
