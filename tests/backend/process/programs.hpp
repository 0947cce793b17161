#pragma once

#include "control/affinity.hpp"
#include "control/process_stat.hpp"
#include "control/processes.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include <sys/prctl.h>

namespace hypermile::test {

/// Computes as long as the process lives.
[[noreturn]] inline void compute() {
  for (volatile unsigned i = 0;;)
    i = i + 1;
}

/// A process that does `work` and then waits until it is killed, as the caller may be.
inline pid_t fork_for(const std::function<void()>& work) {
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child != 0)
    return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(1);
  work();
  for (;;)
    ::pause();
}

inline void pause_for_ms(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

inline std::vector<pid_t> threads_of(pid_t process) {
  std::vector<pid_t> threads;
  std::error_code ended;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", ended))
    threads.push_back(static_cast<pid_t>(std::stol(entry.path().filename().string())));
  return threads;
}

/// The masks that threads of the process have, each once.
inline std::set<control::CpuSet> masks_of(pid_t process) {
  std::set<control::CpuSet> masks;
  for (const pid_t thread : threads_of(process))
    if (auto mask = control::affinity(thread))
      masks.insert(std::move(*mask));
  return masks;
}

inline bool is_stopped(pid_t process) {
  const auto stat = control::process_stat(process);
  return stat && stat->state == 'T';
}

inline bool is_there(pid_t process) {
  const auto stat = control::process_stat(process);
  return stat && control::is_running(*stat);
}

} // namespace hypermile::test
