#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>

#include <sys/types.h>

namespace hypermile::launch {

/// A process of ours in our process group. It only counts the signals that it receives. A signal to
/// the whole group (by timeout, a shell, a batch system) reaches the probe and the command, too; a
/// signal to us alone does not. We must not pass on what the command has received already: Open
/// MPI's mpirun leaves its ranks behind when it receives a signal twice.
class SignalProbe {
public:
  /// Counts these signals, which the caller has blocked. Where the system allows no such process,
  /// saw() is always false.
  explicit SignalProbe(const sigset_t& signals);
  ~SignalProbe();
  SignalProbe(const SignalProbe&) = delete;
  SignalProbe& operator=(const SignalProbe&) = delete;

  /// Its pid; 0: there is no probe.
  [[nodiscard]] pid_t process() const { return process_ > 0 ? process_ : 0; }

  /// We have just received this signal. Whether the probe has received it, too.
  [[nodiscard]] bool saw(int signal);

private:
  static constexpr std::size_t most_signals = 65;
  struct Counts {
    std::array<std::atomic<unsigned>, most_signals> of_signal;
  };

  pid_t process_ = -1;
  Counts* seen_; ///< what the probe counts, in memory that it shares with us; null: no probe
  std::array<unsigned, most_signals> told_{}; ///< the counts that saw() has read
};

} // namespace hypermile::launch
