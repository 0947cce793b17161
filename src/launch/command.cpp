#include "launch/command.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::launch {
namespace {

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

pid_t start(const Command& command, const sigset_t& mask, int output) {
  for (const auto& [name, value] : command.environment)
    ::setenv(name.c_str(), value.c_str(), 1);
  auto arguments = command.arguments;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t files;
  sigset_t defaults;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_init(&files);
  ::sigemptyset(&defaults);
  ::sigaddset(&defaults, SIGPIPE); // which hypermile itself may ignore
  ::posix_spawnattr_setsigdefault(&attributes, &defaults);
  ::posix_spawnattr_setsigmask(&attributes, &mask);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  if (output >= 0)
    ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  pid_t pid = 0;
  const int reason = ::posix_spawnp(&pid, arguments[0].c_str(), &files, &attributes,
                                    pointers(arguments).data(), ::environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  for (const auto& [name, value] : command.environment)
    ::unsetenv(name.c_str());
  if (reason == 0)
    return pid;
  fail_to_start(command.arguments[0], reason);
}

End end_of(int status) {
  if (WIFSIGNALED(status))
    return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

} // namespace

Running::Running(const Command& command, int output)
    : probe_(signals_.ending()), pid_(start(command, signals_.before(), output)) {}

/// The terminal sends its signals to everybody in the foreground; what others send to us alone is
/// meant for the command.
std::optional<End> Running::look() {
  const auto has_ended = [&] {
    int status = 0;
    if (!end_ && ::waitpid(pid_, &status, WNOHANG) == pid_)
      end_ = end_of(status);
    return end_.has_value();
  };
  (void)has_ended();
  while (const auto taken = signals_.take()) {
    if (taken->signal == SIGCHLD)
      continue;
    if (end_)
      asked_to_end_ = true;
    else if (taken->sent_by_a_process && !probe_.saw(taken->signal))
      ::kill(pid_, taken->signal);
  }
  (void)has_ended(); // the news of it may just have been taken
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
