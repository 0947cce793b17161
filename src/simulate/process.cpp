#include "simulate/process.hpp"

#include "control/descriptor.hpp"
#include "control/small_file.hpp"

#include <cerrno>
#include <ctime>

#include <fcntl.h>
#include <sys/wait.h>

namespace hypermile::simulate {
namespace {

volatile sig_atomic_t pending_signal = 0;

extern "C" void note_signal(int signal) { pending_signal = signal; }

constexpr long step_ns = 2'000'000;

void sleep_a_step() {
  const timespec step{0, step_ns};
  ::nanosleep(&step, nullptr);
}

control::Descriptor open_to_write(const std::string& file) {
  control::Descriptor opened(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (opened.number() < 0)
    throw control::FileError("cannot write " + file, errno);
  return opened;
}

} // namespace

Process::Process(const Command& command) {
  using control::Spawn;
  const control::Descriptor output = open_to_write(command.output);
  const control::Descriptor errors =
      open_to_write(command.errors.empty() ? command.output : command.errors);
  pid_ =
      control::spawn({.arguments = command.arguments,
                      .environment = control::environment_with(command.environment, command.hidden),
                      .descriptors = {Spawn::nothing, output.number(), errors.number()},
                      .place = Spawn::Place::own_group,
                      .dies_with_us = true,
                      .folder = command.folder});
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
      return control::end_of(status);
    }
    if (waited >= patience.value() || Interruption::pending() != 0)
      return std::nullopt;
    sleep_a_step();
  }
}

void Process::ask_to_end() const {
  if (pid_ > 0)
    ::kill(-pid_, SIGTERM);
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
