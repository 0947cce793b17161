// A stand-in for rsh between the nodes of tests/nodes: by it mpirun starts its daemons.
//
//   remote_shell NODE LINE...   a shell of NODE runs the line, with nothing on stdin; what it
//   prints
//                               goes to stderr. The exit code is the line's; 255: NODE is not
//                               reached
//   remote_shell --serve        is the first process of a node: runs what others ask for, and takes
//                               in the processes that have lost their parents. Prints a line, and
//                               closes stdout, when it listens

#include "control/descriptor.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using hypermile::control::Descriptor;

constexpr const char* port = "514";
constexpr int not_reached = 255;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

void write_all(int file, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::write(file, bytes, size);
    if (count < 0 && errno != EINTR)
      fail("cannot write");
    if (count > 0) {
      bytes += count;
      size -= static_cast<std::size_t>(count);
    }
  }
}

/// Up to `size` bytes; 0 at the end.
std::size_t read_some(int file, char* bytes, std::size_t size) {
  ssize_t count = -1;
  do
    count = ::read(file, bytes, size);
  while (count < 0 && errno == EINTR);
  if (count < 0)
    fail("cannot read");
  return static_cast<std::size_t>(count);
}

Descriptor connect_to(const std::string& node) {
  addrinfo hints{};
  hints.ai_family = AF_INET;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(node.c_str(), port, &hints, &found); error != 0)
    throw std::runtime_error(node + ": " + ::gai_strerror(error));
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int status = ::connect(socket.number(), found->ai_addr, found->ai_addrlen);
  ::freeaddrinfo(found);
  if (status != 0)
    fail("cannot reach " + node);
  return socket;
}

/// Sends the line, closed by a null character. What comes back is the output, and one byte more:
/// the exit code.
int ask(const std::string& node, const std::string& line) {
  const Descriptor socket = connect_to(node);
  write_all(socket.number(), line.c_str(), line.size() + 1);
  std::array<char, 4096> block{};
  char last = static_cast<char>(not_reached);
  bool any = false;
  while (const std::size_t count = read_some(socket.number(), block.data(), block.size())) {
    if (any)
      write_all(STDERR_FILENO, &last, 1);
    write_all(STDERR_FILENO, block.data(), count - 1);
    last = block[count - 1];
    any = true;
  }
  return static_cast<unsigned char>(last);
}

std::string read_line(int socket) {
  std::string line;
  for (char byte = 0; read_some(socket, &byte, 1) == 1 && byte != '\0';)
    line += byte;
  return line;
}

/// In a process of its own.
void answer(int socket) {
  std::signal(SIGCHLD, SIG_DFL); // to hear how the line ends
  const std::string line = read_line(socket);
  const pid_t child = ::fork();
  if (child < 0)
    fail("cannot fork");
  if (child == 0) {
    ::setsid();
    for (const int ignored : {SIGINT, SIGQUIT}) // by the shell that started the node beside itself
      std::signal(ignored, SIG_DFL);
    ::dup2(socket, STDOUT_FILENO);
    ::dup2(socket, STDERR_FILENO);
    ::execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  if (::waitpid(child, &status, 0) != child)
    fail("cannot wait");
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  const char byte = static_cast<char>(code);
  write_all(socket, &byte, 1);
  ::shutdown(socket, SHUT_RDWR); // whoever else holds it
}

Descriptor listen_here() {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  if (::bind(socket.number(), reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0 ||
      ::listen(socket.number(), SOMAXCONN) != 0)
    fail("cannot listen");
  return socket;
}

int serve() {
  std::signal(SIGCHLD, SIG_IGN); // nobody waits for children, nor for those taken in
  const Descriptor listening = listen_here();
  write_all(STDOUT_FILENO, "listening\n", std::strlen("listening\n"));
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  ::close(STDIN_FILENO);
  if (std::freopen("/dev/null", "r", stdin) == nullptr)
    fail("cannot open /dev/null");
  for (;;) {
    const Descriptor socket(::accept4(listening.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (socket.number() >= 0 && ::fork() == 0) {
      answer(socket.number());
      return 0;
    }
  }
}

} // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 2 && std::string(argv[1]) == "--serve")
      return serve();
    if (argc < 3)
      throw std::runtime_error("a node and a line are wanted");
    std::string line;
    for (int i = 2; i < argc; ++i)
      line += std::string(i > 2 ? " " : "") + argv[i];
    return ask(argv[1], line);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "remote_shell: error: %s\n", error.what());
    return not_reached;
  }
}
