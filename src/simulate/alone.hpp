#pragma once

#include "model/platform.hpp"
#include "units/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermile::simulate {

/// What a message of so many bytes takes from a node of one site to one of another, or of the same,
/// where no other is on the way: as SimGrid has it, whose factors for small messages come from
/// measurements of MPI on a cluster with Gigabit Ethernet.
[[nodiscard]] Seconds transfer_alone(const model::Network& network, bool same_site,
                                     std::uint64_t bytes);

} // namespace hypermile::simulate
