#pragma once

#include "control/spawn.hpp"
#include "launch/signal_probe.hpp"
#include "launch/signals.hpp"

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hypermile::launch {

/// A command as a user would run it.
struct Command {
  std::vector<std::string> arguments; ///< the program first
  control::Variables environment;     ///< see control::environment_with()
};

using End = control::ProcessEnd;

/// A command in the foreground: it has our terminal and streams. Signals that are sent to us alone
/// go on to it; what a terminal (Ctrl-C) or somebody else sends to the whole process group it gets
/// by itself.
class Running {
public:
  /// `output`: a descriptor that becomes its standard output; -1: it has ours.
  /// Throws Error{config} where there is no such program, Error{hardware} where it cannot be
  /// started.
  explicit Running(const Command& command, int output = -1);

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// A process of ours that was started for it; 0: none.
  [[nodiscard]] pid_t helper() const { return probe_.process(); }
  /// Passes signals on, and tells how it ended; none: it has not. Returns at once.
  std::optional<End> look();
  /// Whether signals that end a program have come since it ended.
  [[nodiscard]] bool asked_to_end() const { return asked_to_end_; }
  /// Can be read when there is something to look at; to be polled.
  [[nodiscard]] int descriptor() const { return signals_.descriptor(); }

private:
  HeldSignals signals_;
  SignalProbe probe_;
  pid_t pid_;
  std::optional<End> end_;
  bool asked_to_end_ = false;
};

/// Runs it until it has ended. Throws as Running.
End run(const Command& command);

} // namespace hypermile::launch
