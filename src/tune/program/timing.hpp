#pragma once

#include "tune/program/operation.hpp"

#include "collective/arrival.hpp"

#include <mpi.h>

#include <cstdint>

/// How long operations and copies take, measured under a real MPI.
namespace hypermile::tune {

[[nodiscard]] int rank_in(MPI_Comm communicator);
[[nodiscard]] int ranks_of(MPI_Comm communicator);

/// What is timed in all cells.
struct Job {
  MPI_Comm ranks; ///< that take part
  Operation operation;
  double cell_s;
  collective::Arrival arrival;
  std::uint64_t seed;
};

/// On rank 0; nothing elsewhere.
struct CellTime {
  double seconds;  ///< from the last arrival to the last end, the median
  double inside_s; ///< how long a rank is inside, see inside_s()
  int repetitions;
};

/// For so long, and at least 3 times; each repetition with another root, and ranks as late as the
/// pass has it. `communicator`: of the job's ranks.
[[nodiscard]] CellTime time_operation(const Job& job, const Buffers& buffers, MPI_Comm communicator,
                                      int size_b, std::uint64_t pass);

/// Of threads of each process. Nobody is late: that was before the operation whose message is
/// copied.
[[nodiscard]] CellTime time_copy(const Job& job, int threads, int size_b);

} // namespace hypermile::tune
