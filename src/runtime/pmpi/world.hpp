#pragma once

#include "runtime/pmpi/session.hpp"

/// The one thing that differs between simulated and real MPI: how a rank finds its session, and
/// what its ports are connected to. Implemented once per flavour.
namespace hypermile::runtime::pmpi {

/// The session of the calling rank, which calls this function; null before MPI_Init, after
/// MPI_Finalize, and in a thread that is not watched.
Session* current_session(Function function);

/// MPI is initialised: creates the calling rank's session.
void open_session();

/// The calling rank is about to call PMPI_Finalize: ends its session; rank 0 writes the result.
void close_session();

/// The calling rank, simulated, says that it has computed this much since its last call, in the
/// platform's unit.
void note_computation(Work work);

/// The calling rank calls exit() (`how`: exited) or MPI_Abort (aborted) with this code.
void note_end(RankStatus::State how, int code);

} // namespace hypermile::runtime::pmpi
