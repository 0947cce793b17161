#pragma once

#include <csignal>
#include <sched.h>

/// What threads of hypermile's own in a program have in common.
namespace hypermile::runtime {

/// A new thread has the signals blocked that its creator has: it handles none of the program's.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
  sigset_t before_{};
};

/// The calling thread, on any CPU that the process may use, not only on the one that MPI has given
/// the rank: what it takes of that one the program waits for. Where the system refuses it, nothing
/// is lost but some of the program's time.
inline void may_run_anywhere() {
  cpu_set_t any;
  CPU_ZERO(&any);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    CPU_SET(cpu, &any);
  (void)sched_setaffinity(0, sizeof any, &any); // the process's cpuset still holds
}

} // namespace hypermile::runtime
