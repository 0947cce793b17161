#include "backend/process/leave.hpp"

#include "backend/process/stopper.hpp"
#include "control/affinity.hpp"

#include <algorithm>
#include <csignal>
#include <set>

namespace hypermile::backend::process {
namespace {

void let_go_on(const std::vector<Process>& processes, const Found& found) {
  for (const Process& process : processes) {
    const auto known = found.processes.find(process.pid);
    const bool by_others = known != found.processes.end() && known->second.start == process.start &&
                           known->second.stopped;
    if (process.stopped && !by_others)
      send_signal(handle_of(process.pid, process.start), SIGCONT);
  }
}

/// `found`: with at least one thread.
const CpuSet& wish_of(pid_t id, const Process& process, const std::vector<Process>& processes,
                      const Found& found) {
  const auto known = found.threads.find(id);
  if (known != found.threads.end() && known->second.process == process.pid)
    return known->second.wish;
  if (id != process.pid)
    return wish_of(process.pid, process, processes, found);
  const auto parent = std::ranges::find(processes, process.parent, &Process::pid);
  return parent == processes.end() ? found.threads.begin()->second.wish
                                   : wish_of(parent->pid, *parent, processes, found);
}

} // namespace

void leave_as_found(ProcessTree& tree, const Found& found) {
  for (const auto& [pid, process] : found.processes)
    tree.add(pid, process.start);
  tree.scan();
  let_go_on(tree.processes(), found);
  if (found.threads.empty()) // nothing was changed yet
    return;
  std::set<pid_t> done;
  constexpr int most_rounds = 50; // threads may start others before it is their turn
  for (int i = 0; i < most_rounds; ++i) {
    const std::size_t before = done.size();
    for (const Process& process : tree.processes())
      for (const pid_t id : process.threads)
        if (done.insert(id).second)
          control::set_affinity(id, wish_of(id, process, tree.processes(), found));
    if (done.size() == before)
      return;
    tree.scan();
  }
}

} // namespace hypermile::backend::process
