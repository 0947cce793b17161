#include "report/wait_gear.hpp"

#include "report/job_summary.hpp"
#include "report/setting_json.hpp"
#include "units/wrapped.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using runtime::RankReport;
using runtime::RunReport;
using runtime::WaitGearUse;

/// Of all nodes that have one.
struct Total {
  std::size_t nodes = 0;
  std::size_t times = 0;
  bool set = false;
  Seconds time{};
  Seconds of{};     ///< all that these nodes ran
  Seconds change{}; ///< the longest
  Joules saved{};
  Seconds cost{}; ///< the highest of a node
};

Total total_of(const RunReport& run) {
  Total total;
  const Leaders leaders(run);
  for (const RankReport* leader : leaders.all()) {
    if (!leader->wait_gear || leader->wait_gear->times == 0)
      continue;
    const WaitGearUse& use = *leader->wait_gear;
    ++total.nodes;
    total.times += use.times;
    total.set = total.set || use.set;
    total.time += use.time;
    total.of += leader->time;
    total.change = std::max(total.change, use.change);
    total.saved += use.saved;
    total.cost = std::max(total.cost, use.cost);
  }
  return total;
}

std::string saved_text(const Total& total, std::optional<Joules> energy) {
  if (!energy)
    return "";
  const double without = energy->value() + (total.set ? total.saved.value() : 0);
  return fmt::format(" By the power tables that {} {:.2f} J, {:.2g} % of the energy.",
                     total.set ? "saved" : "would have saved", total.saved.value(),
                     100 * total.saved.value() / without);
}

} // namespace

WaitGearEffect wait_gear_effect(const RunReport& run) {
  const Total total = total_of(run);
  return total.set ? WaitGearEffect{total.saved, total.cost} : WaitGearEffect{};
}

std::string wait_gear_text(const RunReport& run, std::optional<Joules> energy) {
  const auto leaders = Leaders(run).all();
  if (std::ranges::none_of(leaders,
                           [](const auto* leader) { return leader->wait_gear.has_value(); }))
    return "";
  const Total total = total_of(run);
  if (total.nodes == 0)
    return wrapped("No node was put into a wait gear.");
  return wrapped(fmt::format(
      "{} node{} {} in a wait gear while all {} ranks waited: {} time{}, {:.2g} % of the time.{} "
      "Ranks that went on before the gear was raised lost {} by that{}; a change of gears took {}.",
      total.nodes, total.nodes == 1 ? "" : "s",
      total.set ? (total.nodes == 1 ? "was" : "were") : "would have been",
      total.nodes == 1 ? "its" : "their", total.times, total.times == 1 ? "" : "s",
      100 * (total.time / total.of), saved_text(total, energy), duration(total.cost),
      total.nodes == 1 ? "" : " at most on a node", duration(total.change)));
}

std::string wait_gear_remark(const RankReport& leader) {
  if (!leader.wait_gear)
    return "";
  const WaitGearUse& use = *leader.wait_gear;
  if (!use.problem.empty())
    return use.problem;
  if (use.pays || use.times > 0)
    return "";
  return fmt::format(
      "the wait gear was not used: by the power table ranks that wait draw as much in any lower "
      "gear, "
      "or a change of gears ({}) costs more than that saves; try: --waiting spinning if the table "
      "knows nothing of ranks that keep their cores busy while they wait",
      duration(use.change));
}

ordered_json wait_gear_json(const RankReport& leader) {
  if (!leader.wait_gear)
    return nullptr;
  const WaitGearUse& use = *leader.wait_gear;
  const auto& type = leader.node.type;
  const bool used = use.times > 0;
  return {{"set", use.set},
          {"gear", used ? ordered_json(use.gear) : ordered_json()},
          {"frequency_ghz", used ? frequency_json(type, use.gear) : ordered_json()},
          {"setting", used ? setting_json(type, use.gear) : ordered_json()},
          {"times", use.times},
          {"time_s", use.time.value()},
          {"estimated_saved_j", use.saved.value()},
          {"late_s", use.late.value()},
          {"cost_s", use.cost.value()},
          {"change_s", use.change.value()},
          {"keeper_cpu_s", use.cpu.value()},
          {"problem", use.problem.empty() ? ordered_json() : ordered_json(use.problem)}};
}

} // namespace hypermile::report
