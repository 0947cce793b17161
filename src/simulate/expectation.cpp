#include "simulate/whole_run_plan.hpp"

#include "runtime/decide/coordinator.hpp"

#include <algorithm>

namespace hypermile::simulate {
namespace {

/// When a decision took effect, on the last node, and what all nodes had consumed when it did
/// on theirs.
struct Moment {
  Seconds time;
  Joules energy;
};

std::optional<Moment> effect_of(std::size_t decision, const runtime::RunReport& run) {
  Moment moment;
  std::vector<std::string> counted;
  for (const auto& rank : run.ranks) {
    if (decision >= rank.changes.size() || !rank.changes[decision].energy)
      return std::nullopt;
    const auto& change = rank.changes[decision];
    moment.time = std::max(moment.time, change.time);
    if (std::ranges::find(counted, rank.node.name) == counted.end())
      moment.energy += *change.energy;
    counted.push_back(rank.node.name);
  }
  return moment;
}

} // namespace

std::optional<Expectation> expect(const runtime::RunReport& run, Seconds unscaled_time,
                                  Joules unscaled_energy) {
  // Without a node's fastest gears choices say nothing of gear 0.
  if (std::ranges::any_of(run.ranks, [](const auto& rank) { return rank.fastest > 0; }))
    return std::nullopt;
  // How far the unscaled run had got, in its own time and energy, when a decision took effect.
  Moment progress;
  Moment before;
  double time_ratio = 1;
  double energy_ratio = 1;
  bool any = false;
  for (std::size_t d = 0; d < run.decisions.size(); ++d) {
    const auto now = effect_of(d, run);
    if (!now)
      break;
    progress.time += (now->time - before.time) / time_ratio;
    progress.energy += (now->energy - before.energy) / energy_ratio;
    before = *now;
    time_ratio = 1 / run.decisions[d].prediction.p_norm;
    energy_ratio = run.decisions[d].prediction.e_norm;
    any = true;
  }
  if (!any)
    return std::nullopt;
  return Expectation{before.time + (unscaled_time - progress.time) * time_ratio,
                     before.energy + (unscaled_energy - progress.energy) * energy_ratio};
}

std::optional<Expectation> expect_of_fixed_gears(const runtime::RunReport& run,
                                                 const runtime::RunReport& unscaled) {
  const runtime::NodeProblem nodes = totals_of(unscaled);
  std::vector<model::Gear> gears(nodes.nodes.size(), 0);
  bool any = false;
  for (std::size_t r = 0; r < run.ranks.size(); ++r) {
    gears[nodes.node_of_rank[r]] = run.ranks[r].gear;
    any = any || run.ranks[r].gear != 0;
  }
  if (!any)
    return std::nullopt;
  const auto prediction = model::predict(model::table_problem(nodes.table), gears);
  return Expectation{prediction.time, prediction.energy};
}

} // namespace hypermile::simulate
