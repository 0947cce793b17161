#include "backend/process/standby.hpp"

#include "backend/process/leave.hpp"
#include "control/small_file.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::backend::process {
namespace {

void wait_for_end(int descriptor) {
  char nothing = 0;
  while (::read(descriptor, &nothing, 1) < 0 && errno == EINTR) {
  }
}

/// The life of a standby, in the process that was forked for it.
[[noreturn]] void be_standby(int lifeline, Program program, const Record& record) noexcept {
  try {
    const auto files = record.descriptors();
    detach({lifeline, files[0], files[1]}, "steer-standby");
    program.strangers.insert(::getpid());
    ProcessTree tree(program);
    wait_for_end(lifeline);
    if (const auto found = record.read())
      leave_as_found(tree, *found);
    ::_exit(0);
  } catch (...) { // such as a program that has ended before
    ::_exit(1);
  }
}

} // namespace

void detach(std::vector<int> kept, const char* name) {
  ::setsid();
  ::prctl(PR_SET_NAME, name);
  std::ranges::sort(kept);
  unsigned next = 0;
  for (const int number : kept) {
    if (static_cast<unsigned>(number) > next)
      ::close_range(next, static_cast<unsigned>(number) - 1, 0);
    next = static_cast<unsigned>(number) + 1;
  }
  ::close_range(next, ~0U, 0);
  for (int missing = 0; missing <= 2; ++missing) // which libraries may write to
    if (::fcntl(missing, F_GETFD) < 0)
      (void)!::open("/dev/null", O_RDWR);
  (void)!::chdir("/");
}

Standby::Standby(const Program& program, Record& record) {
  int pair[2] = {-1, -1};
  if (::pipe2(pair, O_CLOEXEC) != 0)
    throw control::FileError("cannot start a standby", errno);
  const control::Descriptor theirs(pair[0]);
  lifeline_ = control::Descriptor(pair[1]);
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before); // which the standby keeps
  pid_ = ::fork();
  if (pid_ == 0)
    be_standby(theirs.number(), program, record);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid_ < 0)
    throw control::FileError("cannot start a standby", error);
}

/// The supervisor has ended, and everything is restored: there is nothing left for it to do.
Standby::~Standby() {
  if (owner_ != ::getpid())
    return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

} // namespace hypermile::backend::process
