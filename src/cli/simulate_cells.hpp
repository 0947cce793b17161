#pragma once

#include "sweep/sweep.hpp"

#include <string>
#include <vector>

namespace hypermile::cli {

/// How the cells of a study are simulated.
struct CellWork {
  std::string study_folder; ///< where they begin
  std::string results;      ///< folder for what becomes of them
  sweep::FileLock::Kind lock = sweep::FileLock::Kind::alone;
  std::size_t jobs = 1;
  bool retry_failed = false;
  bool quiet = false; ///< no progress on stderr
};

/// The file of this very command.
std::string this_command();

/// Simulates the cells of which the folder of results knows nothing. Throws simulate::Interrupted,
/// and Error{unsupported} if a part of this installation is missing.
std::vector<study::Outcome> simulate_cells(const std::vector<sweep::Place>& places,
                                           const CellWork& work);

/// Says that what is finished is kept, and returns the exit code.
int tell_interruption(int signal);

} // namespace hypermile::cli
