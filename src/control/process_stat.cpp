#include "control/process_stat.hpp"

#include "control/small_file.hpp"

#include <fmt/format.h>

#include <sstream>

namespace hypermile::control {
namespace {

/// "pid (name) state ...": the name may hold anything.
std::optional<ProcessStat> parse(const std::string& text) {
  std::istringstream words(text.substr(text.rfind(')') + 1));
  const auto skip = [&](int count) {
    for (std::string word; count > 0; --count)
      words >> word;
  };
  ProcessStat stat{};
  std::uint64_t in_system = 0;
  words >> stat.state >> stat.parent;
  skip(11);
  words >> stat.waited >> in_system;
  skip(2);
  words >> stat.threads;
  skip(1);
  words >> stat.start;
  stat.waited += in_system;
  return words ? std::optional(stat) : std::nullopt;
}

} // namespace

std::optional<ProcessStat> process_stat(pid_t pid, const std::string& proc) {
  try {
    return parse(read_small_file(fmt::format("{}/{}/stat", proc, pid)));
  } catch (const FileError&) {
    return std::nullopt;
  }
}

bool is_running(const ProcessStat& process) {
  const bool first_thread_ended = process.state == 'Z' || process.state == 'X';
  return !first_thread_ended || process.threads > 1;
}

} // namespace hypermile::control
