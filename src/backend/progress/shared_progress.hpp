#pragma once

#include "backend/progress/shared_memory.hpp"
#include "control/ports.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hypermile::backend::progress {

/// What a program reports by hm_progress() and hm_arrival(), or what an OpenMP runtime reports of
/// it, through memories that it shares with us: that of ours, which `environment()` tells programs
/// of that we start, and those that its processes have made for themselves.
///
/// Each memory counts once, however many processes share it. What a process has done stays in the
/// sum when it has ended; in a memory of its own, only what it had done before we looked last.
/// The program is not trusted: whatever is in a memory, counts only ever grow.
///
/// One thread calls this.
class SharedProgress final : public control::Progress {
public:
  /// The processes of the program that run, without those that have taken the number of one that
  /// has ended. May be empty.
  using Processes = std::function<std::vector<pid_t>()>;
  enum class Source {
    calls, ///< hm_progress()
    openmp ///< parallel regions, loops and tasks of OpenMP that have ended
  };

  /// Throws Error{hardware} if there is no memory to be had. `proc`: where the processes are.
  explicit SharedProgress(Processes processes, Source source = Source::calls,
                          std::string proc = "/proc");

  /// The value of progress::memory_variable for programs that we start. Good as long as this is.
  [[nodiscard]] std::string environment() const;

  [[nodiscard]] std::optional<control::Done> done() override;
  /// Each process that can is told this number.
  bool want_threads(std::size_t threads) override;
  [[nodiscard]] std::string why_not() const override;

private:
  struct Found {
    SharedMemory memory;
    pid_t process; ///< one that has it
    Counts counts; ///< as read last
  };

  void look(const std::vector<pid_t>& processes);
  void look_into(pid_t process);
  void fold_ended(const std::vector<pid_t>& processes);
  [[nodiscard]] Counts all_counts();

  Processes processes_;
  Source source_;
  std::string proc_;
  SharedMemory own_;
  Counts own_counts_;
  std::map<SharedMemory::Id, Found> found_;
  std::set<pid_t> known_; ///< processes that have been looked into
  Counts ended_;          ///< of memories that are of no process any more
  std::uint32_t wanted_threads_ = 0;
  unsigned calls_until_look_ = 0;
  std::string obstacle_;
};

} // namespace hypermile::backend::progress
