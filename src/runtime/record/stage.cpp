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

/// Which of the stages, or their number if there is none of some length.
std::size_t longest_of(const std::vector<GearStage>& stages, Seconds begin, Seconds end,
                       std::optional<std::size_t> orders) {
  Seconds longest;
  std::size_t found = stages.size();
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (orders && stages[s].orders != *orders)
      continue;
    const Seconds begins = std::max(begin, stages[s].from);
    const Seconds ends = s + 1 < stages.size() ? std::min(end, stages[s + 1].from) : end;
    if (ends - begins <= longest)
      continue;
    longest = ends - begins;
    found = s;
  }
  return found;
}

} // namespace

std::size_t orders_of_longest_stage(const std::vector<GearStage>& stages, Seconds begin,
                                    Seconds end) {
  const std::size_t longest = longest_of(stages, begin, end, std::nullopt);
  return longest < stages.size() ? stages[longest].orders : 0;
}

model::RankTimeline longest_stage(model::RankTimeline rank, const std::vector<GearStage>& stages,
                                  std::optional<std::size_t> orders, std::size_t most_events) {
  const Seconds end = model::end(rank);
  std::size_t longest = longest_of(stages, rank.begin, end, orders);
  if (longest == stages.size())
    longest = longest_of(stages, rank.begin, end, std::nullopt);
  if (longest < stages.size()) {
    const Seconds to = longest + 1 < stages.size() ? stages[longest + 1].from : never;
    rank.scale = stages[longest].scale;
    if (stages[longest].from > rank.begin || to < never)
      rank = model::cut(rank, std::max(rank.begin, stages[longest].from), to);
  }
  return last_of(std::move(rank), most_events);
}

} // namespace hypermile::runtime
