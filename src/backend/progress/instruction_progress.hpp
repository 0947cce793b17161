#pragma once

#include "control/descriptor.hpp"
#include "control/ports.hpp"

#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hypermile::backend::progress {

/// The system call perf_event_open; tests have one of their own.
struct PerfEvents {
  virtual ~PerfEvents() = default;
  /// Counts the instructions of a thread, and of all that it starts from now on, in user space.
  /// Returns a descriptor, or the negative error number.
  virtual int count_instructions(pid_t thread) = 0;
};

/// Instructions, as a last resort: what a program does that says nothing of its progress. A program
/// that spins while it waits seems to do much. One thread calls this.
class InstructionProgress final : public control::Progress {
public:
  /// All threads of the program, best while it has but one: those that begin while this runs may be
  /// left out. Never throws for want of a counter: see why_not().
  explicit InstructionProgress(const std::vector<pid_t>& threads);
  InstructionProgress(const std::vector<pid_t>& threads, PerfEvents& events);

  /// Items are instructions in user space. None if they cannot be counted.
  [[nodiscard]] std::optional<control::Done> done() override;
  [[nodiscard]] std::string why_not() const override { return obstacle_; }

private:
  void open(const std::vector<pid_t>& threads, PerfEvents& events);

  std::vector<control::Descriptor> counters_;
  double most_ = 0;
  std::string obstacle_;
};

} // namespace hypermile::backend::progress
