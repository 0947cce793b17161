#include "launch/command.hpp"

#include "control/small_file.hpp"

#include <cerrno>

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

namespace hypermile::launch {
namespace {

pid_t start(const Command& command, const sigset_t& blocked, int output) {
  using control::Spawn;
  try {
    return control::spawn({.arguments = command.arguments,
                           .environment = control::environment_with(command.environment),
                           .descriptors = {Spawn::ours, output < 0 ? Spawn::ours : output},
                           .blocked = blocked});
  } catch (const control::FileError& error) {
    if (error.number() == ENOENT)
      throw Error(ErrorKind::config, error.what(),
                  "the command that starts the job without hypermile, after --");
    throw;
  }
}

} // namespace

Running::Running(const Command& command, int output)
    : probe_(signals_.ending()), pid_(start(command, signals_.before(), output)) {}

/// The terminal sends its signals to the whole foreground group. What a process sends to us alone
/// is meant for the command.
std::optional<End> Running::look() {
  const auto has_ended = [&] {
    int status = 0;
    if (!end_ && ::waitpid(pid_, &status, WNOHANG) == pid_)
      end_ = control::end_of(status);
    return end_.has_value();
  };
  (void)has_ended();
  while (const auto taken = signals_.take()) {
    if (taken->signal == SIGCHLD)
      continue;
    signal_ = taken->signal;
    if (end_)
      asked_to_end_ = true;
    else if (taken->sent_by_a_process && !probe_.saw(taken->signal))
      ::kill(pid_, taken->signal);
  }
  (void)has_ended(); // its SIGCHLD may be among those just taken
  return end_;
}

End run(const Command& command) {
  Running running(command);
  while (true) {
    if (const auto end = running.look())
      return *end;
    pollfd signals{.fd = running.descriptor(), .events = POLLIN, .revents = 0};
    (void)::poll(&signals, 1, -1);
  }
}

} // namespace hypermile::launch
