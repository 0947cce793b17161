#include "runtime/record/stage.hpp"

#include <algorithm>
#include <limits>

namespace hypermile::runtime {
namespace {

constexpr Seconds never{std::numeric_limits<double>::infinity()};

/// The last events; of whole calls, and by their times, as the other ranks will be cut.
model::RankTimeline last_of(model::RankTimeline rank, std::size_t most_events) {
  constexpr int most_rounds = 20; // where events come in bursts
  for (int round = 0; round < most_rounds && rank.events.size() > most_events; ++round) {
    const double share = static_cast<double>(most_events) / static_cast<double>(rank.events.size());
    const Seconds end = model::end(rank);
    rank = model::cut(rank, end - (end - rank.begin) * std::min(share, 0.9), never);
  }
  return rank;
}

} // namespace

model::RankTimeline longest_stage(model::RankTimeline rank, const std::vector<GearStage>& stages,
                                  std::size_t most_events) {
  const Seconds end = model::end(rank);
  Seconds longest;
  Seconds from = rank.begin;
  Seconds to = never;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    const Seconds begins = std::max(rank.begin, stages[s].from);
    const Seconds ends = s + 1 < stages.size() ? std::min(end, stages[s + 1].from) : end;
    if (ends - begins <= longest)
      continue;
    longest = ends - begins;
    from = begins;
    to = s + 1 < stages.size() ? stages[s + 1].from : never;
    rank.scale = stages[s].scale;
  }
  if (from > rank.begin || to < never) {
    rank = model::cut(rank, from, to);
  }
  return last_of(std::move(rank), most_events);
}

} // namespace hypermile::runtime
