#pragma once

#include "backend/process/process_tree.hpp"
#include "control/affinity.hpp"

#include <memory>

namespace hypermile::backend::process {

/// Confines a program to CPUs and slows it down, by a process of its own that undoes all this when
/// it is told to, or when the process that made it ends in whatever way: all threads may then run
/// where they could before (or where the program has wished since), and nothing is stopped that
/// others have not stopped. Where the supervisor itself is killed, a standby does so at once, and
/// the next call once more, should the standby have been killed, too: any two of the three
/// processes may be killed at the same time.
///
/// In a child that this process forked it does nothing. One thread calls this.
class Supervisor {
public:
  /// Make it while this process has no other threads: it forks. This process and its descendants
  /// that are not below the program's root are none of the program's.
  /// Throws Error{config} where there is no such program, Error{hardware} where there can be no
  /// supervisor.
  explicit Supervisor(Program program);
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;
  ~Supervisor();

  // Nothing happens to a program that has ended. Throw Error{hardware} with the system's reason
  // where not one thread or process takes it, or if the supervisor was killed.

  /// From now on all threads run on these CPUs, as far as they do not wish to be on some of these
  /// only. At least one.
  void confine(const control::CpuSet& cpus);
  /// The program runs 1/scale of the time, all its processes at once, in periods of 20 ms; 1: all
  /// the time. `scale` >= 1.
  void slow_down(double scale);

  /// Of all processes of the program: CPU time from their beginning, waiting from the beginning of
  /// the supervisor.
  [[nodiscard]] CpuUse cpu_use();
  [[nodiscard]] Seconds cpu_time() { return cpu_use().computed; }
  [[nodiscard]] bool alive();

  /// Of the supervisor; 0: it is not there any more.
  [[nodiscard]] pid_t pid() const;
  /// Of the process that restores if the supervisor is killed.
  [[nodiscard]] pid_t standby() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace hypermile::backend::process
