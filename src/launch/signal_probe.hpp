#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>

#include <sys/types.h>

namespace hypermile::launch {

/// A process of our own beside us in our process group, which does nothing but count the signals
/// that it is sent. Whoever sends a signal to the whole group (timeout, a shell, a batch system)
/// reaches the signal probe and the command, too; whoever sends it to us alone does not. To pass on
/// what a command has got already may do harm: Open MPI's mpirun leaves its ranks behind when it
/// is asked twice.
class SignalProbe {
public:
  /// Of these signals, which the caller has blocked. Where there cannot be a signal probe all
  /// signals are taken to be sent to us alone.
  explicit SignalProbe(const sigset_t& signals);
  ~SignalProbe();
  SignalProbe(const SignalProbe&) = delete;
  SignalProbe& operator=(const SignalProbe&) = delete;

  /// 0: there is none.
  [[nodiscard]] pid_t process() const { return process_ > 0 ? process_ : 0; }

  /// We have just been sent this signal: whether the whole group was.
  [[nodiscard]] bool saw(int signal);

private:
  static constexpr std::size_t most_signals = 65;
  struct Counts {
    std::array<std::atomic<unsigned>, most_signals> of_signal;
  };

  pid_t process_ = -1;
  Counts* seen_; ///< by the signal probe, in memory that it shares with us; null: there is no
                 ///< signal probe
  std::array<unsigned, most_signals> told_{}; ///< by saw()
};

} // namespace hypermile::launch
