#include "report/simulation_json.hpp"

#include "report/decision_json.hpp"
#include "report/extrapolation.hpp"
#include "report/phases.hpp"
#include "report/power_cap.hpp"
#include "report/sensitivity.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_set>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;
using runtime::LoopReport;
using runtime::RankReport;

/// The ranks that lead a node: the first of each, in order.
std::vector<const RankReport*> nodes(const runtime::RunReport& report) {
  std::vector<const RankReport*> leaders;
  std::unordered_set<std::string> known;
  for (const RankReport& rank : report.ranks)
    if (known.insert(rank.node.name).second)
      leaders.push_back(&rank);
  return leaders;
}

ordered_json loop_json(const runtime::RunReport& report) {
  const LoopReport& loop = report.ranks.front().loop;
  const char* const found = loop.found == LoopReport::Found::marker    ? "marker"
                            : loop.found == LoopReport::Found::pattern ? "pattern"
                                                                       : "nothing";
  ordered_json without = ordered_json::array();
  ordered_json iterations = ordered_json::array();
  for (const RankReport& rank : report.ranks) {
    iterations.push_back(rank.loop.iterations);
    if (rank.loop.found == LoopReport::Found::nothing)
      without.push_back(rank.rank);
  }
  return {{"found", found},
          {"one_iteration", loop.description},
          {"first_iteration_s", loop.first_iteration.value()},
          {"iterations", loop.iterations},
          {"total_s", loop.total.value()},
          {"iterations_per_rank", iterations},
          {"ranks_without_loop", without}};
}

/// When a choice took effect: on the first and on the last of the ranks that it has reached.
ordered_json effect_json(const runtime::RunReport& report, std::size_t decision) {
  ordered_json effect;
  for (const RankReport& rank : report.ranks) {
    if (decision >= rank.changes.size())
      continue;
    const auto& change = rank.changes[decision];
    const double time = change.time.value();
    if (effect.is_null())
      effect = {
          {"time_s", time}, {"iteration", change.iteration}, {"first_time_s", time}, {"ranks", 0}};
    if (effect["time_s"] < time) {
      effect["time_s"] = time;
      effect["iteration"] = change.iteration;
    }
    effect["first_time_s"] = std::min(effect["first_time_s"].get<double>(), time);
    effect["ranks"] = effect["ranks"].get<std::size_t>() + 1;
  }
  return effect;
}

ordered_json choice_json(const runtime::RunReport& report, std::size_t index) {
  ordered_json json = decision_json(report.decisions[index]);
  json["took_effect"] = effect_json(report, index);
  return json;
}

ordered_json expectation_json(const std::optional<simulate::Expectation>& expected) {
  if (!expected)
    return nullptr;
  return {{"time_s", expected->time.value()}, {"energy_j", expected->energy.value()}};
}

/// The gears of the plan from the whole run, and what is forecast of it.
ordered_json plan_json(const std::optional<simulate::WholeRunPlan>& plan) {
  if (!plan)
    return nullptr;
  const auto predicted =
      model::normalised(plan->baseline, plan->expected.time, plan->expected.energy);
  const bool knows_dependencies = plan->time_model == runtime::TimeModelKind::dependency;
  return {{"gears", plan->gears},
          {"time_model", knows_dependencies ? "dependency" : "cluster"},
          {"predicted",
           {{"time_s", plan->expected.time.value()},
            {"energy_j", plan->expected.energy.value()},
            {"distance_points", 100 * predicted.distance}}},
          {"repetitions", plan->repetitions},
          {"not_repeated",
           plan->not_repeated.empty() ? ordered_json() : ordered_json(plan->not_repeated)}};
}

ordered_json run_json(const simulate::SimulatedRun& run, const simulate::SimulatedRun& unscaled) {
  const auto comparison = simulate::compare(run, unscaled);
  ordered_json json{{"method", run.method},
                    {"time_s", run.time.value()},
                    {"energy_j", run.energy.value()},
                    {"simulated_part", part_json(run)},
                    {"saving_percent", 100 * comparison.saving},
                    {"slowdown_percent", 100 * comparison.slowdown},
                    {"distance_points", 100 * comparison.distance},
                    {"gear_switches", 0},
                    {"predicted", nullptr},
                    {"gears", ordered_json::array()},
                    {"frequencies_ghz", ordered_json::array()},
                    {"nodes", ordered_json::array()},
                    {"decisions", ordered_json::array()},
                    {"phases", nullptr},
                    {"iterations_per_rank", nullptr},
                    {"divergences", 0},
                    {"from_like_calls", 0},
                    {"verified_exit_code", run.exit_code}};
  json["predicted"] = expectation_json(run.forecast ? run.forecast : run.expected);
  json["predictions"] = {{"cluster", expectation_json(run.expected)},
                         {"dependency", expectation_json(run.forecast)}};
  std::size_t switches = 0;
  for (const RankReport* rank : nodes(run.report)) {
    const auto& type = rank->node.type;
    switches += rank->switches;
    json["gears"].push_back(rank->gear);
    json["frequencies_ghz"].push_back(
        type.frequencies_known ? ordered_json(type.gears.frequency(rank->gear).value() / 1e9)
                               : ordered_json());
    json["nodes"].push_back({{"name", rank->node.name}, {"type", type.name}});
  }
  json["gear_switches"] = switches;
  for (std::size_t d = 0; d < run.report.decisions.size(); ++d)
    json["decisions"].push_back(choice_json(run.report, d));
  json["sensitivities"] = sensitivities_json(run.report);
  json["phases"] = phases_json(run.report);
  std::size_t divergences = 0;
  std::size_t from_like_calls = 0;
  if (!run.report.ranks.empty())
    json["iterations_per_rank"] = ordered_json::array();
  for (const RankReport& rank : run.report.ranks) {
    json["iterations_per_rank"].push_back(rank.loop.iterations);
    divergences += rank.divergences;
    from_like_calls += rank.from_like_calls;
  }
  json["divergences"] = divergences;
  json["from_like_calls"] = from_like_calls;
  return json;
}

/// How the forecasts see messages.
ordered_json protocol_json(const std::optional<model::dependency::Protocol>& protocol) {
  if (!protocol)
    return nullptr;
  return {{"synchronous_from_bytes", protocol->synchronous_from},
          {"starts_at_receive", protocol->starts_at_receive},
          {"eager_below_bytes", protocol->eager_below}};
}

ordered_json model_json(const std::optional<simulate::ModelSummary>& model) {
  if (!model)
    return nullptr;
  ordered_json json{{"file", model->file},
                    {"parameters", ordered_json::object()},
                    {"ranks_of_role", ordered_json::object()}};
  for (const auto& [name, value] : model->parameters)
    json["parameters"][name] = value;
  for (const auto& [name, ranks] : model->roles)
    json["ranks_of_role"][name] = ranks;
  return json;
}

} // namespace

std::string simulation_json(const simulate::Simulation& simulation) {
  ordered_json json{{"schema", "hypermile/simulation/1"},
                    {"hypermile_version", HYPERMILE_VERSION},
                    {"platform", simulation.platform},
                    {"ranks", simulation.ranks},
                    {"program", simulation.program},
                    {"objective", simulation.objective},
                    {"max_slowdown", nullptr},
                    {"reference_speed_gf", nullptr},
                    {"loop", loop_json(simulation.runs.front().report)},
                    {"runs", ordered_json::array()}};
  json["waiting"] = simulation.waiting == simulate::Waiting::spinning ? "spinning" : "idle";
  json["gear_change_s"] = simulation.gear_change.value();
  if (simulation.max_slowdown)
    json["max_slowdown"] = *simulation.max_slowdown;
  json["replayed"] =
      simulation.replayed.empty() ? ordered_json() : ordered_json(simulation.replayed);
  json["idle_nodes"] = simulation.idle_nodes.count;
  json["uncontended"] = simulation.uncontended;
  json["overlap_s"] =
      simulation.uncontended ? ordered_json(simulation.overlap.value()) : ordered_json();
  json["model"] = model_json(simulation.model);
  json["extrapolated"] = extrapolation_json(simulation.model);
  json["remarks"] = simulation.remarks;
  if (simulation.reference_speed)
    json["reference_speed_gf"] = simulation.reference_speed->value() / 1e9;
  json["protocol"] = protocol_json(simulation.protocol);
  json["planned"] = plan_json(simulation.planned);
  for (const auto& run : simulation.runs) {
    auto& entry = json["runs"].emplace_back(run_json(run, simulation.runs.front()));
    const auto behind = simulate::behind_plan(simulation, run);
    entry["power_caps"] =
        caps_json(caps_of(simulation.power_caps, run.energy / run.time, run.report));
    entry["idle_nodes_energy_j"] = (simulation.idle_nodes.power * run.time).value();
    entry["switch_energy_j"] = simulation.switch_power
                                   ? ordered_json((*simulation.switch_power * run.time).value())
                                   : ordered_json();
    entry["behind_plan"] = behind ? ordered_json(*behind) : ordered_json();
  }
  return json.dump(2) + "\n";
}

} // namespace hypermile::report
