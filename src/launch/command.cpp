#include "launch/command.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::launch {
namespace {

volatile pid_t running = 0;

/// The terminal sends its signals to everybody in the foreground, others to whom they mean.
extern "C" void pass_on(int signal, siginfo_t* info, void*) {
  const int before = errno;
  if (info->si_code <= 0 && running > 0)
    ::kill(running, signal);
  errno = before;
}

/// While one of these lives, signals that end a program do not end hypermile.
class PassingOn {
public:
  PassingOn() {
    struct sigaction action {};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      ::sigaction(signals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN)
        ::sigaction(signals[i], &action, nullptr);
    }
  }
  ~PassingOn() {
    running = 0;
    for (std::size_t i = 0; i < signals.size(); ++i)
      ::sigaction(signals[i], &before_[i], nullptr);
  }
  PassingOn(const PassingOn&) = delete;
  PassingOn& operator=(const PassingOn&) = delete;

  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

private:
  std::array<struct sigaction, signals.size()> before_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts)
    all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

pid_t start(const Command& command) {
  for (const auto& [name, value] : command.environment)
    ::setenv(name.c_str(), value.c_str(), 1);
  auto arguments = command.arguments;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  ::posix_spawnattr_init(&attributes);
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGPIPE); // which hypermile itself may ignore
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t pid = 0;
  const int reason = ::posix_spawnp(&pid, arguments[0].c_str(), nullptr, &attributes,
                                    pointers(arguments).data(), ::environ);
  ::posix_spawnattr_destroy(&attributes);
  for (const auto& [name, value] : command.environment)
    ::unsetenv(name.c_str());
  if (reason == 0)
    return pid;
  throw Error(reason == ENOENT ? ErrorKind::config : ErrorKind::hardware,
              fmt::format("cannot start '{}': {}", command.arguments[0], std::strerror(reason)),
              reason == ENOENT ? "the command that starts the job without hypermile, after --"
                               : "");
}

} // namespace

End run(const Command& command) {
  const PassingOn passing_on;
  running = start(command);
  int status = 0;
  while (::waitpid(running, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

} // namespace hypermile::launch
