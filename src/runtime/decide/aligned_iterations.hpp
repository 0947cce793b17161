#pragma once

#include "runtime/exchange/messages.hpp"

#include <vector>

namespace hypermile::runtime {

/// Each rank finds the main loop by itself, and may take another call for its first one. Iterations
/// that begin in different places of the program can't be told from ranks that are ahead of others.
/// So those of ranks that make the same calls in an iteration, in the same order, are made to begin
/// with the same call: the one that most begin with. Ranks whose iterations differ, or that have no
/// events of a whole one, stay as they are. `measurements`: of one loop.
void align_iterations(std::vector<Measurement>& measurements);

} // namespace hypermile::runtime
