#pragma once

#include "runtime/status.hpp"

#include <string>

namespace hypermile::simulate {

/// How a simulation ended, which says what a rank was doing that is in no MPI call.
enum class Ending {
  cut_off, ///< by a crash, say: it was running on
  over     ///< no rank could go on, so it had come to its end
};

/// Where the ranks were that have not finished, those in the same place together, a line each
/// ("\n  ranks 0-3 wait in MPI_Recv since ..."). Empty if all have finished.
std::string rank_states(const runtime::StatusFile& status, Ending ending);

/// The same of one rank, without the line break.
std::string rank_state(std::size_t rank, const runtime::StatusFile& status);

} // namespace hypermile::simulate
