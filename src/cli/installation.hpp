#pragma once

#include "simulate/experiment.hpp"

namespace hypermile::cli {

/// Where the files of this installation or build tree are, found from where the command itself
/// is. Throws Error{unsupported} naming what is missing.
simulate::Installation find_installation();

} // namespace hypermile::cli
