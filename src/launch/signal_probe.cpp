#include "launch/signal_probe.hpp"

#include <cerrno>
#include <ctime>
#include <new>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::launch {
namespace {

/// The processes of a group receive a signal one after the other.
constexpr timespec time_for_all{.tv_sec = 0, .tv_nsec = 20'000'000};

/// Not ours: `pkill -x hypermile` is for us alone.
constexpr const char* process_name = "hypermile-probe";

} // namespace

SignalProbe::SignalProbe(const sigset_t& signals) {
  void* const memory =
      ::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  seen_ = memory == MAP_FAILED ? nullptr : new (memory) Counts{};
  if (seen_ == nullptr)
    return;
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ != 0)
    return;
  ::prctl(PR_SET_NAME, process_name);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(0);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::close(stream); // whoever reads from a pipe must not wait for us
  for (;;)
    if (const int signal = ::sigwaitinfo(&signals, nullptr); signal > 0)
      ++seen_->of_signal.at(static_cast<std::size_t>(signal));
}

SignalProbe::~SignalProbe() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  if (seen_ != nullptr)
    ::munmap(seen_, sizeof(Counts));
}

bool SignalProbe::saw(int signal) {
  if (process_ <= 0)
    return false;
  ::nanosleep(&time_for_all, nullptr);
  const auto index = static_cast<std::size_t>(signal);
  const unsigned before = told_.at(index);
  told_.at(index) = seen_->of_signal.at(index).load();
  return told_.at(index) != before;
}

} // namespace hypermile::launch
