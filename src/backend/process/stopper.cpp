#include "backend/process/stopper.hpp"

#include "control/process_stat.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include <sys/syscall.h>
#include <unistd.h>

namespace hypermile::backend::process {
namespace {

/// Whether a stopped process has been told to stop once more, which the kernel remembers until the
/// process goes on. So somebody else has told it to, before us or after us.
bool told_twice(pid_t pid) {
  std::string status;
  try {
    status = control::read_small_file(fmt::format("/proc/{}/status", pid));
  } catch (const control::FileError&) {
    return false;
  }
  // As long as it has not stopped, the signal may be the only one.
  const std::string name = "\nShdPnd:\t";
  const auto pending = status.find(name);
  if (status.find("\nState:\tT") == std::string::npos || pending == std::string::npos)
    return false;
  const auto signals = std::strtoull(status.c_str() + pending + name.size(), nullptr, 16);
  const auto bit = [](int signal) { return 1ULL << (signal - 1); };
  return (signals & (bit(SIGSTOP) | bit(SIGTSTP) | bit(SIGTTIN) | bit(SIGTTOU))) != 0;
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
    target.by_us = target.by_us || send_signal(target.handle, SIGSTOP) == 0;
}

void Stopper::go_on() {
  for (auto& [pid, target] : targets_)
    if (target.by_us) {
      target.by_us = false;
      target.by_others = told_twice(pid);
      if (!target.by_others)
        send_signal(target.handle, SIGCONT);
    }
}

bool Stopper::stopped_by_others(pid_t pid) const {
  const auto target = targets_.find(pid);
  return target != targets_.end() && target->second.by_others;
}

} // namespace hypermile::backend::process
