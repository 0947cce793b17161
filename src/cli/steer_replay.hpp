#pragma once

#include "cli/steer_options.hpp"

namespace hypermile::cli {

/// `hypermile steer --replay`. Returns the exit code.
int replay_table(const SteerOptions& options);

} // namespace hypermile::cli
