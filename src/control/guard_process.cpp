#include "control/guard_process.hpp"

#include "control/small_file.hpp"
#include "control/spawn.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <vector>

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

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

constexpr int guard_patience_ms = 10'000;

} // namespace

Descriptor start_guard(const std::string& program, const std::string& sysfs, int journal) {
  constexpr const char* advice = "install hypermile as a whole: 'make install'";
  int pair[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
    throw FileError("cannot start the guard " + program, errno);
  Descriptor ours(pair[0]);
  {
    const Descriptor theirs(pair[1]);
    const Descriptor self(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
    // No stream of ours: somebody may wait for the end of the program's output.
    std::vector<int> descriptors{Spawn::nothing, Spawn::nothing, Spawn::nothing, theirs.number(),
                                 journal};
    if (self.number() >= 0) // there is none before Linux 5.3
      descriptors.push_back(self.number());
    sigset_t all;
    ::sigfillset(&all);
    try {
      (void)spawn({.arguments = {program, sysfs},
                   .descriptors = descriptors,
                   .place = Spawn::Place::apart,
                   .blocked = all});
    } catch (const FileError& error) {
      throw FileError("cannot start the guard " + program, error.number(), advice);
    }
  }
  const auto first = guard::receive(ours.number(), guard_patience_ms);
  if (!first || first->word != guard::ready)
    throw Error(ErrorKind::hardware, "the guard " + program + " does not answer", advice);
  return ours;
}

} // namespace hypermile::control
