#pragma once

#include <cstdint>
#include <string>

#include <sys/types.h>

namespace hypermile::control {

/// Who sets the gears of a node.
struct Owner {
  std::string job;     ///< its name with the scheduler; empty: none
  std::string program; ///< what it runs
  std::string user;
  pid_t pid = 0;
  std::uint64_t start = 0; ///< of the process, in ticks since the boot: pids are used again
  std::int64_t since = 0;  ///< when it began to, in seconds since 1970

  bool operator==(const Owner&) const = default;
};

/// This process, from now on.
Owner this_process(std::string job, std::string program);

/// Whether that process is still there, on this machine since its last boot.
bool is_running(const Owner& owner);

/// "job 4711 of user anna since 2026-11-21 12:03 (cg, pid 99)".
std::string describe(const Owner& owner);

} // namespace hypermile::control
