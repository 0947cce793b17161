#include "model/dependency/calls.hpp"

namespace hypermile::model::dependency {

Calls::Calls(const Matching& matching) : matching_(matching) {
  entered_.reserve(matching.event_count());
  left_.reserve(matching.event_count());
  first_.reserve(matching.event_count());
  for (const RankTimeline& rank : matching.timeline().ranks) {
    RankClock clock(rank);
    double left = rank.begin.value();
    auto first = static_cast<EventIndex>(first_.size());
    for (const Event& event : rank.events) {
      const RankClock::Moments moments = clock.next();
      entered_.push_back(moments.entered.value());
      first_.push_back(first);
      left = moments.left.value();
      if (event.ends_call == 0)
        continue;
      left_.resize(first_.size(), left);
      first = static_cast<EventIndex>(first_.size());
    }
    left_.resize(first_.size(), left);
  }
}

EventIndex Calls::end(EventIndex event) const {
  const std::uint32_t rank = matching_.rank(event);
  const EventIndex last = matching_.first_event(rank) +
                          static_cast<EventIndex>(matching_.timeline().ranks[rank].events.size()) -
                          1;
  while (event < last && matching_.event(event).ends_call == 0)
    ++event;
  return event + 1;
}

bool Calls::is_non_blocking(const Message& message) const {
  const auto is = [this](EventIndex start) {
    const EventIndex end = matching_.completion(start);
    return end != nothing && first_[end] != first_[start];
  };
  return is(message.send) && is(message.receive);
}

} // namespace hypermile::model::dependency
