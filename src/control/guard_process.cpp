#include "control/guard_process.hpp"

#include "control/small_file.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace hypermile::control {
namespace guard {

bool send(int socket, const Message& message) {
  const std::string packet = static_cast<char>(message.word) + message.text.substr(0, 4000);
  ssize_t count = -1;
  do
    count = ::send(socket, packet.data(), packet.size(), MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  return count > 0;
}

std::optional<Message> receive(int socket, int milliseconds) {
  pollfd wanted{.fd = socket, .events = POLLIN, .revents = 0};
  int ready = -1;
  do
    ready = ::poll(&wanted, 1, milliseconds);
  while (ready < 0 && errno == EINTR);
  std::array<char, 4096> packet{};
  const ssize_t count = ready > 0 ? ::recv(socket, packet.data(), packet.size(), MSG_DONTWAIT) : 0;
  if (count <= 0)
    return std::nullopt;
  return Message{static_cast<Word>(packet[0]),
                 {packet.data() + 1, static_cast<std::size_t>(count) - 1}};
}

bool is_gone(int socket) {
  pollfd end{.fd = socket, .events = 0, .revents = 0};
  return ::poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR)) != 0;
}

} // namespace guard

namespace {

constexpr int patience_ms = 10'000;

/// posix_spawn()'s arguments.
class SpawnSetting {
public:
  SpawnSetting() {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawnattr_init(&attributes_);
    sigset_t all;
    ::sigfillset(&all);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
    for (const int stream : {0, 1, 2}) // whoever waits for the program's output to end
      ::posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", O_RDWR, 0);
    ::posix_spawn_file_actions_addchdir_np(&actions_, "/");
  }
  ~SpawnSetting() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnSetting(const SpawnSetting&) = delete;
  SpawnSetting& operator=(const SpawnSetting&) = delete;

  void give(int descriptor, int as) {
    ::posix_spawn_file_actions_adddup2(&actions_, descriptor, as);
  }
  void close_from(int descriptor) {
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, descriptor);
  }

  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

struct Spawn {
  const SpawnSetting& setting;
  std::array<const char*, 3> arguments;
  int error;
};

/// Runs in the process in between, on the memory of ours, which waits.
int spawn(void* data) {
  auto& what = *static_cast<Spawn*>(data);
  char* const no_environment[] = {nullptr};
  pid_t guard = 0;
  what.error =
      ::posix_spawn(&guard, what.arguments[0], what.setting.actions(), what.setting.attributes(),
                    const_cast<char* const*>(what.arguments.data()), no_environment);
  return 0;
}

/// posix_spawn() by a process that ends at once, so that the guard is not our child. That process
/// is one of which no wait() and no SIGCHLD of the program tells (it has no signal for its end).
/// Returns an errno.
int spawn_unrelated(Spawn& what) {
  std::vector<std::max_align_t> stack((256 << 10) / sizeof(std::max_align_t));
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before); // no handler may run there; the guard keeps it so
  const pid_t between = ::clone(spawn, stack.data() + stack.size(), CLONE_VM | CLONE_VFORK, &what);
  const int error = between < 0 ? errno : what.error;
  if (between > 0)
    ::waitpid(between, nullptr, static_cast<int>(__WCLONE));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error;
}

/// A copy whose number is none of those that the guard is given.
Descriptor above(int descriptor) { return Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 10)); }

} // namespace

Descriptor start_guard(const std::string& program, const std::string& sysfs, int journal) {
  const auto fail = [&](int number) {
    throw FileError("cannot start the guard " + program, number,
                    "install hypermile as a whole: 'make install'");
  };
  int pair[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
    fail(errno);
  Descriptor ours(pair[0]);
  {
    const Descriptor theirs(pair[1]);
    const Descriptor socket = above(theirs.number());
    const Descriptor file = above(journal);
    const Descriptor self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
    const Descriptor owner = above(self.number()); // none before Linux 5.3
    if (socket.number() < 0 || file.number() < 0)
      fail(errno);
    SpawnSetting setting;
    setting.give(socket.number(), guard::socket);
    setting.give(file.number(), guard::journal);
    if (owner.number() >= 0)
      setting.give(owner.number(), guard::owner);
    setting.close_from(owner.number() >= 0 ? guard::owner + 1 : guard::owner);
    Spawn what{setting, {program.c_str(), sysfs.c_str(), nullptr}, 0};
    if (const int error = spawn_unrelated(what); error != 0)
      fail(error);
  }
  const auto first = guard::receive(ours.number(), patience_ms);
  if (!first || first->word != guard::ready)
    throw Error(ErrorKind::hardware, "the guard " + program + " does not answer",
                "install hypermile as a whole: 'make install'");
  return ours;
}

} // namespace hypermile::control
