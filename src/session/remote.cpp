#include "session/remote.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace hypermile::session {
namespace {

using control::Descriptor;

constexpr std::size_t longest = 4096;
constexpr int patience_ms = 5000;

struct Address {
  sockaddr_un address{};
  socklen_t size = 0;
};

/// In the abstract namespace, which is of this machine only and has no files.
Address address_of(pid_t process) {
  const std::string name = fmt::format("hypermile-steer-{}", process);
  Address result;
  result.address.sun_family = AF_UNIX;
  name.copy(&result.address.sun_path[1], sizeof result.address.sun_path - 1);
  result.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return result;
}

const sockaddr* generic(const Address& address) {
  return reinterpret_cast<const sockaddr*>(&address.address); // as the sockets interface wants it
}

Descriptor listen_for(pid_t process) {
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const Address address = address_of(process);
  constexpr int waiting = 8;
  if (socket.number() < 0 || ::bind(socket.number(), generic(address), address.size) != 0 ||
      ::listen(socket.number(), waiting) != 0)
    return {};
  return socket;
}

uid_t user_of(int connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return static_cast<uid_t>(-1);
  return peer.uid;
}

bool may_ask(int connection) {
  const uid_t user = user_of(connection);
  return user == ::geteuid() || user == 0;
}

std::optional<std::string> receive(int connection) {
  pollfd readable{.fd = connection, .events = POLLIN, .revents = 0};
  if (::poll(&readable, 1, patience_ms) <= 0)
    return std::nullopt;
  std::array<char, longest> text{};
  const ssize_t size = ::recv(connection, text.data(), text.size(), 0);
  if (size <= 0)
    return std::nullopt;
  return std::string(text.data(), static_cast<std::size_t>(size));
}

} // namespace

Remote::Remote(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes)
    if (Descriptor socket = listen_for(process); socket.number() >= 0)
      sockets_.push_back(std::move(socket));
}

std::vector<int> Remote::descriptors() const {
  std::vector<int> numbers;
  for (const auto* const list : {&sockets_, &connections_})
    for (const Descriptor& one : *list)
      numbers.push_back(one.number());
  return numbers;
}

void Remote::accept() {
  constexpr std::size_t most = 16; // who says nothing makes room for who comes later
  for (const Descriptor& socket : sockets_)
    while (true) {
      Descriptor connection(
          ::accept4(socket.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (connection.number() < 0)
        break;
      if (!may_ask(connection.number()))
        continue;
      if (connections_.size() == most)
        connections_.erase(connections_.begin());
      connections_.push_back(std::move(connection));
    }
}

void Remote::answer(const Answer& answer) {
  accept();
  std::erase_if(connections_, [&](const Descriptor& connection) {
    std::array<char, longest> text{};
    const ssize_t size = ::recv(connection.number(), text.data(), text.size(), MSG_TRUNC);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
      return false;
    if (const auto length = static_cast<std::size_t>(size); size > 0) {
      const std::string reply = length > longest ? "error: the request is too long"
                                                 : answer({text.data(), length}).substr(0, longest);
      (void)!::send(connection.number(), reply.data(), reply.size(), MSG_NOSIGNAL);
    }
    return true;
  });
}

std::optional<std::string> ask(pid_t process, const std::string& request) {
  const Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  const Address address = address_of(process);
  if (::connect(socket.number(), generic(address), address.size) != 0)
    return std::nullopt;
  // The name is anybody's to take: bounds are told to our own, or to root, only.
  if (const uid_t user = user_of(socket.number());
      user != ::geteuid() && user != 0 && ::geteuid() != 0)
    throw Error(ErrorKind::hardware, fmt::format("process {} is steered by another user", process));
  if (::send(socket.number(), request.data(), request.size(), MSG_NOSIGNAL) < 0)
    throw Error(ErrorKind::hardware,
                fmt::format("cannot tell process {}: {}", process, std::strerror(errno)));
  auto reply = receive(socket.number());
  if (!reply)
    throw Error(ErrorKind::hardware,
                fmt::format("whoever steers process {} does not answer", process));
  return reply;
}

} // namespace hypermile::session
