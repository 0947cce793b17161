#include "backend/process/masks.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <set>
#include <utility>

namespace hypermile::backend::process {

CpuSet Masks::target(const CpuSet& wish) const {
  if (!confinement_)
    return wish;
  CpuSet both;
  std::ranges::set_intersection(wish, *confinement_, std::back_inserter(both));
  return both.empty() ? *confinement_ : both;
}

/// `mask`: one that we set.
CpuSet Masks::inherited_wish(const Process& process, const CpuSet& mask) const {
  for (const pid_t from : {process.pid, process.parent}) {
    for (const auto& [id, thread] : threads_) // the one that may have started it
      if (thread.process == from && thread.present == mask)
        return thread.wish;
    if (const auto first = threads_.find(from); first != threads_.end())
      return first->second.wish;
  }
  return ours_.at(mask);
}

bool Masks::observe(const Process& process, pid_t id) {
  auto mask = control::affinity(id);
  if (!mask) // it has ended
    return false;
  const auto known = threads_.find(id);
  if (known == threads_.end() || known->second.process != process.pid) {
    CpuSet wish = ours_.contains(*mask) ? inherited_wish(process, *mask) : *mask;
    threads_[id] = {
        .process = process.pid, .wish = std::move(wish), .asked = *mask, .present = *mask};
    return true;
  }
  Thread& thread = known->second;
  if (thread.present == *mask)
    return false;
  thread = {.process = process.pid, .wish = *mask, .asked = *mask, .present = *mask};
  return true;
}

bool Masks::observe(const std::vector<Process>& processes) {
  std::set<pid_t> there;
  bool news = false;
  for (const Process& process : processes)
    for (const pid_t thread : process.threads) {
      there.insert(thread);
      news = observe(process, thread) || news;
    }
  std::erase_if(threads_, [&](const auto& thread) { return !there.contains(thread.first); });
  if (!news) { // whoever inherited a mask that no thread has any more would have been seen
    ours_.clear();
    for (const auto& [id, thread] : threads_)
      if (thread.present != thread.wish)
        ours_.emplace(thread.present, thread.wish);
  }
  return news;
}

Masks::Outcome Masks::apply() {
  Outcome outcome;
  for (auto& [id, thread] : threads_) {
    const CpuSet wanted = target(thread.wish);
    const int error = thread.asked == wanted ? 0 : control::set_affinity(id, wanted);
    if (error == ESRCH)
      continue;
    if (error != 0) {
      ++outcome.failed;
      outcome.error = error;
      continue;
    }
    ++outcome.done;
    if (thread.asked == wanted)
      continue;
    thread.asked = wanted;
    thread.present = control::affinity(id).value_or(wanted);
    ours_.emplace(thread.present, thread.wish);
  }
  return outcome;
}

} // namespace hypermile::backend::process
