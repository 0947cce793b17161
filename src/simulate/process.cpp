#include "simulate/process.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::simulate {
namespace {

volatile sig_atomic_t pending_signal = 0;

extern "C" void note_signal(int signal) { pending_signal = signal; }

/// Only what is safe between fork() and exec().
[[noreturn]] void become(char* const* arguments, int output, int error_pipe, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (::getppid() == parent && nothing >= 0 && ::dup2(nothing, 0) >= 0 && ::dup2(output, 1) >= 0 &&
      ::dup2(output, 2) >= 0)
    ::execvp(arguments[0], arguments);
  const int reason = errno;
  [[maybe_unused]] const auto written = ::write(error_pipe, &reason, sizeof reason);
  ::_exit(127);
}

constexpr long step_ns = 2'000'000;

void sleep_a_step() {
  const timespec step{0, step_ns};
  ::nanosleep(&step, nullptr);
}

void set_environment(const Process::Command& command) {
  for (const auto& [name, value] : command.environment)
    ::setenv(name.c_str(), value.c_str(), 1);
}

void unset_environment(const Process::Command& command) {
  for (const auto& [name, value] : command.environment)
    ::unsetenv(name.c_str());
}

} // namespace

Process::Process(const Command& command) {
  const int output =
      ::open(command.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  int channel[2] = {-1, -1};
  if (output < 0 || ::pipe2(channel, O_CLOEXEC) != 0)
    throw Error(ErrorKind::hardware,
                fmt::format("cannot write {}: {}", command.output, std::strerror(errno)));
  std::vector<std::string> arguments = command.arguments;
  std::vector<char*> pointers;
  for (auto& argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  set_environment(command);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0)
    become(pointers.data(), output, channel[1], parent);
  unset_environment(command);
  ::close(output);
  ::close(channel[1]);
  int reason = 0;
  const bool failed = ::read(channel[0], &reason, sizeof reason) > 0;
  ::close(channel[0]);
  if (pid_ < 0 || failed)
    throw Error(ErrorKind::hardware, fmt::format("cannot start {}: {}", command.arguments[0],
                                                 std::strerror(failed ? reason : errno)));
}

Process::~Process() {
  if (pid_ <= 0)
    return;
  ::kill(-pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::optional<Process::End> Process::wait(Seconds patience) {
  for (double waited = 0;; waited += 1e-9 * step_ns) {
    siginfo_t ended{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        ended.si_pid == pid_) {
      // What it started and left running; until it is waited for, the group's number is its own.
      ::kill(-pid_, SIGKILL);
      int status = 0;
      ::waitpid(pid_, &status, 0);
      pid_ = -1;
      if (WIFSIGNALED(status))
        return End{128 + WTERMSIG(status), WTERMSIG(status)};
      return End{WEXITSTATUS(status), 0};
    }
    if (waited >= patience.value() || Interruption::pending() != 0)
      return std::nullopt;
    sleep_a_step();
  }
}

void Process::wait_for_any(Seconds patience) {
  for (double waited = 0; waited < patience.value(); waited += 1e-9 * step_ns) {
    siginfo_t ended{};
    const bool failed = ::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0;
    if (failed || ended.si_pid != 0 || Interruption::pending() != 0)
      return;
    sleep_a_step();
  }
}

Interruption::Interruption() {
  pending_signal = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    ::sigaction(signals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN)
      ::sigaction(signals[i], &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (std::size_t i = 0; i < signals.size(); ++i)
    ::sigaction(signals[i], &before_[i], nullptr);
  pending_signal = 0;
}

int Interruption::pending() { return pending_signal; }

void Interruption::check() {
  if (const int signal = pending())
    throw Interrupted{signal};
}

} // namespace hypermile::simulate
