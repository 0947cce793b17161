#pragma once

#include "cli/select_options.hpp"

namespace hypermile::cli {

#ifdef HYPERMILE_SIMGRID
/// Chooses gears for the run of the options, and prints the plan. Whether it keeps all bounds.
/// Throws as simulate::run(), and Error{unsupported} for a method that cannot choose for runs.
bool select_for_run(const SelectOptions& options);
#endif

} // namespace hypermile::cli
