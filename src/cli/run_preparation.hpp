#pragma once

#include "cli/run_options.hpp"

namespace hypermile::cli {

/// Completes the settings of `hypermile run` by what this machine knows: the files that they name,
/// whose paths become absolute, and the options of backends. Throws Error{config} for what the
/// ranks could not use.
void prepare_settings(RunOptions& options);

} // namespace hypermile::cli
