#pragma once

#include "simulate/fixed_gears.hpp"

#include "model/platform.hpp"

#include <string>
#include <vector>

namespace hypermile::simulate {

/// A platform as SimGrid reads it, and the host that each rank is placed on.
struct SimGridPlatform {
  std::string xml;
  std::vector<PlacedNode> nodes; ///< hosts with ranks, in the order of the first rank on each
  std::vector<std::string> host_of_rank;
};

/// Hosts are named after their type: "type1-0", "type1-1", ... Gears become pstates; waiting in
/// MPI draws waiting power, since that is what SimGrid bills for a host that does not compute.
/// Throws Error{config} if the ranks do not fit.
SimGridPlatform to_simgrid(const model::Platform& platform, std::size_t ranks);

} // namespace hypermile::simulate
