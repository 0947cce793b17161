#include "simulate/experiment.hpp"

#include "simulate/extrapolation.hpp"
#include "simulate/failure.hpp"
#include "simulate/forecast.hpp"
#include "simulate/modelled.hpp"
#include "simulate/process.hpp"
#include "simulate/reference_speed.hpp"
#include "simulate/repetition.hpp"
#include "simulate/replayed_gears.hpp"
#include "simulate/report_folder.hpp"
#include "simulate/runner.hpp"
#include "simulate/uncontended.hpp"
#include "simulate/whole_run_plan.hpp"
#include "simulate/workspace.hpp"

#include "govern/governors.hpp"
#include "io/recording_text.hpp"
#include "io/sensitivities_text.hpp"
#include "io/text_file.hpp"
#include "io/timeline_text.hpp"
#include "model/dependency/assignment.hpp"
#include "runtime/decide/node_problem.hpp"
#include "runtime/decide/time_model.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <span>

namespace hypermile::simulate {
namespace {

/// The unscaled run does not, but would find out at once that nobody can.
bool keeps_caps(const std::string& name) {
  const auto method = select::method_named(name);
  return name == "none" || (method && select::row_of(*method).keeps_bounds);
}

/// A platform's name, or its file from wherever somebody is.
std::string named_anywhere(const std::string& platform) {
  std::error_code none;
  return std::filesystem::exists(platform, none) ? std::filesystem::absolute(platform).string()
                                                 : platform;
}

bool is_asked_to_plan(const Experiment& experiment) {
  return std::ranges::find(experiment.methods, planned_method) != experiment.methods.end();
}

/// Under caps the model alone plans, which knows what nodes draw at their peak.
bool repeats_to_plan(const Experiment& experiment) {
  return is_asked_to_plan(experiment) && experiment.power_caps.none();
}

/// The unscaled run as a file of `record`.
std::string recording_of(const Experiment& experiment, const Workspace& workspace) {
  if (!experiment.replayed.empty())
    return experiment.replayed;
  return experiment.record_to.empty() ? workspace.path("unscaled.hmr") : experiment.record_to;
}

/// The unscaled run of live timing records what it computed; every other run gets the same.
/// `name`: of its files.
Task make_task(const std::string& run, const std::string& name, const Experiment& experiment,
               const Workspace& workspace) {
  const auto* const governor = govern::governor_named(run);
  const std::string method(governor == nullptr ? run : governor->method);
  const bool repeats = !experiment.replayed.empty(); // and brings its computation with it
  const bool unscaled = run == "none";
  const std::string recorded = repeats ? "" : workspace.path("computation.txt");
  const bool records = unscaled && experiment.computation_file.empty();
  const bool records_calls =
      unscaled && !repeats && (!experiment.record_to.empty() || repeats_to_plan(experiment));
  return {
      .method = run,
      .output = workspace.path(name + ".out"),
      .settings = {.method = method,
                   .objective = experiment.objective,
                   .time_model = experiment.time_model,
                   .result_file = workspace.path(run_report_of(name)),
                   .status_file = workspace.path(name + ".status"),
                   .recording_file = records ? "" : recorded,
                   .record_to = records ? recorded : "",
                   .timeline_file = unscaled || !experiment.report_folder.empty()
                                        ? workspace.path(timeline_of(name))
                                        : "",
                   .run_file = records_calls ? recording_of(experiment, workspace) : "",
                   .program = unscaled ? fmt::format("{}", fmt::join(experiment.program, " ")) : "",
                   .computes_itself = repeats,
                   .governor = governor == nullptr ? "" : run,
                   .gear_change = experiment.gear_change,
                   .platform = unscaled ? named_anywhere(experiment.platform) : "",
                   .apply = experiment.apply,
                   .equal_shares = experiment.equal_shares,
                   .full_sensitivity = experiment.full_sensitivity,
                   .max_slowdown = experiment.max_slowdown,
                   .sensitivities = experiment.sensitivities,
                   .power_caps = keeps_caps(method) ? experiment.power_caps : io::PowerCaps{},
                   .confidence = experiment.confidence,
                   .think = experiment.think,
                   .reference_speed = std::nullopt}};
}

/// The unscaled run first, then those of the methods, then those in gears that were given.
std::vector<Task> make_tasks(const Experiment& experiment, const Placement& placement,
                             const Workspace& workspace) {
  std::vector<Task> tasks{make_task("none", "none", experiment, workspace)};
  for (const std::string& method : experiment.methods)
    if (method != "none")
      tasks.push_back(make_task(method, method, experiment, workspace));
  for (std::size_t i = 0; i < experiment.gears.size(); ++i) {
    const auto gears = gears_of_nodes(experiment.gears[i], placement.nodes);
    Task& task = tasks.emplace_back(make_task(
        "gears:" + io::print_gears(gears), fmt::format("gears-{}", i + 1), experiment, workspace));
    task.settings.method = "fixed";
    task.settings.gears = gears;
  }
  return tasks;
}

/// Checks the recording that was given, and puts it where that of an unscaled run would be.
void take_computation_file(const Experiment& experiment, std::size_t ranks,
                           const Workspace& workspace) {
  const std::string text = io::read_text_file(experiment.computation_file);
  const auto recording = io::parse_recording(text, experiment.computation_file);
  if (recording.ranks.size() != ranks)
    throw Error(ErrorKind::config,
                fmt::format("{} is of a run with {} ranks, but {} are asked for",
                            experiment.computation_file, recording.ranks.size(), ranks),
                fmt::format("-n {}", recording.ranks.size()));
  io::write_text_file(workspace.path("computation.txt"), text);
}

/// Returns what stands for the hybrid model where all nodes are in one cluster; else empty. Throws
/// Error{config} where the platform names no clusters.
std::string check_clusters(const std::string& time_model, const Placement& placement) {
  if (runtime::time_model_named(time_model) != runtime::TimeModelKind::hybrid)
    return "";
  std::set<std::string> sites;
  for (const PlacedNode& node : placement.nodes)
    sites.insert(node.site);
  if (sites.contains(""))
    throw Error(ErrorKind::config,
                fmt::format("--time-model hybrid: the platform {} does not say at which site its "
                            "nodes are",
                            placement.platform_name),
                "a platform whose types have a 'site'; --time-model cluster, where all nodes wait "
                "for each other; or async, where none does");
  if (sites.size() > 1)
    return "";
  return "All nodes with ranks are at one site, so the cluster model chooses in place of the "
         "hybrid one.";
}

/// SMPI loads a copy of the program per rank.
void check_space(const Experiment& experiment, std::size_t tasks, std::size_t ranks,
                 const Workspace& workspace) {
  if (!experiment.replayed.empty())
    return;
  const std::size_t others = tasks - 1; // the unscaled run is over when they begin
  const std::size_t at_a_time = std::clamp<std::size_t>(others, 1, experiment.jobs);
  workspace.check_space(at_a_time * ranks * std::filesystem::file_size(experiment.program[0]),
                        "a copy of the program for every rank");
}

Simulation describe(const Experiment& experiment, const Placement& placement,
                    const Workspace& workspace) {
  Simulation simulation;
  simulation.platform = placement.platform_name;
  simulation.switch_power = placement.switch_power;
  simulation.idle_nodes = placement.idle_nodes;
  simulation.objective = experiment.objective;
  simulation.max_slowdown = experiment.max_slowdown;
  simulation.power_caps = experiment.power_caps;
  simulation.ranks = placement.ranks;
  simulation.waiting = experiment.waiting;
  simulation.gear_change = experiment.gear_change.value_or(Seconds{});
  simulation.program = experiment.program;
  simulation.reference_speed = experiment.reference_speed;
  if (!experiment.replayed.empty())
    return simulation;
  if (!experiment.computation_file.empty()) {
    take_computation_file(experiment, placement.ranks, workspace);
  } else if (!experiment.reference_speed) {
    simulation.reference_speed = measure_reference_speed(placement);
    simulation.reference_speed_was_measured = true;
  }
  return simulation;
}

/// Throws Error{model} where other gears would change who does what.
void check_assignment(const model::Timeline& timeline) {
  for (std::size_t rank = 0; rank < timeline.ranks.size(); ++rank)
    if (model::dependency::assigns_work(timeline.ranks[rank]))
      throw Error(ErrorKind::model,
                  fmt::format("rank {} gives work to whoever asks for it, so that with other gears "
                              "others would do it",
                              rank));
}

/// Throws Error{model} where which messages an iteration uses is said to depend on timing.
void check_coupling(const std::string& time_model) {
  const auto model = runtime::time_model_named(time_model);
  if (model && runtime::is_uncoupled(*model))
    throw Error(ErrorKind::model,
                "nodes or clusters do not wait for each other, so that with other gears they would "
                "use other messages");
}

/// What the dependency model knows of the unscaled run.
struct Knowledge {
  std::optional<Forecast> forecast; ///< none: it cannot follow the run
  bool assigns_work = false;        ///< because other gears would change who does what
};

Knowledge make_forecast(const Workspace& workspace, const std::string& time_model,
                        Simulation& simulation) {
  const std::string file = workspace.path(timeline_name);
  Knowledge known;
  try {
    const auto timeline = io::parse_timeline(io::read_text_file(file), timeline_name);
    known.assigns_work = std::ranges::any_of(timeline.ranks, model::dependency::assigns_work);
    check_assignment(timeline);
    check_coupling(time_model);
    known.forecast.emplace(simulation.runs.front().report, timeline);
    simulation.protocol = known.forecast->protocol();
  } catch (const Error& error) {
    simulation.no_forecast = error.what();
  }
  return known;
}

/// What the two models expect of every run whose gears were changed.
void expect_all(const std::optional<Forecast>& forecast, Simulation& simulation) {
  const SimulatedRun& unscaled = simulation.runs.front();
  for (SimulatedRun& run : simulation.runs) {
    if (const auto* const governor = govern::governor_named(run.method);
        governor != nullptr && governor->method == "none")
      continue; // no model knows what it does
    if (runtime::is_uncoupled(run.report))
      continue; // nobody knows how many iterations the program needs in other gears
    run.expected = run.report.decisions.empty()
                       ? expect_of_fixed_gears(run.report, unscaled.report)
                       : expect(run.report, unscaled.time, unscaled.energy);
    if (forecast && std::ranges::any_of(run.report.ranks, [](const auto& rank) {
          return !rank.changes.empty() || rank.gear != 0;
        }))
      run.forecast = forecast->of(run.report);
  }
}

WholeRunPlan plan_of_gear0(const SimulatedRun& unscaled) {
  return {.gears = std::vector<model::Gear>(runtime::nodes_of(unscaled.report.ranks).size(), 0),
          .expected = {unscaled.time, unscaled.energy},
          .baseline = {unscaled.time, unscaled.energy}};
}

constexpr Seconds asked_search{1};
/// What a plan may take that nobody asked for, but which shows what else there is to save...
constexpr Seconds search_beside{0.2};
/// ...unless the run has more steps than this.
constexpr std::size_t most_steps_beside = 500'000;

bool is_cheap(const Forecast& forecast) {
  return forecast.predictor().dependencies().step_count() <= most_steps_beside;
}

/// Where a simulation takes place.
struct Place {
  const Installation& installation;
  const Placement& placement;
  const Workspace& workspace;
  const Listener& listener;
};

/// On the gears that the model finds best, as far as the run can be repeated.
WholeRunPlan plan_as_asked(const Experiment& experiment, const Place& place,
                           const Forecast& forecast, const SimulatedRun& unscaled) {
  const auto request = request_of(experiment);
  std::string why_not = "caps on power are kept by the model";
  if (repeats_to_plan(experiment)) {
    ReplayedGears replayed(experiment, recording_of(experiment, place.workspace),
                           place.installation, place.placement, place.workspace, place.listener);
    if (replayed.why_not().empty())
      return plan_by_repetition(forecast, {unscaled.time, unscaled.energy}, request, asked_search,
                                [&](auto gears) { return replayed.run(gears); });
    why_not = replayed.why_not();
  }
  WholeRunPlan plan = plan_whole_run(forecast, request, asked_search);
  plan.not_repeated = why_not;
  return plan;
}

std::optional<WholeRunPlan> make_plan(const Experiment& experiment, const Place& place,
                                      const Knowledge& known, const SimulatedRun& unscaled) {
  if (is_asked_to_plan(experiment)) {
    if (known.forecast)
      return plan_as_asked(experiment, place, *known.forecast, unscaled);
    return known.assigns_work ? plan_of_gear0(unscaled)
                              : plan_by_totals(unscaled.report, request_of(experiment));
  }
  if (known.forecast && !experiment.methods.empty() && !experiment.fewer_steps &&
      is_cheap(*known.forecast))
    return plan_whole_run(*known.forecast, request_of(experiment), search_beside);
  return std::nullopt;
}

/// The unscaled run, then the others; those by `planned` in the gears of the plan.
void run_all(const Experiment& experiment, const Place& place, std::vector<Task>& tasks,
             Simulation& simulation) {
  const Runner runner(experiment, place.installation, place.placement, place.workspace,
                      place.listener);
  const std::span<Task> all(tasks);
  simulation.runs = runner.run(all.first(1));
  const Knowledge known = make_forecast(place.workspace, experiment.time_model, simulation);
  simulation.planned = make_plan(experiment, place, known, simulation.runs.front());
  for (Task& task : tasks)
    if (task.method == planned_method) {
      task.settings.method = "fixed";
      task.settings.gears = simulation.planned->gears;
    }
  for (SimulatedRun& run : runner.run(all.subspan(1)))
    simulation.runs.push_back(std::move(run));
  expect_all(known.forecast, simulation);
}

/// Returns why not everything could be kept; empty if it could.
std::string keep(const Experiment& experiment, const Workspace& workspace) {
  if (experiment.report_folder.empty())
    return "";
  try {
    workspace.keep_in(experiment.report_folder);
  } catch (const Error& error) { // which is no reason to lose the results
    return error.what();
  }
  return "";
}

} // namespace

std::string shown(const std::string& method) { return method == "none" ? "unscaled" : method; }

Comparison compare(const SimulatedRun& run, const SimulatedRun& unscaled) {
  const double energy = run.energy / unscaled.energy;
  const double time = run.time / unscaled.time;
  return {.saving = 1 - energy, .slowdown = time - 1, .distance = 1 / time - energy};
}

namespace {

Simulation run_once(const Experiment& asked, const Installation& installation,
                    const Listener& listener) {
  if (asked.uncontended) // leaves nothing behind, whenever it is interrupted
    return run_uncontended(asked, installation, listener);
  std::optional<application::ModelRun> model; // likewise
  if (!asked.model.empty())
    model = checked_model_of(asked, installation, listener);
  const Interruption interruption;
  const Workspace workspace;
  std::optional<Repetition> repetition;
  std::optional<ModelSummary> summary;
  if (model) {
    summary = summary_of(*model, asked.model);
    repetition = repetition_of_model(asked, std::move(*model), installation, workspace);
  } else if (!asked.replayed.empty()) {
    repetition = repetition_of(asked, installation);
  }
  const Experiment& experiment = repetition ? repetition->experiment : asked;
  check_program(experiment.program[0]);
  if (!experiment.report_folder.empty())
    make_folder(experiment.report_folder);
  const Placement placement = make_placement(experiment, installation, workspace);
  std::vector<Task> tasks = make_tasks(experiment, placement, workspace);
  check_space(experiment, tasks.size(), placement.ranks, workspace);
  const std::string one_cluster = check_clusters(experiment.time_model, placement);
  Simulation simulation = describe(experiment, placement, workspace);
  if (repetition) {
    simulation.program = {repetition->program};
    simulation.replayed = asked.replayed;
    simulation.remarks = repetition->remarks;
    simulation.model = std::move(summary);
  }
  if (!one_cluster.empty())
    simulation.remarks.push_back(one_cluster);
  for (Task& task : tasks)
    task.settings.reference_speed = simulation.reference_speed;
  try {
    run_all(experiment, {installation, placement, workspace, listener}, tasks, simulation);
  } catch (const ProgramFailed&) {
    keep(experiment, workspace);
    throw;
  }
  simulation.not_kept = keep(experiment, workspace);
  return simulation;
}

} // namespace

Simulation run(const Experiment& experiment, const Installation& installation,
               const Listener& listener) {
  Simulation simulation = run_once(experiment, installation, listener);
  if (!experiment.sensitivities.none())
    simulation.remarks.push_back(fmt::format("How much computation reacts to gears was given: {}",
                                             io::print_sensitivities(experiment.sensitivities)));
  extrapolate(simulation, experiment, listener,
              [&](const Experiment& shorter) { return run_once(shorter, installation, listener); });
  return simulation;
}

} // namespace hypermile::simulate
