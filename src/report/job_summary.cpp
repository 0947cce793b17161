#include "report/job_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace hypermile::report {
namespace {

using runtime::Decision;
using runtime::RankReport;
using runtime::RunReport;

/// What one call costs that is only counted and recorded, about.
constexpr Seconds per_call{1e-7};

/// What a rank had done by some moment.
struct Mark {
  Seconds time;
  Seconds computation;
  double calls;
};

Mark mark_of(const runtime::GearChange& change) {
  return {change.time, change.computation, static_cast<double>(change.calls)};
}

Mark loop_begin(const RankReport& rank) {
  return {rank.loop.first_iteration, rank.loop.computation_before,
          static_cast<double>(rank.loop.calls_before)};
}

Mark loop_end(const RankReport& rank) {
  const Mark begin = loop_begin(rank);
  return {begin.time + rank.loop.total, begin.computation + rank.loop.computation,
          begin.calls + static_cast<double>(rank.loop.calls)};
}

Mark run_end(const RankReport& rank) {
  return {rank.time, rank.computation, static_cast<double>(rank.calls)};
}

/// A rank of the node that has told what can be done there; each node has one.
std::vector<const RankReport*> leaders(const RunReport& run) {
  std::vector<const RankReport*> leaders;
  for (const RankReport& rank : run.ranks)
    if (rank.access)
      leaders.push_back(&rank);
  return leaders;
}

bool power_known(const RankReport& rank) {
  const auto& power = rank.node.type.power;
  return std::ranges::all_of(power, [](const auto& p) { return p.computing > Watts{}; });
}

/// What a rank's part of its node's energy is between two moments, by the power table.
Joules energy_of(const RankReport& rank, model::Gear gear, const Mark& from, const Mark& to) {
  const model::NodeType& type = rank.node.type;
  const auto& power = type.power[gear];
  const Watts per_core = (power.computing - power.waiting) / static_cast<double>(type.cores);
  const Joules of_node = rank.access ? power.waiting * (to.time - from.time) : Joules{};
  return of_node + per_core * (to.computation - from.computation);
}

bool has_gears(const Decision& decision) {
  return std::ranges::any_of(decision.gears, [](model::Gear gear) { return gear != 0; });
}

/// Between two choices: nothing changes.
struct Period {
  std::optional<std::size_t> decision; ///< whose gears are set; none: those at the begin
};

/// Of the rank's node, as the rank that sets it tells.
model::Gear gear_in(const RunReport& run, const RankReport& rank, const Period& period) {
  const auto leader = std::ranges::find_if(run.ranks, [&](const RankReport& other) {
    return other.access && other.node.name == rank.node.name;
  });
  const auto& changes = (leader == run.ranks.end() ? rank : *leader).changes;
  return period.decision && *period.decision < changes.size() ? changes[*period.decision].gear
                                                              : model::Gear{0};
}

/// Its part of a rank's run: none where the choice came too late for the rank.
std::optional<std::pair<Mark, Mark>> part_of(const RankReport& rank, const Period& period) {
  const std::size_t next = period.decision ? *period.decision + 1 : 0;
  if (next > rank.changes.size())
    return std::nullopt;
  const Mark from = period.decision ? mark_of(rank.changes[*period.decision]) : Mark{};
  const Mark to = next < rank.changes.size() ? mark_of(rank.changes[next]) : run_end(rank);
  return std::pair{from, to};
}

Mark later(const Mark& a, const Mark& b) { return a.time < b.time ? b : a; }
Mark earlier(const Mark& a, const Mark& b) { return a.time < b.time ? a : b; }

/// Time and energy of the whole loop, had all of it gone as the iterations of some periods did.
struct LoopCost {
  Seconds time; ///< mean of the ranks
  Joules energy;
};

std::optional<LoopCost> cost_of(const RunReport& run, const std::vector<Period>& periods) {
  LoopCost cost{};
  for (const RankReport& rank : run.ranks) {
    Seconds time;
    Joules energy;
    double calls = 0;
    for (const Period& period : periods)
      if (const auto part = part_of(rank, period)) {
        const Mark from = later(part->first, loop_begin(rank));
        const Mark to = earlier(part->second, loop_end(rank));
        if (to.time <= from.time || to.calls <= from.calls)
          continue;
        time += to.time - from.time;
        calls += to.calls - from.calls;
        energy += energy_of(rank, gear_in(run, rank, period), from, to);
      }
    if (!(calls > 0))
      return std::nullopt;
    const double whole = static_cast<double>(rank.loop.calls) / calls;
    cost.time += time * (whole / static_cast<double>(run.ranks.size()));
    cost.energy += energy * whole;
  }
  return cost;
}

/// The last choice that set gears, and the periods before any did.
std::optional<Ratio> measured_ratio(const RunReport& run) {
  std::vector<Period> before{{std::nullopt}};
  std::optional<std::size_t> last;
  for (std::size_t d = 0; d < run.decisions.size(); ++d) {
    if (has_gears(run.decisions[d]))
      last = d;
    else if (!last)
      before.push_back({d});
  }
  if (!last)
    return std::nullopt;
  const auto old = cost_of(run, before);
  const auto now = cost_of(run, {{last}});
  if (!old || !now)
    return std::nullopt;
  return Ratio{now->time / old->time, now->energy / old->energy};
}

std::optional<Ratio> predicted_ratio(const Decision& decision) {
  if (!(decision.prediction.p_norm > 0))
    return std::nullopt;
  return Ratio{1 / decision.prediction.p_norm, decision.prediction.e_norm};
}

/// Of every period what it took, and what it would have taken in gear 0.
std::optional<Ratio> whole_run_ratio(const RunReport& run) {
  Seconds time;
  Seconds time_in_gear0;
  Joules energy;
  Joules energy_in_gear0;
  for (const RankReport& rank : run.ranks)
    for (std::size_t p = 0; p <= rank.changes.size(); ++p) {
      const Period period{p == 0 ? std::nullopt : std::optional(p - 1)};
      const auto part = part_of(rank, period);
      Ratio ratio{1, 1};
      if (period.decision && *period.decision < run.decisions.size())
        if (const Decision& decision = run.decisions[*period.decision]; has_gears(decision))
          ratio = predicted_ratio(decision).value_or(ratio);
      const Joules spent = energy_of(rank, gear_in(run, rank, period), part->first, part->second);
      time += part->second.time - part->first.time;
      time_in_gear0 += (part->second.time - part->first.time) / ratio.time;
      energy += spent;
      energy_in_gear0 += spent / ratio.energy;
    }
  if (!(time_in_gear0 > Seconds{} && energy_in_gear0 > Joules{}))
    return std::nullopt;
  return Ratio{time / time_in_gear0, energy / energy_in_gear0};
}

std::optional<Joules> table_energy(const RunReport& run) {
  Joules energy;
  for (const RankReport& rank : run.ranks) {
    if (!power_known(rank))
      return std::nullopt;
    for (std::size_t p = 0; p <= rank.changes.size(); ++p) {
      const Period period{p == 0 ? std::nullopt : std::optional(p - 1)};
      const auto part = part_of(rank, period);
      energy += energy_of(rank, gear_in(run, rank, period), part->first, part->second);
    }
  }
  return energy;
}

void read_meters(const std::vector<const RankReport*>& nodes, JobSummary& summary) {
  Joules sum;
  bool all = !nodes.empty();
  std::set<std::string> meters;
  for (const RankReport* node : nodes) {
    all = all && node->energy;
    sum += node->energy.value_or(Joules{});
    if (!node->access->meter.empty())
      meters.insert(node->access->meter);
  }
  summary.meters.assign(meters.begin(), meters.end());
  if (all)
    summary.measured_energy = sum;
}

/// "node-1: ...", or "node-1, node-2 and 5 more: ..."; without names where it is of all.
std::string with_nodes(const std::string& remark, const std::vector<std::string>& names,
                       std::size_t nodes) {
  constexpr std::size_t shown = 3;
  if (names.size() == nodes)
    return remark;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size())));
  const std::string more =
      names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
  return fmt::format("{}{}: {}", fmt::join(first, ", "), more, remark);
}

std::vector<std::string> remarks_of(const RunReport& run,
                                    const std::vector<const RankReport*>& nodes) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> concerned;
  const auto note = [&](const std::string& remark, const std::string& node) {
    auto& names = concerned[remark];
    if (names.empty())
      order.push_back(remark);
    if (std::ranges::find(names, node) == names.end())
      names.push_back(node);
  };
  for (const RankReport* node : nodes)
    for (const std::string& remark : node->access->remarks)
      note(remark, node->node.name);
  for (const RankReport& rank : run.ranks)
    if (!rank.failure.empty())
      note(rank.failure, rank.node.name);
  std::vector<std::string> remarks;
  for (const std::string& remark : order)
    remarks.push_back(with_nodes(remark, concerned[remark], nodes.size()));
  return remarks;
}

bool any_gear(const RunReport& run) {
  const auto not_0 = [](const runtime::GearChange& change) { return change.gear != 0; };
  return std::ranges::any_of(run.ranks, [&](const RankReport& rank) {
    return rank.access && (rank.gear != 0 || std::ranges::any_of(rank.changes, not_0));
  });
}

void compare(const RunReport& baseline, JobSummary& summary) {
  JobSummary old;
  for (const RankReport& rank : baseline.ranks)
    old.time = std::max(old.time, rank.time);
  read_meters(leaders(baseline), old);
  const bool both_measured = summary.measured_energy && old.measured_energy;
  const auto energy = both_measured ? summary.measured_energy : summary.table_energy;
  summary.baseline_time = old.time;
  summary.baseline_energy = both_measured ? old.measured_energy : table_energy(baseline);
  if (energy && summary.baseline_energy && *summary.baseline_energy > Joules{})
    summary.against_baseline = Ratio{summary.time / old.time, *energy / *summary.baseline_energy};
}

} // namespace

JobSummary summarize(const Job& job) {
  const RunReport& run = job.run;
  const auto nodes = leaders(run);
  JobSummary summary;
  for (const RankReport& rank : run.ranks) {
    summary.time = std::max(summary.time, rank.time);
    summary.overhead = std::max(summary.overhead, rank.overhead);
    summary.wrapping = std::max(summary.wrapping, per_call * static_cast<double>(rank.calls));
  }
  summary.nodes = nodes.size();
  for (const RankReport* node : nodes) {
    summary.emulated = summary.emulated || node->access->backend == "emulated";
    summary.power_assumed = summary.power_assumed || node->access->power_assumed;
  }
  read_meters(nodes, summary);
  summary.table_energy = table_energy(run);
  summary.gears_in_effect = any_gear(run);
  const auto last = std::ranges::find_if(run.decisions.rbegin(), run.decisions.rend(), has_gears);
  if (last != run.decisions.rend())
    summary.predicted = predicted_ratio(*last);
  if (summary.gears_in_effect && summary.table_energy) {
    summary.measured = measured_ratio(run);
    summary.whole_run = whole_run_ratio(run);
  }
  if (job.baseline)
    compare(*job.baseline, summary);
  summary.remarks = remarks_of(run, nodes);
  return summary;
}

} // namespace hypermile::report
