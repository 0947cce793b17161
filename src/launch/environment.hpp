#pragma once

#include "launch/command.hpp"
#include "runtime/settings.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::launch {

/// What LD_PRELOAD, or another list of libraries, has to be where a library comes before `others`.
std::string before(const std::string& library, const std::string& others);

/// The command as it is started so that each of its MPI processes loads hypermile: with these
/// settings and `library` in its environment, and with what makes Open MPI's mpirun hand both on
/// to other nodes. `environment`: ours.
Command with_hypermile(std::vector<std::string> arguments, const runtime::Settings& settings,
                       const std::string& library, const runtime::Environment& environment);

} // namespace hypermile::launch
