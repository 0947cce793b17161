#pragma once

#include "tune/program_output.hpp"

#include "collective/registry.hpp"
#include "control/spawn.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hypermile::tune {

/// How our program is started under the user's MPI.
struct Launch {
  collective::Library library = collective::Library::openmpi;
  std::vector<std::string> launcher; ///< "mpirun -n 4"
  std::string program_folder;        ///< where libexec/hypermile is
  control::Variables environment{};  ///< that the MPI library reads
  control::Variables of_program{};   ///< that our program reads, on all nodes
};

/// How a job of ours ended.
struct JobEnd {
  bool done = false; ///< the program has said that it has done all
  int signal = 0;    ///< with which a user has ended it; 0: nobody has
};

/// Runs the program with these arguments and hands over its lines as they come; what the launcher
/// prints on stdout besides goes to stderr. Throws Error{unsupported} where the program is not
/// installed for this MPI; Error{hardware} where it fails by itself; what `take` throws, after the
/// job has been ended.
JobEnd run_collectives(const Launch& launch, const std::vector<std::string>& arguments,
                       const std::function<void(const Line&)>& take);

/// What the program says of itself. Throws likewise, and where a user ends it.
Hello greet(const Launch& launch);

/// The part of a job in which so many processes of each node take part. Throws Error{config} where
/// there are fewer, or one in all.
[[nodiscard]] Hello part_of(const Hello& job, std::size_t processes_per_node);

} // namespace hypermile::tune
