#include "runtime/decide/phase_memory.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hypermile::runtime {
namespace {

/// Ranks find out one after the other that the program goes on with another loop, and some may not
/// find it at all.
bool are_alike(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::size_t equal = 0;
  for (std::size_t rank = 0; rank < a.size(); ++rank)
    equal += a[rank] == b[rank] ? 1 : 0;
  return 2 * equal >= a.size();
}

} // namespace

PhaseMemory::Entry PhaseMemory::enter(const std::vector<Measurement>& all, Learnt& learnt) {
  std::vector<std::size_t> loops;
  std::ranges::transform(all, std::back_inserter(loops), &Measurement::phase);
  if (phases_.empty())
    phases_.push_back({.loops = loops});
  Phase& last = phases_[learnt.phase];
  if (are_alike(loops, last.loops))
    return Entry::none;
  last.gear0 = std::exchange(learnt.gear0, {});
  last.level = std::exchange(learnt.level, {});
  const auto known = std::ranges::find_if(
      phases_, [&](const Phase& phase) { return are_alike(loops, phase.loops); });
  learnt.phase = static_cast<std::size_t>(known - phases_.begin());
  if (known == phases_.end()) {
    phases_.push_back({.loops = std::move(loops)});
    return Entry::first;
  }
  learnt.gear0 = std::exchange(known->gear0, {});
  learnt.level = std::exchange(known->level, {});
  return Entry::again;
}

std::vector<std::vector<std::size_t>> PhaseMemory::loops() const {
  std::vector<std::vector<std::size_t>> loops;
  std::ranges::transform(phases_, std::back_inserter(loops), &Phase::loops);
  return loops;
}

} // namespace hypermile::runtime
