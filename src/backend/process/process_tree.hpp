#pragma once

#include "units/quantity.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

/// A program at work on this machine: its processes and threads, the CPUs that these may run on,
/// and how much of the time they may run at all.
namespace hypermile::backend::process {

/// Which processes are a program: `root` and all its descendants.
struct Program {
  pid_t root = 0;
  /// The process that orphans of the program come to (PR_SET_CHILD_SUBREAPER), whose other children
  /// are the program's, too, if they began after `root`. 0: none; a process that has left the
  /// tree before it was seen in it then is none of the program.
  pid_t reaper = 0;
  /// Processes that are none of the program's, wherever they are in the tree, with their
  /// descendants: the one that steers it.
  std::set<pid_t> strangers{};
};

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  std::uint64_t start = 0; ///< in ticks since the boot: with the pid it names a process for good
  bool stopped = false;    ///< by a signal
  std::vector<pid_t> threads{};
};

/// What a program got of the CPUs.
struct CpuUse {
  Seconds computed;    ///< CPU time
  Seconds contended{}; ///< that its threads waited for CPUs which other programs used
};

/// CPU time of all threads that a process has or had; none: it is not there.
std::optional<Seconds> cpu_time_of(pid_t pid);

/// Where a ProcessTree looks.
struct System {
  std::string proc = "/proc";
  std::function<std::optional<Seconds>(pid_t)> cpu_time = cpu_time_of;
};

/// The processes of a program, as they were at the last scan().
class ProcessTree {
public:
  /// Scans. Throws Error{config} if `root` is not there. Where there is a reaper, which has not
  /// waited for it yet, it may have ended: its descendants are still the program.
  explicit ProcessTree(Program program, System system = {});

  /// A process that was seen once stays of the program, whoever its parent is later. One that ends
  /// gives its pid back: whoever has that next is another one.
  void scan();
  /// Another process of the program, from the next scan on. Nothing happens if it is not there.
  void add(pid_t pid, std::uint64_t start);

  [[nodiscard]] const std::vector<Process>& processes() const { return processes_; }
  /// Whether there is any process left.
  [[nodiscard]] bool alive() const { return !processes_.empty(); }
  /// Of all processes from their beginning, those that have ended included. Never falls. Missing
  /// is what a process computed after the last scan before its end, where no other process of the
  /// program has waited for it.
  [[nodiscard]] Seconds cpu_time() const { return cpu_time_; }
  /// Time that all threads have waited for a CPU, from a thread's beginning to the last scan before
  /// its end. Never falls; stays 0 where the system does not tell (/proc/PID/task/TID/schedstat).
  [[nodiscard]] Seconds run_queue_wait() const { return run_queue_wait_; }

private:
  struct Member {
    std::uint64_t start = 0;
    pid_t parent = 0;
    bool stopped = false;
    Seconds computed{};                ///< by its own threads
    Seconds waited{};                  ///< computed by children that it has waited for
    std::map<pid_t, Seconds> queued{}; ///< on run queues, by thread
  };
  struct Candidate {
    pid_t parent = 0;
    std::uint64_t start = 0;
  };
  using Candidates = std::map<pid_t, Candidate>;

  void update_members();
  void look();
  Candidates read_unknown();
  [[nodiscard]] bool belongs(const Candidate& process) const;
  void find_members(Candidates& candidates);
  void remember_strangers(const Candidates& rest);
  bool update(pid_t pid, Member& member);
  void list();
  void add_queued(Member& member, const std::string& folder, const std::vector<pid_t>& threads);

  Program program_;
  System system_;
  std::uint64_t root_start_ = 0;
  std::map<pid_t, Member> members_;
  std::set<pid_t> missed_;    ///< that had ended when the last look came to them
  std::set<pid_t> strangers_; ///< known to be none of ours: their files need not be read again
  Seconds ended_;             ///< computed by processes that are no more
  Seconds cpu_time_;
  Seconds run_queue_wait_;
  std::vector<Process> processes_;
};

} // namespace hypermile::backend::process
