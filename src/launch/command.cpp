#include "launch/command.hpp"

#include "launch/witness.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::launch {
namespace {

/// While one of these lives, signals that end a program do not end hypermile, but wait to be taken.
class Held {
public:
  Held() {
    ::sigemptyset(&signals_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
      ::sigaddset(&signals_, signal);
    sigset_t with_child = signals_;
    ::sigaddset(&with_child, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &with_child, &before_);
    child_ = ::signal(SIGCHLD, SIG_DFL); // where it is ignored nobody hears how a child ended
  }
  ~Held() {
    ::signal(SIGCHLD, child_);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  [[nodiscard]] const sigset_t& signals() const { return signals_; }
  [[nodiscard]] const sigset_t& before() const { return before_; }

private:
  sigset_t signals_{};
  sigset_t before_{};
  void (*child_)(int) = SIG_DFL;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts)
    all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// Whether there is such a program, that may be executed or not.
bool exists(const std::string& program) {
  if (program.find('/') != std::string::npos)
    return ::access(program.c_str(), F_OK) == 0;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access(fmt::format("{}/{}", folder, program).c_str(), F_OK) == 0)
      return true;
  return false;
}

/// `reason`: of posix_spawnp(), which is EACCES also where a folder of PATH may not be searched.
[[noreturn]] void fail_to_start(const std::string& program, int reason) {
  if (reason == ENOENT || (reason == EACCES && !exists(program)))
    throw Error(ErrorKind::config,
                fmt::format("cannot start '{}': {}", program, std::strerror(ENOENT)),
                "the command that starts the job without hypermile, after --");
  throw Error(ErrorKind::hardware,
              fmt::format("cannot start '{}': {}", program, std::strerror(reason)));
}

pid_t start(const Command& command, const sigset_t& mask) {
  for (const auto& [name, value] : command.environment)
    ::setenv(name.c_str(), value.c_str(), 1);
  auto arguments = command.arguments;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  ::posix_spawnattr_init(&attributes);
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGPIPE); // which hypermile itself may ignore
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setsigmask(&attributes, &mask);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  pid_t pid = 0;
  const int reason = ::posix_spawnp(&pid, arguments[0].c_str(), nullptr, &attributes,
                                    pointers(arguments).data(), ::environ);
  ::posix_spawnattr_destroy(&attributes);
  for (const auto& [name, value] : command.environment)
    ::unsetenv(name.c_str());
  if (reason == 0)
    return pid;
  fail_to_start(command.arguments[0], reason);
}

/// Waits for the end of the command. The terminal sends its signals to everybody in the
/// foreground; what others send to us alone is meant for the command.
int status_of(pid_t command, const Held& held, Witness& witness) {
  sigset_t awaited = held.signals();
  ::sigaddset(&awaited, SIGCHLD);
  int status = 0;
  while (::waitpid(command, &status, WNOHANG) != command) {
    siginfo_t info{};
    const int signal = ::sigwaitinfo(&awaited, &info);
    const bool sent_by_a_process = info.si_code <= 0;
    if (signal > 0 && signal != SIGCHLD && sent_by_a_process && !witness.saw(signal))
      ::kill(command, signal);
  }
  return status;
}

} // namespace

End run(const Command& command) {
  const Held held;
  Witness witness(held.signals());
  const int status = status_of(start(command, held.before()), held, witness);
  if (WIFSIGNALED(status))
    return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

} // namespace hypermile::launch
