#pragma once

#include "backend/process/process_tree.hpp"
#include "control/descriptor.hpp"

#include <map>
#include <string>
#include <vector>

namespace hypermile::backend::process {

/// Stops processes and lets them go on, without getting in the way of others who do (a shell's job
/// control): what they stopped they let go on. Lost is only what others tell a process in the
/// microseconds between our look at it and our SIGCONT, and a SIGSTOP of theirs that comes before
/// ours has had its effect, as nobody can tell the two apart.
///
/// Whoever waits for a process of the program, and for it being stopped, is told of every pause: an
/// interactive shell takes its job for stopped.
class Stopper {
public:
  /// Which processes there are. Those that are stopped when they are seen first were so by others.
  void follow(const std::vector<Process>& processes);
  /// Returns 0, or the errno where not one process may be signalled.
  [[nodiscard]] int may_stop() const;
  void stop();
  /// Those that we stopped. What somebody else has told them meanwhile they are told again, so that
  /// Ctrl-Z does what it does without us.
  void go_on();

  /// Whether it was stopped by others when that was last looked at.
  [[nodiscard]] bool stopped_by_others(pid_t pid) const;

private:
  struct Target {
    std::uint64_t start = 0;
    control::Descriptor
        status{}; ///< /proc/PID/status, of this process even if the pid is used again
    control::Descriptor handle{}; ///< a pidfd
    bool by_us = false;
    bool by_others = false;
  };
  std::map<pid_t, Target> targets_;
};

/// A pidfd of this process; none if it is not there any more.
control::Descriptor handle_of(pid_t pid, std::uint64_t start);
/// 0, else the errno.
int send_signal(const control::Descriptor& handle, int signal);

} // namespace hypermile::backend::process
