#pragma once

#include "backend/process/process_tree.hpp"
#include "control/affinity.hpp"

#include <map>
#include <optional>
#include <vector>

namespace hypermile::backend::process {

using control::CpuSet;

/// The CPUs that the threads of a program may run on: as it wishes, and as it is confined.
///
/// A thread's wish is the mask that it was found with, or that somebody else than we gave it since.
/// Confined, it may run on those CPUs of its wish that are in the confinement; on all of this if
/// there are none. A new thread whose mask is one that we set has inherited it: its wish is that of
/// a thread of its process, or of the parent process, or of any that has that mask.
class Masks {
public:
  struct Thread {
    pid_t process = 0;
    CpuSet wish{};
    CpuSet asked{};   ///< what we set last; else the wish
    CpuSet present{}; ///< which may be less: CPUs that are offline, or not in the program's cpuset
  };
  struct Outcome {
    std::size_t done = 0;   ///< threads that are as they should be
    std::size_t failed = 0; ///< threads that could not be set, and are still there
    int error = 0;          ///< the errno of one of these
  };

  /// Reads the masks of all threads. Returns whether there is a thread or wish that was not known.
  bool observe(const std::vector<Process>& processes);
  /// From the next apply() on. None: all threads may run where they wish.
  void confine(std::optional<CpuSet> cpus) { confinement_ = std::move(cpus); }
  [[nodiscard]] const std::optional<CpuSet>& confinement() const { return confinement_; }
  /// Sets the masks of all threads that are not as they should be.
  Outcome apply();

  [[nodiscard]] const std::map<pid_t, Thread>& threads() const { return threads_; }

private:
  [[nodiscard]] CpuSet target(const CpuSet& wish) const;
  [[nodiscard]] CpuSet inherited_wish(const Process& process, const CpuSet& mask) const;
  bool observe(const Process& process, pid_t thread);

  std::optional<CpuSet> confinement_;
  std::map<pid_t, Thread> threads_;
  /// Masks that we set and that a new thread may have inherited, and the wishes they were set for.
  std::map<CpuSet, CpuSet> ours_;
};

} // namespace hypermile::backend::process
