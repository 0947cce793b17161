#pragma once

#include "runtime/pmpi/library.hpp"

#include <thread>

namespace hypermile::runtime::pmpi {

/// Waits until the request is complete, and lets others have the core meanwhile. MPI's own waiting
/// may keep it for a whole time slice, and on the same core may be the rank that is waited for.
inline void complete(MPI_Request request) {
  for (int done = 0; done == 0;) {
    library.Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0)
      std::this_thread::yield();
  }
}

/// A collective function of MPI that does not wait, and its arguments but for the request.
template <class Function, class... Arguments>
void call_collective(Function function, Arguments... arguments) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (function(arguments..., &request) == MPI_SUCCESS)
    complete(request);
}

} // namespace hypermile::runtime::pmpi
