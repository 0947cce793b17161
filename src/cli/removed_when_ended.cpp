#include "cli/removed_when_ended.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <csignal>
#include <cstddef>

#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::cli {
namespace {

constexpr std::size_t most_paths = 8;
std::array<std::array<char, PATH_MAX>, most_paths> paths{};
volatile std::sig_atomic_t path_count = 0;

/// For what is not watched by a simulation: the model itself, the search for gears, long files.
/// Only what a handler may call.
extern "C" void remove_paths_and_end(int signal) {
  const pid_t child = ::_Fork();
  if (child == 0) {
    static char name[] = "rm";
    static char option[] = "-rf";
    static char last_option[] = "--";
    std::array<char*, most_paths + 4> words{name, option, last_option};
    for (std::size_t i = 0; i < static_cast<std::size_t>(path_count); ++i)
      words[3 + i] = paths[i].data();
    ::execv("/bin/rm", words.data());
    ::_exit(1);
  }
  if (child > 0)
    ::waitpid(child, nullptr, 0);
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

} // namespace

void remove_when_ended(const std::string& path) {
  const std::size_t count = std::min(static_cast<std::size_t>(path_count), most_paths - 1);
  if (path.empty() || path.size() >= paths[count].size())
    return;
  paths[count].fill('\0');
  std::ranges::copy(path, paths[count].begin());
  path_count = static_cast<std::sig_atomic_t>(count + 1);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    if (::signal(signal, remove_paths_and_end) == SIG_IGN)
      ::signal(signal, SIG_IGN);
}

} // namespace hypermile::cli
