#include "trace/traced_run.hpp"

#include <algorithm>

namespace hypermile::trace {

Joules TracedRun::energy() const {
  Joules energy;
  for (const TracedNode& node : nodes) {
    energy += node.waiting * time();
    for (const std::uint32_t rank : node.ranks)
      energy += node.per_rank * schedule.computing(rank);
  }
  return energy;
}

std::size_t calls_in(const TracedRun& run, const Window& window) {
  using Call = model::dependency::Schedule::Call;
  const Seconds begin = run.schedule.begin();
  std::size_t count = 0;
  for (const auto& rank : run.schedule.ranks)
    count += static_cast<std::size_t>(std::ranges::count_if(rank.calls, [&](const Call& call) {
      return call.left - begin >= window.from && (!window.to || call.entered - begin <= *window.to);
    }));
  return count;
}

} // namespace hypermile::trace
