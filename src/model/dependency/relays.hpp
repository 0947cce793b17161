#pragma once

#include "model/dependency/calls.hpp"

#include <vector>

namespace hypermile::model::dependency {

/// By event: who hands a rank what the root of a collective operation gives, as the event with
/// which that rank arrived. MPI libraries pass a broadcast on along a tree, so that a rank that is
/// late delays those behind it. `nothing` for what is no arrival, for roots, and for operations of
/// which ranks are missing or that are not over when their call is: there all get it from the root.
///
/// Nobody tells the tree. Of those that libraries use, it is the one that explains best when ranks
/// left: never before a rank came that hands it to them. Ranks of a communicator are taken to be
/// in the order of MPI_COMM_WORLD.
[[nodiscard]] std::vector<EventIndex> find_relays(const Matching& matching, const Calls& calls);

} // namespace hypermile::model::dependency
