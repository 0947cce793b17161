#pragma once

#include "runtime/pmpi/session.hpp"

#include <atomic>

/// Which threads of a process are watched, on a real MPI. A session follows one thread of control:
/// that is the thread that called MPI_Init, or, under MPI_THREAD_SERIALIZED, all threads, since
/// their calls come one at a time. Calls of other threads pass untouched.
namespace hypermile::runtime::pmpi {

/// Called by the thread that has called MPI_Init.
void begin_watch(Session& session);
/// No thread is watched any more. Returns the session that was; null: none, or this process was
/// forked off by one whose calls are watched. May be called by any thread.
Session* end_watch();

/// True once a thread that is not watched has communicated.
const std::atomic<bool>& others_communicate();

} // namespace hypermile::runtime::pmpi
