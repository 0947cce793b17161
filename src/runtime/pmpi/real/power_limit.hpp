#pragma once

#include "runtime/pmpi/real/job_communicators.hpp"
#include "runtime/pmpi/real/node_connection.hpp"
#include "select/selector.hpp"

#include <optional>

namespace hypermile::runtime::pmpi {

/// Where peak power is capped, each node is left the gears of its share of the cap, see
/// peak_shares(), and is put into the fastest of them; choices then need not know of the cap. Where
/// no node's gears are set, they still do. Warns of caps that cannot be kept. Collective.
void limit_power(const JobCommunicators& job, NodeConnection& connection,
                 std::optional<select::Request>& request);

} // namespace hypermile::runtime::pmpi
