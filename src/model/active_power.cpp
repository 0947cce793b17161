#include "model/active_power.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace hypermile::model {
namespace {

/// At a moment a rank of a node begins (+1) or ends (-1) to compute.
using Change = std::pair<double, int>;

void add_changes(const RankTimeline& rank, std::vector<Change>& changes) {
  const auto compute = [&](Seconds from, Seconds to) {
    if (to > from) {
      changes.emplace_back(from.value(), 1);
      changes.emplace_back(to.value(), -1);
    }
  };
  RankClock clock(rank);
  Seconds now = rank.begin;
  for (std::size_t e = 0; e < rank.events.size(); ++e) {
    const RankClock::Moments moments = clock.next();
    compute(moments.begin, moments.entered);
    now = moments.left;
  }
  compute(now, now + rank.computation_after);
}

/// Above what the node draws while it waits, as a share of what all its cores add, times seconds.
double active_seconds(const NodeType& type, std::vector<Change>& changes) {
  std::ranges::sort(changes);
  double sum = 0;
  double since = 0;
  int computing = 0;
  for (const auto& [moment, change] : changes) {
    sum += (moment - since) * active_share(type, static_cast<std::size_t>(std::max(0, computing)));
    since = moment;
    computing += change;
  }
  return sum;
}

} // namespace

double active_share(const NodeType& type, std::size_t cores) {
  const std::size_t active = std::min(cores, type.cores);
  return type.active.empty() ? static_cast<double>(active) / static_cast<double>(type.cores)
                             : type.active[active];
}

Joules energy_of(const Timeline& timeline, std::span<const NodeType> types,
                 std::span<const Gear> gears, std::span<const std::uint32_t> node_of_rank) {
  std::vector<std::vector<Change>> changes(types.size());
  Seconds end;
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank) {
    add_changes(timeline.ranks[rank], changes[node_of_rank[rank]]);
    end = std::max(end, model::end(timeline.ranks[rank]));
  }
  Joules energy;
  for (std::size_t node = 0; node < types.size(); ++node) {
    const GearPower& power = types[node].power[gears[node]];
    energy += power.waiting * end + (power.computing - power.waiting) *
                                        Seconds{active_seconds(types[node], changes[node])};
  }
  return energy;
}

} // namespace hypermile::model
