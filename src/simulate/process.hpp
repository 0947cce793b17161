#pragma once

#include "control/spawn.hpp"
#include "units/quantity.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <signal.h>
#include <sys/types.h>

namespace hypermile::simulate {

/// A child process in a process group of its own, which dies with this object and with us.
class Process {
public:
  struct Command {
    std::vector<std::string> arguments; ///< the program first
    control::Variables environment;     ///< see control::environment_with()
    std::string output;                 ///< file that takes its stdout and stderr
    std::string errors{};               ///< file for its stderr alone; empty: there is none
    std::string folder{};               ///< in which it begins; empty: ours
    std::string hidden{};               ///< of our environment; see there
  };
  /// Throws control::FileError if it cannot be started.
  explicit Process(const Command& command);
  ~Process();
  Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Process& operator=(Process&&) = delete;

  using End = control::ProcessEnd;
  /// Waits no longer than `patience`. None: it still runs.
  std::optional<End> wait(Seconds patience);

  /// Asks it to end (SIGTERM), unless it has ended.
  void ask_to_end() const;

  /// Returns when a process has ended and nobody has waited for it yet, a signal is pending, or
  /// `patience` is over.
  static void wait_for_any(Seconds patience);

private:
  pid_t pid_ = -1;
};

/// Thrown where work stops because of a signal.
struct Interrupted {
  int signal;
};

/// While one of these lives, the signals by which a user or a closed terminal or pipe ends a
/// program (SIGINT, SIGTERM, SIGHUP, SIGPIPE) do not end hypermile but make pending() tell their
/// number, so that everything can be taken down in order. A signal that is ignored (nohup) still
/// is.
class Interruption {
public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  [[nodiscard]] static int pending(); ///< 0: none
  /// Throws Interrupted if a signal is pending.
  static void check();

private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  std::array<struct sigaction, signals.size()> before_{};
};

} // namespace hypermile::simulate
