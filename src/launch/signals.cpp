#include "launch/signals.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include <sys/signalfd.h>
#include <unistd.h>

namespace hypermile::launch {

HeldSignals::HeldSignals() {
  ::sigemptyset(&ending_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2})
    ::sigaddset(&ending_, signal);
  sigset_t held = ending_;
  ::sigaddset(&held, SIGCHLD);
  descriptor_ = control::Descriptor(::signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK));
  if (descriptor_.number() < 0)
    throw Error(ErrorKind::hardware,
                fmt::format("cannot wait for signals: {}", std::strerror(errno)));
  ::sigprocmask(SIG_BLOCK, &held, &before_);
  child_ = ::signal(SIGCHLD, SIG_DFL); // where it is ignored nobody hears how a child ended
}

HeldSignals::~HeldSignals() {
  ::signal(SIGCHLD, child_);
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<HeldSignals::Taken> HeldSignals::take() const {
  signalfd_siginfo info{};
  if (::read(descriptor_.number(), &info, sizeof info) != sizeof info)
    return std::nullopt;
  return Taken{.signal = static_cast<int>(info.ssi_signo), .sent_by_a_process = info.ssi_code <= 0};
}

} // namespace hypermile::launch
