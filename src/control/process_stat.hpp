#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sys/types.h>

namespace hypermile::control {

/// What /proc/PID/stat says of a process.
struct ProcessStat {
  char state;           ///< 'R' running, 'S' asleep, 'T' stopped, 'Z' ended, ...
  pid_t parent;         ///< 0: none
  std::uint64_t waited; ///< CPU time of the children that it has waited for, in ticks
  std::size_t threads;
  std::uint64_t start; ///< in ticks since the boot: pids are used again

  bool operator==(const ProcessStat&) const = default;
};

/// None: there is no such process (any more).
std::optional<ProcessStat> process_stat(pid_t pid, const std::string& proc = "/proc");

/// Whether any of its threads still runs.
bool is_running(const ProcessStat& process);

} // namespace hypermile::control
