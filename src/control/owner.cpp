#include "control/owner.hpp"

#include "control/process_stat.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <utility>

#include <unistd.h>

namespace hypermile::control {
namespace {

/// In ticks since the boot; none: there is no such process, or it has ended.
std::optional<std::uint64_t> start_time(pid_t pid) {
  const auto process = process_stat(pid);
  return process && is_running(*process) ? std::optional(process->start) : std::nullopt;
}

std::string user_name() {
  for (const char* variable : {"USER", "LOGNAME"})
    if (const char* const name = std::getenv(variable); name != nullptr && *name != '\0')
      return name;
  return std::to_string(::geteuid());
}

std::string date(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  std::array<char, 32> text{};
  if (::localtime_r(&time, &parts) == nullptr)
    return "?";
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &parts)};
}

} // namespace

Owner this_process(std::string job, std::string program) {
  return {.job = std::move(job),
          .program = std::move(program),
          .user = user_name(),
          .pid = ::getpid(),
          .start = start_time(::getpid()).value_or(0),
          .since = std::time(nullptr)};
}

bool is_running(const Owner& owner) { return start_time(owner.pid) == owner.start; }

std::string describe(const Owner& owner) {
  return fmt::format(
      "{} of user {} since {} ({}{}pid {})", owner.job.empty() ? "a run" : "job " + owner.job,
      owner.user, date(owner.since), owner.program, owner.program.empty() ? "" : ", ", owner.pid);
}

} // namespace hypermile::control
