#pragma once

#include "control/descriptor.hpp"

#include <csignal>
#include <optional>

namespace hypermile::launch {

/// While one of these lives, signals that end a program do not end hypermile. They wait to be
/// taken, as does SIGCHLD.
class HeldSignals {
public:
  /// Throws Error{hardware} where the system does not allow it.
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  struct Taken {
    int signal;
    bool sent_by_a_process; ///< and not by the terminal or the system
  };
  /// The next signal that has arrived; none: there is none. Returns at once.
  [[nodiscard]] std::optional<Taken> take() const;
  /// Can be read when there is one to take; to be polled.
  [[nodiscard]] int descriptor() const { return descriptor_.number(); }

  /// The signals that end a program.
  [[nodiscard]] const sigset_t& ending() const { return ending_; }
  /// The mask of blocked signals as it was before.
  [[nodiscard]] const sigset_t& before() const { return before_; }

private:
  sigset_t ending_{};
  sigset_t before_{};
  void (*child_)(int) = SIG_DFL;
  control::Descriptor descriptor_;
};

} // namespace hypermile::launch
