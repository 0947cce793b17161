#pragma once

#include "simulate/fixed_gears.hpp"

#include "model/layout.hpp"

#include <string>
#include <vector>

namespace hypermile::simulate {

/// What ranks that wait for others do, and so what their node draws.
enum class Waiting {
  idle,    ///< they block: the waiting power of the node's gear
  spinning ///< they poll, as MPI libraries do: as if they computed
};

/// A platform as SimGrid reads it, and the host that each rank is placed on.
struct SimGridPlatform {
  std::string xml;
  std::vector<PlacedNode> nodes; ///< hosts with ranks, in the order of the first rank on each
  std::vector<std::string> host_of_rank;
  model::IdleNodes idle_nodes;
};

/// Hosts are named after their type: "type1-0", "type1-1", ... Gears become pstates; waiting in
/// MPI draws waiting power, since that is what SimGrid bills for a host that does not compute; or
/// what model::spinning() says. Throws Error{config} if the ranks do not fit.
SimGridPlatform to_simgrid(const model::Platform& platform, std::size_t ranks,
                           Waiting waiting = Waiting::idle, const model::Layout& layout = {});

} // namespace hypermile::simulate
