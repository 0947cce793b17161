#pragma once

#include "doctor/places.hpp"

#include <string>
#include <vector>

namespace hypermile::doctor {

/// An MPI that starts programs here.
struct Mpi {
  std::string flavour;  ///< "openmpi", "mpich"; "other": one that hypermile does not know
  std::string version;  ///< empty where it does not tell
  std::string launcher; ///< its mpirun: the plain one, if that is of this flavour
  std::string library;  ///< hypermile's own for it; empty for one that hypermile does not know
  bool library_installed = false; ///< with the one that loads it
};

/// What simulating needs.
struct Simulator {
  std::string version; ///< of SimGrid; empty where smpirun is missing
  std::string library; ///< hypermile's own
  bool library_installed = false;
};

std::vector<Mpi> examine_mpi(const Places& places);
Simulator examine_simulator(const Places& places);

/// hypermile-guard, which restores what a run set; empty where it is not installed.
std::string find_guard(const Places& places);

} // namespace hypermile::doctor
