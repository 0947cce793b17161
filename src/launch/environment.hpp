#pragma once

#include "control/spawn.hpp"
#include "launch/command.hpp"
#include "runtime/settings.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hypermile::launch {

/// The value of LD_PRELOAD, or of another list of libraries, with a library before `others`.
std::string before(const std::string& library, const std::string& others);

/// The command, changed so that each of its MPI processes loads hypermile: these settings and
/// `library` are in its environment, and Open MPI's mpirun is told to hand them on to other nodes.
/// `environment`: ours. `of_mpi`: variables that the MPI library reads, which all launchers hand on
/// by themselves.
Command with_hypermile(std::vector<std::string> arguments, const runtime::Settings& settings,
                       const std::string& library, const runtime::Environment& environment,
                       const control::Variables& of_mpi = {});

/// The command, changed so that Open MPI's mpirun hands these variables of its environment on to
/// other nodes; other launchers do so by themselves. `environment`: ours.
Command handed_on(Command command, std::vector<std::string> names,
                  const runtime::Environment& environment = runtime::own_environment);

} // namespace hypermile::launch
