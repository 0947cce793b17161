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
/// sum when it has ended; in a memory of its own, only if we have looked while it ran. The program
/// is not trusted: whatever is in a memory, counts only ever grow.
///
/// One thread calls this.
class SharedProgress final : public control::Progress {
public:
  /// The processes of the program that run, without those that have taken the number of one that
  /// has ended. May be empty.
  using Processes = std::function<std::vector<pid_t>()>;
  enum class Source {
    calls,  ///< hm_progress()
    openmp, ///< parallel regions, loops and tasks of OpenMP that have ended
    /// The calls; as long as there has been none, OpenMP. Items go on where the other one ended.
    automatic
  };

  /// Throws Error{hardware} if there is no memory to be had.
  explicit SharedProgress(Processes processes, Source source = Source::calls);

  /// The value of hypermile::progress::memory_variable for programs that we start. Good as long as
  /// this object is there; what has begun by then keeps the memory.
  [[nodiscard]] std::string environment() const;

  [[nodiscard]] std::optional<control::Done> done() override;
  /// Each process that can is told this number, 0: no more. True as soon as one of them can, which
  /// it says when it has begun: ask again.
  bool want_threads(std::size_t threads) override;
  /// A program that has just begun may not have come to its first report: give it time.
  [[nodiscard]] std::string why_not() const override;

private:
  struct Found {
    SharedMemory memory;
    pid_t process; ///< one that has it
    Counts counts; ///< as read last
  };
  using Running = std::vector<pid_t>;

  void look(const Running& running);
  void look_into(pid_t process);
  void open(pid_t process, const std::string& link);
  void forget_ended(const Running& running);
  [[nodiscard]] Counts read();
  [[nodiscard]] double items_of(const Counts& counts);
  void tell_threads();
  [[nodiscard]] bool any(bool (SharedMemory::*is_so)() const) const;

  Processes processes_;
  Source source_;
  Found own_;
  std::map<SharedMemory::Id, Found> found_;
  std::set<pid_t> known_; ///< processes that have been looked into
  Counts ended_;          ///< of memories that are of no process any more
  std::uint32_t wanted_threads_ = 0;
  bool reported_ = false;
  std::optional<double> before_calls_; ///< items of OpenMP before the first call; none: no call yet
  unsigned calls_until_look_ = 0;
  std::string obstacle_;
};

} // namespace hypermile::backend::progress
