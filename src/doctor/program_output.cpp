#include "doctor/program_output.hpp"

#include "control/descriptor.hpp"
#include "doctor/files.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::doctor {
namespace {

using control::Descriptor;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_bytes = 1 << 16;

/// A child in a process group of its own, which ends with this object.
class Child {
public:
  Child(std::vector<std::string> words, int output) {
    std::vector<char*> argv;
    for (std::string& word : words)
      argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    if (::posix_spawn(&pid_, argv[0], &actions, &attributes, argv.data(), environ) != 0)
      pid_ = -1;
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
  }
  ~Child() {
    if (pid_ <= 0)
      return;
    ::kill(-pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  [[nodiscard]] bool started() const { return pid_ > 0; }

private:
  pid_t pid_ = -1;
};

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(left);
}

} // namespace

std::optional<std::string> output_of(const std::vector<std::string>& words, Seconds patience) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return std::nullopt;
  const Descriptor in(ends[0]);
  Descriptor out(ends[1]);
  const Child child(words, out.number());
  out = Descriptor();
  if (!child.started())
    return std::nullopt;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(patience.value()));
  std::string text;
  while (text.size() < most_bytes) {
    pollfd ready{in.number(), POLLIN, 0};
    const int count = ::poll(&ready, 1, milliseconds_until(end));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    std::array<char, 4096> block{};
    const ssize_t got = ::read(in.number(), block.data(), block.size());
    if (got <= 0)
      break;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  return text;
}

std::string find_program(const std::string& name, const std::string& path) {
  for (const std::string& folder : split(path, ':')) {
    if (folder.empty())
      continue;
    std::string file = folder;
    file.append("/").append(name);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0)
      return file;
  }
  return "";
}

} // namespace hypermile::doctor
