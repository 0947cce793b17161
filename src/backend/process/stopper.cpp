#include "backend/process/stopper.hpp"

#include "control/process_stat.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <string_view>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace hypermile::backend::process {
namespace {

using Signals = unsigned long long;

constexpr std::array stops{SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
constexpr Signals bit(int signal) { return 1ULL << (signal - 1); }
constexpr Signals all_stops = bit(SIGSTOP) | bit(SIGTSTP) | bit(SIGTTIN) | bit(SIGTTOU);

/// What /proc/PID/status says.
struct Status {
  bool stopped;    ///< by a signal or a debugger
  Signals pending; ///< of those that stop a process; one that is stopped keeps all that come
};

Status read_status(const control::Descriptor& file) {
  std::array<char, 4096> text{};
  const ssize_t count = ::pread(file.number(), text.data(), text.size(), 0);
  const std::string_view all(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  const auto value = [&](std::string_view name) {
    const auto at = all.find(name);
    return at == all.npos ? std::string_view() : all.substr(at + name.size());
  };
  const auto state = value("\nState:\t");
  const auto pending = value("\nShdPnd:\t");
  Signals signals = 0;
  std::from_chars(pending.data(), pending.data() + pending.size(), signals, 16);
  return {.stopped = state.starts_with('T') || state.starts_with('t'),
          .pending = signals & all_stops};
}

control::Descriptor open_status(pid_t pid) {
  return control::Descriptor(
      ::open(fmt::format("/proc/{}/status", pid).c_str(), O_RDONLY | O_CLOEXEC));
}

} // namespace

control::Descriptor handle_of(pid_t pid, std::uint64_t start) {
  control::Descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  const auto stat = control::process_stat(pid); // after: it is that of the process we have
  return stat && stat->start == start ? std::move(handle) : control::Descriptor();
}

int send_signal(const control::Descriptor& handle, int signal) {
  return ::syscall(SYS_pidfd_send_signal, handle.number(), signal, nullptr, 0) == 0 ? 0 : errno;
}

void Stopper::follow(const std::vector<Process>& processes) {
  std::map<pid_t, Target> targets;
  for (const Process& process : processes) {
    const auto known = targets_.find(process.pid);
    if (known != targets_.end() && known->second.start == process.start)
      targets.insert(targets_.extract(known));
    else
      targets.emplace(process.pid, Target{.start = process.start,
                                          .status = open_status(process.pid), // before the handle
                                          .handle = handle_of(process.pid, process.start),
                                          .by_us = false,
                                          .by_others = process.stopped});
  }
  targets_.swap(targets);
}

int Stopper::may_stop() const {
  int error = 0;
  for (const auto& [pid, target] : targets_) {
    error = send_signal(target.handle, 0);
    if (error == 0)
      break;
  }
  return error;
}

void Stopper::stop() {
  for (auto& [pid, target] : targets_)
    if (!target.by_us) {
      const Status status = read_status(target.status);
      target.by_others = status.stopped || status.pending != 0;
      target.by_us = !target.by_others && send_signal(target.handle, SIGSTOP) == 0;
    }
}

void Stopper::go_on() {
  for (auto& [pid, target] : targets_)
    if (target.by_us) {
      Status status = read_status(target.status);
      if (!status.stopped) // it has not come to that: this one is ours
        status.pending &= ~bit(SIGSTOP);
      send_signal(target.handle, SIGCONT); // which makes the process forget the others
      for (const int signal : stops)
        if ((status.pending & bit(signal)) != 0)
          send_signal(target.handle, signal);
      target.by_us = false;
      target.by_others = status.pending != 0;
    }
}

bool Stopper::stopped_by_others(pid_t pid) const {
  const auto target = targets_.find(pid);
  return target != targets_.end() && target->second.by_others;
}

} // namespace hypermile::backend::process
