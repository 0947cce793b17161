#include "model/timeline.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace hypermile::model {
namespace {

/// Follows the clock of a rank from event to event.
class Walk {
public:
  explicit Walk(const RankTimeline& rank) : now_(rank.begin) {}
  /// Returns when the event's call was entered.
  Seconds enter(const Event& event) {
    return now_ += Seconds{static_cast<double>(event.computation)};
  }
  Seconds leave(const Event& event) {
    if (event.ends_call != 0)
      now_ += Seconds{static_cast<double>(event.duration)};
    return now_;
  }

private:
  Seconds now_;
};

/// The operation of events whose start was cut off.
std::uint32_t operation_other(RankTimeline& rank) {
  const auto found = std::ranges::find(rank.operations, Operation{});
  if (found != rank.operations.end())
    return static_cast<std::uint32_t>(found - rank.operations.begin());
  rank.operations.emplace_back();
  if (!rank.before.empty())
    rank.before.push_back(0);
  return static_cast<std::uint32_t>(rank.operations.size() - 1);
}

struct Range {
  std::size_t first = 0;
  std::size_t end = 0;
  Seconds begin; ///< of the computation before the first
};

/// Whole calls only.
Range range_of(const RankTimeline& rank, Seconds from, Seconds to) {
  Walk walk(rank);
  Range range{.first = rank.events.size(), .end = rank.events.size(), .begin = {}};
  Seconds left = rank.begin;
  std::size_t call = 0;
  bool inside = false;
  for (std::size_t e = 0; e < rank.events.size(); ++e) {
    const Event& event = rank.events[e];
    const Seconds entered = walk.enter(event);
    if (e == call && !inside && entered >= from) {
      inside = true;
      range.first = e;
      range.begin = std::max(left, from);
    }
    left = walk.leave(event);
    if (event.ends_call == 0)
      continue;
    if (inside && left > to) {
      range.end = call;
      break;
    }
    call = e + 1;
  }
  range.first = std::min(range.first, range.end);
  if (!inside)
    range.begin = from;
  return range;
}

} // namespace

bool Timeline::complete() const {
  return std::ranges::all_of(ranks, [](const auto& rank) { return rank.incomplete.empty(); });
}

Seconds end(const RankTimeline& rank) {
  Walk walk(rank);
  Seconds now = rank.begin;
  for (const Event& event : rank.events) {
    (void)walk.enter(event);
    now = walk.leave(event);
  }
  return now + rank.computation_after;
}

RankTimeline cut(const RankTimeline& rank, Seconds from, Seconds to) {
  const Range range = range_of(rank, from, to);
  RankTimeline part{.begin = range.begin,
                    .operations = rank.operations,
                    .events = {},
                    .computation_after = {},
                    .scale = rank.scale,
                    .before = rank.before,
                    .incomplete = rank.incomplete};
  part.before.resize(part.operations.size(), 0);
  for (std::size_t e = 0; e < range.first; ++e)
    ++part.before[rank.events[e].operation];
  part.events.assign(rank.events.begin() + static_cast<std::ptrdiff_t>(range.first),
                     rank.events.begin() + static_cast<std::ptrdiff_t>(range.end));
  for (std::size_t e = 0; e < part.events.size(); ++e)
    if (part.events[e].started > e) {
      part.events[e].operation = operation_other(part);
      part.events[e].started = 0;
    }
  if (!part.events.empty()) {
    // The computation before the first call may have begun before the cut.
    Walk walk(rank);
    Seconds entered;
    for (std::size_t e = 0; e <= range.first; ++e) {
      entered = walk.enter(rank.events[e]);
      (void)walk.leave(rank.events[e]);
    }
    part.events.front().computation = static_cast<float>((entered - range.begin).value());
  }
  return part;
}

} // namespace hypermile::model
