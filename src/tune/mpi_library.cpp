#include "tune/mpi_library.hpp"

#include "doctor/program_output.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace hypermile::tune {

using collective::Library;

Library library_of(const std::vector<std::string>& launcher) {
  constexpr Seconds patience{20};
  const auto output = doctor::output_of({launcher.front(), "--version"}, patience);
  const auto says = [&](const char* word) {
    return output && output->find(word) != std::string::npos;
  };
  if (says("Open MPI") || says("OpenRTE"))
    return Library::openmpi;
  if (says("HYDRA") || says("MPICH"))
    return Library::mpich;
  throw Error(ErrorKind::config,
              fmt::format("'{} --version' does not tell which MPI it belongs to", launcher.front()),
              "--mpi openmpi or --mpi mpich, and a launcher such as mpirun -n 4 after --");
}

/// In MPICH, algorithms for one node (release_gather) and compositions of a node and a cluster part
/// come before those that can be chosen: they are turned off for these collectives.
control::Variables
settings_for_choice(Library library,
                    const std::vector<const collective::Collective*>& collectives) {
  if (library == Library::openmpi)
    return {{"OMPI_MCA_coll_tuned_use_dynamic_rules", "1"}};
  control::Variables variables{{"MPIR_CVAR_DEVICE_COLLECTIVES", "percoll"}};
  for (const auto* const collective : collectives) {
    std::string name(collective->name);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    variables.emplace_back(fmt::format("MPIR_CVAR_{}_DEVICE_COLLECTIVE", name), "0");
  }
  return variables;
}

} // namespace hypermile::tune
