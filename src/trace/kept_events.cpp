#include "trace/kept_events.hpp"

#include <algorithm>

namespace hypermile::trace {

using model::dependency::EventIndex;
using model::dependency::Matching;
using model::dependency::Schedule;

KeptEvents::KeptEvents(const TracedRun& run, const Matching& matching, const Ticks& ticks)
    : matching_(matching), kept_(matching.event_count(), true) {
  for (std::size_t r = 0; r < run.schedule.ranks.size(); ++r)
    for (const Schedule::Call& call : run.schedule.ranks[r].calls)
      if (!ticks.inside(call.entered, call.left))
        for (std::uint32_t e = call.first; e < call.end; ++e)
          kept_[matching.first_event(r) + e] = false;
  for (const auto& message : matching.messages())
    if (!both_ends(message.send) || !both_ends(message.receive)) {
      kept_[message.send] = false;
      kept_[message.receive] = false;
    }
  for (const auto& collective : matching.collectives())
    if (!std::ranges::all_of(collective.arrivals, [&](EventIndex e) { return both_ends(e); }))
      for (const EventIndex arrival : collective.arrivals)
        kept_[arrival] = false;
}

bool KeptEvents::both_ends(EventIndex start) const {
  const EventIndex end = matching_.completion(start);
  return kept_[start] && (end == model::dependency::nothing || kept_[end]);
}

} // namespace hypermile::trace
