#include "backend/process/process_tree.hpp"

#include "backend/process/numbers_in.hpp"
#include "control/process_stat.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <utility>

#include <unistd.h>

namespace hypermile::backend::process {
namespace {

Seconds of_ticks(std::uint64_t ticks) {
  static const auto per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  return Seconds{static_cast<double>(ticks) / per_second};
}

/// "computed queued slices", in ns.
Seconds queued_of(const std::string& schedstat) {
  std::ifstream file(schedstat);
  std::uint64_t computed = 0;
  std::uint64_t queued = 0;
  return file >> computed >> queued ? Seconds{1e-9 * static_cast<double>(queued)} : Seconds{};
}

} // namespace

std::optional<Seconds> cpu_time_of(pid_t pid) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return Seconds{static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec)};
}

ProcessTree::ProcessTree(Program program, System system)
    : program_(std::move(program)), system_(std::move(system)) {
  const auto root = control::process_stat(program_.root, system_.proc);
  const bool may_have_ended = program_.reaper != 0;
  if (!root || (!control::is_running(*root) && !may_have_ended))
    throw Error(ErrorKind::config, fmt::format("there is no process {}", program_.root),
                "'ps -e' lists those that there are");
  root_start_ = root->start;
  add(program_.root, root_start_); // which a scan removes if it has ended
  scan();
}

void ProcessTree::add(pid_t pid, std::uint64_t start) {
  strangers_.erase(pid);
  members_.try_emplace(pid).first->second.start = start;
}

void ProcessTree::scan() {
  update_members();
  look();
  // A process that has ended since it was listed may have left a child that is not in that list.
  // Before the program counts as ended, look until nothing more ends.
  constexpr int max_looks = 50; // other programs may start and end processes without a pause
  std::set<pid_t> known;
  for (int looks = 1; members_.empty() && missed_ != known && looks < max_looks; ++looks) {
    known = missed_;
    look();
  }
  list();
  Seconds computed;
  Seconds waited;
  for (const auto& [pid, member] : members_) {
    computed += member.computed;
    waited += member.waited;
  }
  // Children that have ended are in `ended_` as they were last seen, or have been waited for, or
  // both; which of them nobody knows.
  cpu_time_ = std::max(cpu_time_, computed + std::max(ended_, waited));
}

/// Finds the members among all processes that are not known yet.
void ProcessTree::look() {
  missed_.clear();
  Candidates candidates = read_unknown();
  find_members(candidates);
  remember_strangers(candidates);
}

/// False: it has ended.
bool ProcessTree::update(pid_t pid, Member& member) {
  const auto computed = system_.cpu_time(pid); // first: it is that of the process found next
  const auto stat = control::process_stat(pid, system_.proc);
  if (!stat || stat->start != member.start || !control::is_running(*stat))
    return false;
  member.parent = stat->parent;
  member.stopped = stat->state == 'T';
  member.computed = std::max(member.computed, computed.value_or(Seconds{}));
  member.waited = of_ticks(stat->waited);
  return true;
}

void ProcessTree::update_members() {
  for (auto each = members_.begin(); each != members_.end();) {
    const bool there = update(each->first, each->second);
    if (!there)
      ended_ += each->second.computed;
    each = there ? std::next(each) : members_.erase(each);
  }
}

ProcessTree::Candidates ProcessTree::read_unknown() {
  const std::vector<pid_t> all = numbers_in(system_.proc); // ascending
  std::erase_if(strangers_, [&](pid_t pid) { return !std::ranges::binary_search(all, pid); });
  Candidates candidates;
  for (const pid_t pid : all) {
    if (members_.contains(pid) || strangers_.contains(pid) || program_.strangers.contains(pid))
      continue;
    if (const auto stat = control::process_stat(pid, system_.proc))
      candidates[pid] = {stat->parent, stat->start};
    else
      missed_.insert(pid);
  }
  return candidates;
}

bool ProcessTree::belongs(const Candidate& process) const {
  return members_.contains(process.parent) ||
         (program_.reaper != 0 && process.parent == program_.reaper &&
          process.start >= root_start_);
}

/// Takes them out of the candidates.
void ProcessTree::find_members(Candidates& candidates) {
  for (bool found = true; found;) {
    found = false;
    for (auto each = candidates.begin(); each != candidates.end();) {
      const bool ours = belongs(each->second);
      Member member{.start = each->second.start, .parent = each->second.parent};
      if (ours && update(each->first, member)) {
        members_.emplace(each->first, member);
        found = true;
      } else if (ours) {
        missed_.insert(each->first);
      }
      each = ours ? candidates.erase(each) : std::next(each);
    }
  }
}

/// But for those whose parent nobody has seen: it may have been of the program, and gone.
void ProcessTree::remember_strangers(const Candidates& rest) {
  for (const auto& [pid, process] : rest)
    if (process.parent == 0 || strangers_.contains(process.parent) ||
        program_.strangers.contains(process.parent))
      strangers_.insert(pid);
}

void ProcessTree::list() {
  processes_.clear();
  for (auto& [pid, member] : members_) {
    const std::string folder = fmt::format("{}/{}/task", system_.proc, pid);
    processes_.push_back({.pid = pid,
                          .parent = member.parent,
                          .start = member.start,
                          .stopped = member.stopped,
                          .threads = numbers_in(folder)});
    add_queued(member, folder, processes_.back().threads);
  }
}

void ProcessTree::add_queued(Member& member, const std::string& folder,
                             const std::vector<pid_t>& threads) {
  std::map<pid_t, Seconds> queued;
  for (const pid_t thread : threads) {
    const Seconds now = queued_of(fmt::format("{}/{}/schedstat", folder, thread));
    const auto known = member.queued.find(thread);
    const bool same = known != member.queued.end() && known->second <= now;
    run_queue_wait_ += same ? now - known->second : now;
    queued[thread] = now;
  }
  member.queued.swap(queued);
}

} // namespace hypermile::backend::process
