#include "simulate/uncontended.hpp"

#include "simulate/alone.hpp"
#include "simulate/forecast.hpp"
#include "simulate/modelled.hpp"
#include "simulate/overlap.hpp"
#include "simulate/platform_xml.hpp"
#include "simulate/report_folder.hpp"
#include "simulate/whole_run_plan.hpp"
#include "simulate/xml_hosts.hpp"

#include "application/schedule.hpp"
#include "io/gears_text.hpp"
#include "io/platform_yaml.hpp"
#include "io/text_file.hpp"
#include "io/timeline_text.hpp"
#include "model/active_power.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace hypermile::simulate {
namespace {

constexpr Seconds longest_search{1};

/// A platform with its nodes, and which of them each rank is on: one rank per core.
struct PlacedPlatform {
  model::Platform platform;
  model::PlacedRanks ranks;
  std::vector<std::string> names; ///< of the nodes

  [[nodiscard]] const model::NodeType& type_of(std::uint32_t rank) const {
    return *ranks.nodes[ranks.node_of_rank[rank]];
  }
};

PlacedPlatform place_ranks(const Experiment& experiment, const Installation& installation) {
  const std::string file = io::find_platform(experiment.platform, installation.platform_folder);
  const std::string text = io::read_text_file(file);
  if (is_xml(text))
    throw Error(ErrorKind::config,
                fmt::format("{} is SimGrid's own, which only SimGrid understands", file),
                "without --fast, or a platform in YAML");
  PlacedPlatform placed{
      .platform = io::parse_platform(
          text, file, {.platform_folder = installation.platform_folder, .swaps = experiment.swaps}),
      .ranks = {},
      .names = {}};
  if (!std::holds_alternative<model::Star>(placed.platform.network.topology))
    throw Error(ErrorKind::config,
                fmt::format("{} has a network in which messages pass several switches, which only "
                            "SimGrid follows",
                            file),
                "without --fast");
  for (auto& [type, count] : placed.platform.groups)
    type.sensitivity = experiment.sensitivities.otherwise.value_or(type.sensitivity);
  for (const auto& [type, count] : placed.platform.groups)
    if (type.memory)
      throw Error(ErrorKind::config,
                  fmt::format("type '{}' in {} has a memory in which its ranks exchange messages, "
                              "which only SimGrid follows",
                              type.name, file),
                  "without --fast, or the type without memory");
  placed.ranks = model::place(placed.platform, *experiment.ranks, experiment.layout);
  placed.names = model::names_of(placed.ranks.nodes);
  return placed;
}

/// As its ranks see it: where they are more than its cores, each has a part of a core, with all
/// that this adds to the node's power.
model::NodeType node_type(const PlacedPlatform& placed, std::uint32_t node) {
  model::NodeType type = *placed.ranks.nodes[node];
  const std::size_t ranks = placed.ranks.ranks_of_node[node];
  if (ranks > type.cores) {
    std::vector<double> shares;
    type.speed =
        Speed{type.speed.value() * static_cast<double>(type.cores) / static_cast<double>(ranks)};
    for (std::size_t c = 0; !type.active.empty() && c <= ranks; ++c)
      shares.push_back(model::active_share(type, c * type.cores / ranks));
    type.active = std::move(shares);
    type.cores = ranks;
  }
  return type;
}

application::Machine machine_of(const PlacedPlatform& placed, std::span<const model::Gear> gears) {
  const auto site = [&placed](std::uint32_t rank) -> const std::string& {
    return placed.type_of(rank).site;
  };
  const model::Network& network = placed.platform.network;
  application::Machine machine{
      .speeds = {},
      .transfer =
          [&network, site](std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
            return transfer_alone(network, site(from) == site(to), bytes);
          },
      .latency = {},
      .bandwidth = {},
      .protocol = {.starts_at_receive = true, .known = true}}; // as SMPI's
  const bool one_site = !network.between_sites;
  constexpr std::uint64_t much = 1'000'000;
  machine.latency = transfer_alone(network, one_site, 0);
  machine.bandwidth =
      Bandwidth{much / (transfer_alone(network, one_site, much) - machine.latency).value()};
  std::vector<Speed> speeds;
  for (std::uint32_t node = 0; node < placed.names.size(); ++node) {
    const model::NodeType type = node_type(placed, node);
    speeds.emplace_back(type.speed.value() /
                        model::stretch(type.gears.scale(gears[node]), type.sensitivity));
  }
  for (const std::uint32_t node : placed.ranks.node_of_rank)
    machine.speeds.push_back(speeds[node]);
  return machine;
}

std::vector<model::NodeType> node_types(const PlacedPlatform& placed, Waiting waiting) {
  std::vector<model::NodeType> types;
  for (std::uint32_t node = 0; node < placed.names.size(); ++node) {
    types.push_back(node_type(placed, node));
    if (waiting == Waiting::spinning)
      types.back().power = model::spinning(types.back(), placed.ranks.ranks_of_node[node]);
  }
  return types;
}

runtime::RunReport report_of(const PlacedPlatform& placed, const model::Timeline& timeline,
                             Waiting waiting) {
  runtime::RunReport report;
  const std::vector<model::NodeType> types = node_types(placed, waiting);
  for (std::size_t r = 0; r < timeline.ranks.size(); ++r) {
    const std::uint32_t node = placed.ranks.node_of_rank[r];
    runtime::RankReport rank{.rank = static_cast<int>(r),
                             .node = {placed.names[node], types[node]}};
    const model::RankTimeline& did = timeline.ranks[r];
    rank.time = model::end(did);
    rank.computation = model::computed_in_gear0(did, 0, did.events.size()) + did.computation_after;
    rank.communication = rank.time - rank.computation;
    rank.calls = did.work.size() - 1;
    report.ranks.push_back(std::move(rank));
  }
  report.protocol = model::dependency::Protocol{.starts_at_receive = true, .known = true};
  return report;
}

/// What the platform says of its computation, which the dependency model is to know.
void react(model::Timeline& timeline, const PlacedPlatform& placed) {
  for (std::uint32_t rank = 0; rank < timeline.ranks.size(); ++rank)
    timeline.ranks[rank].sensitivity_otherwise = placed.type_of(rank).sensitivity;
}

void check_methods(const Experiment& experiment) {
  if (!experiment.sensitivities.calls.empty())
    throw Error(ErrorKind::config,
                "how much computation before different calls reacts to gears is simulated by "
                "SimGrid only",
                "without --fast, or one number for all: --sensitivity 0.6");
  for (const std::string& method : experiment.methods)
    if (method != "none" && method != planned_method)
      throw Error(
          ErrorKind::config,
          fmt::format("{} chooses gears while the program runs, which needs SimGrid", method),
          "without --fast, or --method planned");
}

/// Of the runs in given gears.
SimulatedRun run_in(const std::string& method, std::span<const model::Gear> gears,
                    const Expectation& takes, const runtime::RunReport& unscaled,
                    const PlacedPlatform& placed,
                    const model::dependency::Dependencies& dependencies) {
  SimulatedRun run;
  run.method = method;
  run.time = takes.time;
  run.energy = takes.energy;
  run.report = unscaled;
  for (std::size_t r = 0; r < run.report.ranks.size(); ++r) {
    runtime::RankReport& rank = run.report.ranks[r];
    rank.gear = gears[placed.ranks.node_of_rank[r]];
    rank.computation = dependencies.computing(r, rank.node.type.gears.scale(rank.gear));
  }
  return run;
}

/// Time and energy in given gears. The dependency model is exact where power is a line over the
/// cores that compute; elsewhere everything takes place again.
class Outcomes {
public:
  Outcomes(const Experiment& experiment, const PlacedPlatform& placed,
           const application::ModelRun& model, const Forecast& forecast)
      : placed_(placed), model_(model), forecast_(forecast),
        types_(node_types(placed, experiment.waiting)) {}

  [[nodiscard]] Expectation in(std::span<const model::Gear> gears) const {
    if (std::ranges::all_of(types_, [](const auto& type) { return type.active.empty(); }))
      return forecast_.of(gears);
    application::ModelRun again = model_;
    application::schedule(again, machine_of(placed_, gears));
    Expectation outcome{.time = {}, .energy = {}};
    for (const model::RankTimeline& rank : again.timeline.ranks)
      outcome.time = std::max(outcome.time, model::end(rank));
    outcome.energy = model::energy_of(again.timeline, types_, gears, placed_.ranks.node_of_rank);
    return outcome;
  }

private:
  const PlacedPlatform& placed_;
  const application::ModelRun& model_;
  const Forecast& forecast_;
  std::vector<model::NodeType> types_;
};

void run_in_all_gears(const Experiment& experiment, const PlacedPlatform& placed,
                      const Forecast& forecast, const Outcomes& outcomes, Simulation& simulation) {
  simulation.runs.reserve(2 + experiment.gears.size()); // so that the first one stays where it is
  const runtime::RunReport& unscaled = simulation.runs.front().report;
  const auto& dependencies = forecast.predictor().dependencies();
  if (std::ranges::count(experiment.methods, planned_method) > 0) {
    simulation.planned = plan_whole_run(forecast, request_of(experiment), longest_search);
    const auto& gears = simulation.planned->gears;
    simulation.runs.push_back(
        run_in(planned_method, gears, outcomes.in(gears), unscaled, placed, dependencies));
  }
  std::vector<PlacedNode> nodes;
  for (std::size_t n = 0; n < placed.names.size(); ++n)
    nodes.push_back(
        {placed.names[n], placed.ranks.nodes[n]->name, placed.ranks.nodes[n]->gears.size()});
  for (const FixedGears& given : experiment.gears) {
    const auto gears = gears_of_nodes(given, nodes);
    simulation.runs.push_back(run_in("gears:" + io::print_gears(gears), gears, outcomes.in(gears),
                                     unscaled, placed, dependencies));
  }
}

/// What `hypermile explain` reads.
void keep(const std::string& folder, const Simulation& simulation,
          const model::Timeline& timeline) {
  const std::filesystem::path path(folder);
  io::write_text_file(path / timeline_name, io::print_timeline(timeline));
  std::size_t given = 0;
  for (const SimulatedRun& run : simulation.runs) {
    const bool is_given = run.method.starts_with("gears:");
    const std::string name = is_given ? fmt::format("gears-{}", ++given) : run.method;
    io::write_text_file(path / run_report_of(name), runtime::encode_run(run.report));
  }
}

/// Where the ranks meet in gear 0, and how much longer messages of theirs that overlap on a link
/// would take there: those between nodes, at the full bandwidth of the links.
Seconds meet(application::ModelRun& model, const PlacedPlatform& placed,
             std::span<const model::Gear> gear0) {
  const model::Network& network = placed.platform.network;
  const std::size_t backbone = 2 * placed.names.size(); // after a link out and one in of each node
  Overlap overlap(backbone + 1);
  application::Machine machine = machine_of(placed, gear0);
  machine.carried = [&](std::uint32_t from, std::uint32_t to, std::uint64_t bytes, Seconds there) {
    const std::size_t out = placed.ranks.node_of_rank[from];
    const std::size_t in = placed.ranks.node_of_rank[to];
    if (out == in)
      return;
    const auto begin = [&](const model::Link& link) {
      return there - Seconds{static_cast<double>(bytes) / link.bandwidth.value()};
    };
    overlap.add(2 * out, begin(network.link), there);
    overlap.add(2 * in + 1, begin(network.link), there);
    if (network.backbone)
      overlap.add(backbone, begin(*network.backbone), there);
  };
  application::schedule(model, machine);
  return overlap.largest();
}

} // namespace

Simulation run_uncontended(const Experiment& experiment, const Installation& installation,
                           const Listener& listener) {
  check_methods(experiment);
  if (!experiment.report_folder.empty())
    make_folder(experiment.report_folder);
  const PlacedPlatform placed = place_ranks(experiment, installation);
  application::ModelRun model = run_model_of(experiment, installation, listener);
  listener.status("finding out who waits for whom");
  const std::vector<model::Gear> gear0(placed.names.size(), 0);
  Simulation simulation;
  simulation.overlap = meet(model, placed, gear0);
  simulation.platform = placed.platform.name;
  simulation.objective = experiment.objective;
  simulation.max_slowdown = experiment.max_slowdown;
  simulation.power_caps = experiment.power_caps;
  simulation.waiting = experiment.waiting;
  simulation.ranks = *experiment.ranks;
  simulation.program = {title_of(model)};
  simulation.model = summary_of(model, experiment.model);
  simulation.uncontended = true;
  simulation.idle_nodes = model::idle_nodes(placed.platform, placed.ranks.nodes);
  if (const auto& switches = placed.platform.network.switches)
    simulation.switch_power = switches->power * static_cast<double>(switches->count);
  react(model.timeline, placed);
  const runtime::RunReport report = report_of(placed, model.timeline, experiment.waiting);
  const Forecast forecast(report, model.timeline);
  const Outcomes outcomes(experiment, placed, model, forecast);
  simulation.runs.push_back(run_in("none", gear0, outcomes.in(gear0), report, placed,
                                   forecast.predictor().dependencies()));
  run_in_all_gears(experiment, placed, forecast, outcomes, simulation);
  if (!experiment.report_folder.empty())
    keep(experiment.report_folder, simulation, model.timeline);
  return simulation;
}

} // namespace hypermile::simulate
