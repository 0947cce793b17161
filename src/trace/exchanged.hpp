#pragma once

#include "trace/incoming.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace hypermile::trace {

/// What a rank passes to a collective operation.
struct Passed {
  model::Arguments arguments;
  std::uint64_t bytes = 0; ///< that it contributes, as Operation::bytes
};

/// What all members of a communicator, in its order, pass to an operation, from the sums of bytes
/// that a trace has. Tracers count differently what is sent to all: once, or once for each; both
/// are understood. Where only sums are known of what pairs of ranks exchange (alltoallv), they are
/// shared out in proportion to what each rank sends and receives.
[[nodiscard]] std::vector<Passed> passed_to(std::span<const IncomingCollective> members);

[[nodiscard]] model::Shape shape_of(Collective operation);
[[nodiscard]] bool has_root(Collective operation);

} // namespace hypermile::trace
