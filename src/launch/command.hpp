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

/// A command in the foreground. It has our terminal and streams. Signals that only we receive are
/// passed on to it; signals to the whole process group (Ctrl-C) reach it anyway.
class Running {
public:
  /// `output`: a descriptor that becomes its standard output; -1: it has ours.
  /// Throws Error{config} where there is no such program, control::FileError where it cannot be
  /// started.
  explicit Running(const Command& command, int output = -1);

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// The signal probe; 0: there is none.
  [[nodiscard]] pid_t helper() const { return probe_.process(); }
  /// Passes signals on. Returns at once how the command ended; none: it still runs.
  std::optional<End> look();
  /// Whether signals that end a program have arrived since the command ended.
  [[nodiscard]] bool asked_to_end() const { return asked_to_end_; }
  /// The last signal that ends programs and has arrived; 0: none has.
  [[nodiscard]] int signal() const { return signal_; }
  /// Can be read when look() has something to do; to be polled.
  [[nodiscard]] int descriptor() const { return signals_.descriptor(); }

private:
  HeldSignals signals_;
  SignalProbe probe_;
  pid_t pid_;
  std::optional<End> end_;
  bool asked_to_end_ = false;
  int signal_ = 0;
};

/// Runs it until it has ended. Throws as Running.
End run(const Command& command);

} // namespace hypermile::launch
