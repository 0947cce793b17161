#pragma once

#include "runtime/pmpi/library.hpp"

namespace hypermile::runtime::pmpi {

/// From here on, a call of the program that waits for other ranks leaves its core to others after
/// some time. All ranks of MPI_COMM_WORLD do this at the same place in the order of their
/// collective calls, or none.
void wait_gently();
/// No more; before MPI_Finalize.
void wait_as_the_library_does();

/// The library with versions of functions that wait gently. They return what its own return.
[[nodiscard]] Library gentle_completions();
void add_gentle_messages(Library& gentle);
void add_gentle_collectives(Library& gentle);

/// Completes a request that the program does not know. Returns MPI's error code.
int complete_gently(MPI_Request& request);

} // namespace hypermile::runtime::pmpi
