#include "control/run_command.hpp"

#include "control/descriptor.hpp"
#include "control/small_file.hpp"
#include "control/spawn.hpp"
#include "units/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>

namespace hypermile::control {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_output_bytes = 2000; ///< of what it says
constexpr const char* command_path =
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Its leader; what is left of the group is killed at the end.
struct Child {
  explicit Child(pid_t number) : pid(number) {}
  ~Child() { ::kill(-pid, SIGKILL); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid;
};

pid_t start(const std::vector<std::string>& words, int said) {
  sigset_t none;
  ::sigemptyset(&none);
  return spawn({.arguments = words,
                .environment = {command_path},
                .descriptors = {Spawn::nothing, Spawn::nothing, said},
                .place = Spawn::Place::own_group,
                .blocked = none});
}

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(left);
}

/// The status of waitpid(); none: it has not ended in time. Reads what it says meanwhile; what it
/// leaves running may hold the pipe open.
std::optional<int> wait_for(pid_t pid, int pipe, Seconds patience, std::string& said) {
  constexpr int step_ms = 5;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(patience.value()));
  for (bool open = true;;) {
    pollfd ready{open ? pipe : -1, POLLIN, 0};
    int status = 0;
    if (::poll(&ready, 1, std::min(step_ms, milliseconds_until(end))) > 0) {
      std::array<char, 512> block{};
      const ssize_t count = ::read(pipe, block.data(), block.size());
      open = count > 0;
      if (count > 0 && said.size() < most_output_bytes)
        said.append(block.data(), static_cast<std::size_t>(count));
    } else if (::waitpid(pid, &status, WNOHANG) == pid) { // nothing more is said
      return status;
    }
    if (Clock::now() >= end)
      return std::nullopt;
  }
}

/// In one line, for a terminal.
std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  text.erase(text.find_last_not_of(' ') + 1);
  return text.substr(0, most_output_bytes);
}

[[noreturn]] void fail(const std::vector<std::string>& words, const std::string& how,
                       const std::string& said) {
  throw Error(ErrorKind::hardware, fmt::format("the command '{}' {}{}{}", join_words(words), how,
                                               said.empty() ? "" : ": ", printable(said)));
}

} // namespace

void run_command(const std::vector<std::string>& words, Seconds patience) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    fail(words, "cannot be started", reason(errno));
  const Descriptor in(ends[0]);
  Descriptor out(ends[1]);
  const Child child(start(words, out.number()));
  out = Descriptor();
  std::string said;
  const auto status = wait_for(child.pid, in.number(), patience, said);
  if (!status) {
    if (::kill(child.pid, SIGKILL) == 0) // another user's (sudo) is not ours to kill
      (void)::waitpid(child.pid, nullptr, 0);
    fail(words, fmt::format("has not ended within {:.3g} s", patience.value()), said);
  }
  if (WIFSIGNALED(*status))
    fail(words, fmt::format("was killed by signal {}", WTERMSIG(*status)), said);
  if (WEXITSTATUS(*status) != 0)
    fail(words, fmt::format("failed with exit code {}", WEXITSTATUS(*status)), said);
}

} // namespace hypermile::control
