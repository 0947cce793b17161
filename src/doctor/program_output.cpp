#include "doctor/program_output.hpp"

#include "control/descriptor.hpp"
#include "control/small_file.hpp"
#include "control/spawn.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::doctor {
namespace {

using control::Descriptor;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_bytes = 1 << 16;

/// A process group that ends with this object.
class Group {
public:
  explicit Group(pid_t leader) : leader_(leader) {}
  ~Group() {
    ::kill(-leader_, SIGKILL);
    while (::waitpid(leader_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

private:
  pid_t leader_;
};

pid_t start(const std::vector<std::string>& words, int output) {
  using control::Spawn;
  return control::spawn({.arguments = words,
                         .environment = control::environment_with({}),
                         .descriptors = {Spawn::nothing, output, output},
                         .place = Spawn::Place::own_group});
}

int milliseconds_until(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(left);
}

/// What comes from a descriptor until its end; none: it does not end in time.
std::optional<std::string> read_until(int descriptor, Clock::time_point end) {
  std::string text;
  while (text.size() < most_bytes) {
    pollfd ready{descriptor, POLLIN, 0};
    const int count = ::poll(&ready, 1, milliseconds_until(end));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return std::nullopt;
    std::array<char, 4096> block{};
    const ssize_t got = ::read(descriptor, block.data(), block.size());
    if (got <= 0)
      break;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  return text;
}

} // namespace

std::optional<std::string> output_of(const std::vector<std::string>& words, Seconds patience) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return std::nullopt;
  const Descriptor in(ends[0]);
  Descriptor out(ends[1]);
  try {
    const Group running(start(words, out.number()));
    out = Descriptor();
    return read_until(in.number(),
                      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                         std::chrono::duration<double>(patience.value())));
  } catch (const control::FileError&) {
    return std::nullopt;
  }
}

} // namespace hypermile::doctor
