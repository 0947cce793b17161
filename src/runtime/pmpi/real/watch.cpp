#include "runtime/pmpi/real/watch.hpp"

#include "runtime/pmpi/world.hpp"

#include <mpi.h>
#include <pthread.h>

namespace hypermile::runtime::pmpi {
namespace {

std::atomic<Session*> open = nullptr;
/// The session, where every thread's calls are watched.
std::atomic<Session*> for_all = nullptr;
/// The session, where this is the thread whose calls are watched. Every call of MPI asks for it;
/// a library that is loaded late would get a slower kind of variable by default.
[[gnu::tls_model("initial-exec")]] constinit thread_local Session* for_this = nullptr;
std::atomic<bool> others = false;

/// A child that the program forks off is no rank.
void forget() {
  open.store(nullptr);
  for_all.store(nullptr);
  for_this = nullptr;
}

} // namespace

void begin_watch(Session& session) {
  static const int registered = pthread_atfork(nullptr, nullptr, forget);
  static_cast<void>(registered);
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  open.store(&session);
  if (level == MPI_THREAD_SERIALIZED)
    for_all.store(&session);
  else
    for_this = &session;
}

Session* end_watch() {
  for_all.store(nullptr);
  for_this = nullptr;
  return open.exchange(nullptr);
}

const std::atomic<bool>& others_communicate() { return others; }

Session* current_session(Function function) {
  if (for_this != nullptr)
    return for_this;
  if (open.load(std::memory_order_relaxed) == nullptr || function == Function::Wtime)
    return nullptr; // threads may read the clock at once at any level
  Session* const session = for_all.load(std::memory_order_acquire);
  if (session == nullptr && kind(function) != Kind::timing &&
      !others.load(std::memory_order_relaxed)) // which does not take it from other threads' caches
    others.store(true, std::memory_order_relaxed);
  return session;
}

} // namespace hypermile::runtime::pmpi
