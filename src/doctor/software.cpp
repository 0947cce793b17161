#include "doctor/examination.hpp"

#include "control/spawn.hpp"
#include "doctor/files.hpp"
#include "doctor/program_output.hpp"

#include <algorithm>
#include <filesystem>

namespace hypermile::doctor {
namespace {

/// For a program's --version. On a slow machine, mpirun's first start takes more than 5 s.
constexpr Seconds patience{20};

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

std::string first_word_after(const std::string& text, const std::string& before) {
  const auto place = text.find(before);
  if (place == std::string::npos)
    return "";
  const auto begin = text.find_first_not_of(" \t", place + before.size());
  const auto end = text.find_first_of(" \t\r\n", begin);
  return begin == std::string::npos ? "" : text.substr(begin, end - begin);
}

/// Flavour and version from what `mpirun --version` prints.
Mpi recognise(const std::string& text) {
  Mpi mpi;
  if (text.find("(Open MPI)") != std::string::npos || text.find("(OpenRTE)") != std::string::npos) {
    mpi.flavour = "openmpi";
    mpi.version = first_word_after(text, ")");
  } else if (text.find("HYDRA") != std::string::npos || text.find("MPICH") != std::string::npos) {
    mpi.flavour = "mpich";
    mpi.version = first_word_after(text, "Version:");
  } else {
    mpi.flavour = "other";
    mpi.version = split(text, '\n').front().substr(0, 60);
  }
  return mpi;
}

} // namespace

std::vector<Mpi> examine_mpi(const Places& places) {
  std::vector<Mpi> found;
  for (const char* name :
       {"mpirun", "mpiexec", "mpirun.openmpi", "mpirun.mpich", "mpiexec.hydra"}) {
    const std::string launcher = control::find_program(name, places.path);
    if (launcher.empty())
      continue;
    const auto text = output_of({launcher, "--version"}, patience);
    Mpi mpi = recognise(text.value_or(""));
    if (std::ranges::find(found, mpi.flavour, &Mpi::flavour) != found.end())
      continue;
    mpi.launcher = launcher;
    if (mpi.flavour != "other")
      mpi.library = places.libraries + "/libhypermile-" + mpi.flavour + ".so";
    mpi.library_installed =
        is_file(mpi.library) && is_file(places.libraries + "/libhypermile-preload.so");
    found.push_back(std::move(mpi));
  }
  return found;
}

Simulator examine_simulator(const Places& places) {
  Simulator simulator;
  simulator.library = places.libraries + "/libhypermile-smpi.so";
  simulator.library_installed = is_file(simulator.library);
  if (const auto smpirun = control::find_program("smpirun", places.path); !smpirun.empty()) {
    const auto text = output_of({smpirun, "--version"}, patience).value_or("");
    simulator.version = first_word_after(text, "SimGrid version");
    if (simulator.version.empty())
      simulator.version = "of a version that it does not tell";
  }
  return simulator;
}

std::string find_guard(const Places& places) {
  std::string guard = places.programs + "/hypermile-guard";
  return is_file(guard) ? guard : "";
}

} // namespace hypermile::doctor
