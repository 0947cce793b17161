#pragma once

#include "units/quantity.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace hypermile::simulate {

/// A child process in a process group of its own, which dies with this object and with us.
class Process {
public:
  struct Command {
    std::vector<std::string> arguments;                           ///< the program first
    std::vector<std::pair<std::string, std::string>> environment; ///< added to ours
    std::string output; ///< file that takes its stdout and stderr
  };
  /// Throws Error{hardware} if it cannot be started.
  explicit Process(const Command& command);
  ~Process();
  Process(Process&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  Process& operator=(Process&&) = delete;

  /// How a process ended.
  struct End {
    int exit_code = 0; ///< as a shell reports it: 128 + number of the signal that killed it
    int signal = 0;
  };
  /// Waits no longer than `patience`. None: it still runs.
  std::optional<End> wait(Seconds patience);

private:
  pid_t pid_ = -1;
};

/// While one of these lives, SIGINT and SIGTERM do not end hypermile but make pending() tell
/// their number, so that everything can be taken down in order.
class Interruption {
public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  [[nodiscard]] static int pending(); ///< 0: none
};

/// Thrown where work stops because of a signal.
struct Interrupted {
  int signal;
};

} // namespace hypermile::simulate
