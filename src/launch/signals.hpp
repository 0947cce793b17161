#pragma once

#include "control/descriptor.hpp"

#include <csignal>
#include <optional>

namespace hypermile::launch {

/// While one of these lives, signals that end a program do not end hypermile, but wait to be taken;
/// so does the news that a child has ended.
class HeldSignals {
public:
  /// Throws Error{hardware} where the system does not let it.
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  struct Taken {
    int signal;
    bool sent_by_a_process; ///< and not by the terminal or the system
  };
  /// One that has come; none: none has. Returns at once.
  [[nodiscard]] std::optional<Taken> take() const;
  /// Can be read when there is one to take; to be polled.
  [[nodiscard]] int descriptor() const { return descriptor_.number(); }

  /// Those that end a program.
  [[nodiscard]] const sigset_t& ending() const { return ending_; }
  /// The mask as it was before.
  [[nodiscard]] const sigset_t& before() const { return before_; }

private:
  sigset_t ending_{};
  sigset_t before_{};
  void (*child_)(int) = SIG_DFL;
  control::Descriptor descriptor_;
};

} // namespace hypermile::launch
