#include "report/periods.hpp"

#include <algorithm>

namespace hypermile::report {
namespace {

using runtime::RankReport;

Mark mark_of(const runtime::GearChange& change) {
  return {change.time, change.computation, static_cast<double>(change.calls), change.stolen};
}

Mark run_end(const RankReport& rank) {
  return {rank.time, rank.computation, static_cast<double>(rank.calls),
          rank.stolen.value_or(Seconds{})};
}

/// In one gear.
Joules energy_of(const RankReport& rank, const Leaders& leaders, model::Gear gear, Seconds time,
                 Seconds computation) {
  const model::NodeType& type = rank.node.type;
  const auto& power = type.power[gear];
  const Watts per_core = (power.computing - power.waiting) / static_cast<double>(type.cores);
  const Joules of_node = leaders.is(rank) ? power.waiting * time : Joules{};
  return of_node + per_core * computation;
}

} // namespace

Mark loop_begin(const RankReport& rank) {
  return {rank.loop.first_iteration, rank.loop.computation_before,
          static_cast<double>(rank.loop.calls_before)};
}

Mark loop_end(const RankReport& rank) {
  const Mark begin = loop_begin(rank);
  return {begin.time + rank.loop.total, begin.computation + rank.loop.computation,
          begin.calls + static_cast<double>(rank.loop.calls)};
}

std::vector<Period> periods_of(const RankReport& rank) {
  std::vector<Period> periods{std::nullopt};
  for (std::size_t d = 0; d < rank.changes.size(); ++d)
    periods.emplace_back(d);
  return periods;
}

std::optional<std::pair<Mark, Mark>> part_of(const RankReport& rank, const Period& period) {
  const std::size_t next = period ? *period + 1 : 0;
  if (next > rank.changes.size())
    return std::nullopt;
  const Mark from = period ? mark_of(rank.changes[*period]) : Mark{};
  const Mark to = next < rank.changes.size() ? mark_of(rank.changes[next]) : run_end(rank);
  return std::pair{from, to};
}

model::Gear gear_in(const RankReport& leader, const Period& period) {
  if (leader.changes.empty())
    return leader.gear; // the same from the beginning to the end
  if (!period)
    return 0;
  return leader.changes[std::min(*period, leader.changes.size() - 1)].gear;
}

Away away_in(const RankReport& rank, const Period& period, const Mark& from, const Mark& to) {
  const auto part = period ? part_of(rank, period) : std::nullopt;
  if (!part || *period >= rank.changes.size() || part->second.time <= part->first.time)
    return {};
  const auto& change = rank.changes[*period];
  const double share = (to.time - from.time) / (part->second.time - part->first.time);
  return {change.away * share, change.computation_away * share};
}

Spent energy_of(const RankReport& rank, const Leaders& leaders, const Period& period,
                const Mark& from, const Mark& to) {
  const Away away = away_in(rank, period, from, to);
  return {energy_of(rank, leaders, gear_in(leaders.of(rank), period),
                    to.time - from.time - away.time,
                    to.computation - from.computation - away.computation),
          energy_of(rank, leaders, 0, away.time, away.computation)};
}

} // namespace hypermile::report
