#include "simulate/experiment.hpp"

#include "simulate/failure.hpp"
#include "simulate/forecast.hpp"
#include "simulate/placement.hpp"
#include "simulate/process.hpp"
#include "simulate/reference_speed.hpp"
#include "simulate/report_folder.hpp"
#include "simulate/whole_run_plan.hpp"
#include "simulate/workspace.hpp"

#include "io/recording_text.hpp"
#include "io/text_file.hpp"
#include "io/timeline_text.hpp"
#include "model/dependency/assignment.hpp"
#include "runtime/decide/node_problem.hpp"
#include "runtime/settings.hpp"
#include "runtime/status.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <span>

namespace hypermile::simulate {
namespace {

/// A run to be made.
struct Task {
  std::string method; ///< as in SimulatedRun
  std::string output; ///< file for what the program prints
  runtime::Settings settings;
};

/// One simulation under way.
class Job {
public:
  Job(const Experiment& experiment, const Installation& installation, const Placement& placement,
      const Workspace& workspace, const Task& task)
      : method_(task.method), settings_(task.settings), output_(task.output),
        status_(runtime::StatusFile::create(settings_.status_file, placement.ranks)),
        process_(command(experiment, installation, placement, workspace)) {}

  /// None: it still runs. Throws Error where it failed.
  std::optional<SimulatedRun> poll() {
    const auto end = process_.wait(Seconds{});
    if (!end)
      return std::nullopt;
    return result(*end);
  }

  [[nodiscard]] std::string progress() const {
    std::uint64_t iterations = 0;
    double time_s = 0;
    for (std::size_t rank = 0; rank < status_.ranks(); ++rank) {
      iterations = std::max(iterations, status_.rank(rank).iterations.load());
      time_s = std::max(time_s, status_.rank(rank).time_s.load());
    }
    return fmt::format("{}: {:.2f} s simulated, iteration {}", shown(method_), time_s, iterations);
  }

private:
  Process::Command command(const Experiment& experiment, const Installation& installation,
                           const Placement& placement, const Workspace& workspace) const {
    Process::Command command{.arguments = {installation.smpimain, experiment.program[0]},
                             .environment = runtime::to_environment(settings_),
                             .output = output_};
    for (const std::string& option : simgrid_options(placement, workspace.folder()))
      command.arguments.push_back(option);
    for (const std::string& option : experiment.simgrid_options)
      command.arguments.push_back("--cfg=" + option);
    command.arguments.push_back("--"); // from here on SimGrid takes no argument for its own
    command.arguments.push_back(placement.platform_file);
    command.arguments.insert(command.arguments.end(), experiment.program.begin() + 1,
                             experiment.program.end());
    command.environment.emplace_back("LD_PRELOAD", installation.interposer);
    command.environment.emplace_back("SMPI_GLOBAL_SIZE", std::to_string(placement.ranks));
    return command;
  }

  SimulatedRun result(const Process::End& end) const {
    if (end.exit_code != 0 || !std::filesystem::exists(settings_.result_file))
      throw explain_failure(shown(method_), end, status_, output_);
    SimulatedRun run{.method = method_,
                     .time = {},
                     .energy = {},
                     .report = runtime::parse_run(io::read_text_file(settings_.result_file)),
                     .expected = std::nullopt,
                     .forecast = std::nullopt,
                     .exit_code = end.exit_code,
                     .output = io::read_text_file(output_)};
    check_divergences(run.report);
    std::vector<std::string> counted;
    for (const auto& rank : run.report.ranks) {
      run.time = std::max(run.time, rank.time);
      if (std::ranges::find(counted, rank.node.name) == counted.end())
        run.energy += rank.energy.value_or(Joules{});
      counted.push_back(rank.node.name);
    }
    return run;
  }

  /// A few calls may differ where a program's course depends on timing.
  void check_divergences(const runtime::RunReport& report) const {
    std::size_t divergences = 0;
    std::size_t calls = 0;
    for (const auto& rank : report.ranks) {
      divergences += rank.divergences;
      calls += rank.calls + 1; // MPI_Finalize
    }
    if (10 * divergences > calls)
      throw Error(ErrorKind::config,
                  fmt::format("{}: {} of {} MPI calls are not in the recorded computation",
                              shown(method_), divergences, calls),
                  "the recording of the same program with the same arguments");
  }

  std::string method_;
  runtime::Settings settings_;
  std::string output_;
  runtime::StatusFile status_;
  Process process_;
};

/// Runs simulations, a few at a time.
class Runner {
public:
  Runner(const Experiment& experiment, const Installation& installation, const Placement& placement,
         const Workspace& workspace, const Progress& progress)
      : experiment_(experiment), installation_(installation), placement_(placement),
        workspace_(workspace), progress_(progress) {}

  std::vector<SimulatedRun> run(std::span<const Task> all) {
    std::vector<std::optional<SimulatedRun>> done(all.size());
    std::size_t next = 0;
    std::size_t finished = 0;
    Jobs jobs;
    while (finished < all.size()) {
      for (; jobs.size() < experiment_.jobs && next < all.size(); ++next) {
        if (all.size() <= experiment_.jobs) // of many, a line for each that is done is enough
          progress_.step(fmt::format("{}: simulating", shown(all[next].method)));
        jobs.emplace_back(next, std::make_unique<Job>(experiment_, installation_, placement_,
                                                      workspace_, all[next]));
      }
      Process::wait_for_any(Seconds{0.1});
      for (auto& [index, job] : jobs)
        if ((done[index] = job->poll()))
          tell(*done[index], ++finished, all.size());
      Interruption::check();
      std::erase_if(jobs, [&](const auto& job) { return done[job.first].has_value(); });
      show(jobs, finished, all.size());
    }
    std::vector<SimulatedRun> runs;
    for (auto& run : done)
      runs.push_back(std::move(*run));
    return runs;
  }

private:
  using Jobs = std::vector<std::pair<std::size_t, std::unique_ptr<Job>>>;

  /// "3 of 20: " where there are several.
  static std::string count(std::size_t finished, std::size_t all) {
    return all == 1 ? "" : fmt::format("{} of {}: ", finished, all);
  }

  void tell(const SimulatedRun& run, std::size_t finished, std::size_t all) const {
    progress_.step(fmt::format("{}{}: {:.2f} s and {:.1f} J in the simulation",
                               count(finished, all), shown(run.method), run.time.value(),
                               run.energy.value()));
  }

  void show(const Jobs& jobs, std::size_t finished, std::size_t all) const {
    std::string line;
    for (const auto& [index, job] : jobs)
      line += (line.empty() ? count(finished, all) : " | ") + job->progress();
    progress_.status(line);
  }

  const Experiment& experiment_;
  const Installation& installation_;
  const Placement& placement_;
  const Workspace& workspace_;
  const Progress& progress_;
};

/// The unscaled run of live timing records what it computed; every other run gets the same.
/// `name`: of its files.
Task make_task(const std::string& method, const std::string& name, const Experiment& experiment,
               const Workspace& workspace) {
  const std::string recorded = workspace.path("computation.txt");
  const bool records = method == "none" && experiment.computation_file.empty();
  return {.method = method,
          .output = workspace.path(name + ".out"),
          .settings = {.method = method,
                       .objective = experiment.objective,
                       .time_model = experiment.time_model,
                       .result_file = workspace.path(run_report_of(name)),
                       .status_file = workspace.path(name + ".status"),
                       .recording_file = records ? "" : recorded,
                       .record_to = records ? recorded : "",
                       .timeline_file = method == "none" ? workspace.path(timeline_name) : "",
                       .network_file = method == "none" ? workspace.path(network_name) : "",
                       .max_slowdown = experiment.max_slowdown,
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

/// SMPI loads a copy of the program per rank.
void check_space(const Experiment& experiment, std::size_t tasks, std::size_t ranks,
                 const Workspace& workspace) {
  const std::size_t others = tasks - 1; // the unscaled run is over when they begin
  const std::size_t at_a_time = std::clamp<std::size_t>(others, 1, experiment.jobs);
  workspace.check_space(at_a_time * ranks * std::filesystem::file_size(experiment.program[0]),
                        "a copy of the program for every rank");
}

Simulation describe(const Experiment& experiment, const Placement& placement,
                    const Workspace& workspace) {
  Simulation simulation;
  simulation.platform = placement.platform_name;
  simulation.objective = experiment.objective;
  simulation.max_slowdown = experiment.max_slowdown;
  simulation.ranks = placement.ranks;
  simulation.program = experiment.program;
  simulation.reference_speed = experiment.reference_speed;
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

/// What the dependency model knows of the unscaled run.
struct Knowledge {
  std::optional<Forecast> forecast; ///< none: it cannot follow the run
  bool assigns_work = false;        ///< because other gears would change who does what
};

Knowledge make_forecast(const Workspace& workspace, Simulation& simulation) {
  const std::string file = workspace.path(timeline_name);
  Knowledge known;
  try {
    const auto timeline = io::parse_timeline(io::read_text_file(file), timeline_name);
    known.assigns_work = std::ranges::any_of(timeline.ranks, model::dependency::assigns_work);
    check_assignment(timeline);
    known.forecast.emplace(
        simulation.runs.front().report, timeline,
        io::parse_network(io::read_text_file(workspace.path(network_name)), network_name));
    simulation.protocol = known.forecast->protocol();
    simulation.network = known.forecast->network();
  } catch (const Error& error) {
    simulation.no_forecast = error.what();
  }
  return known;
}

/// What the two models expect of every run whose gears were changed.
void expect_all(const std::optional<Forecast>& forecast, Simulation& simulation) {
  const SimulatedRun& unscaled = simulation.runs.front();
  for (SimulatedRun& run : simulation.runs) {
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

/// What a plan may take that nobody asked for, but which shows what else there is to save.
constexpr PlanningLimits beside{.search = Seconds{0.2}, .local_search = Seconds{0}};
/// With more steps than this, or messages that share the network, not even that will do.
constexpr std::size_t most_steps_beside = 500'000;
constexpr std::size_t most_messages_beside = 100'000;

bool is_cheap(const Forecast& forecast) {
  return forecast.predictor().dependencies().step_count() <= most_steps_beside &&
         (!forecast.shares_network() || forecast.shared_messages() <= most_messages_beside);
}

std::optional<WholeRunPlan> make_plan(const Experiment& experiment, const Knowledge& known,
                                      const SimulatedRun& unscaled) {
  select::Request request;
  request.objective =
      select::objective_named(experiment.objective).value_or(select::Objective::maxdist);
  request.constraints.max_slowdown = experiment.max_slowdown;
  const bool asked =
      std::ranges::find(experiment.methods, planned_method) != experiment.methods.end();
  if (asked && !known.forecast)
    return known.assigns_work ? plan_of_gear0(unscaled) : plan_by_totals(unscaled.report, request);
  if (asked)
    return plan_whole_run(*known.forecast, request, {});
  if (known.forecast && !experiment.methods.empty() && is_cheap(*known.forecast))
    return plan_whole_run(*known.forecast, request, beside);
  return std::nullopt;
}

/// The unscaled run, then the others; those by `planned` in the gears of the plan.
void run_all(const Experiment& experiment, const Workspace& workspace, std::vector<Task>& tasks,
             Runner& runner, Simulation& simulation) {
  const std::span<Task> all(tasks);
  simulation.runs = runner.run(all.first(1));
  const Knowledge known = make_forecast(workspace, simulation);
  simulation.planned = make_plan(experiment, known, simulation.runs.front());
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

Simulation run(const Experiment& experiment, const Installation& installation,
               const Progress& progress) {
  const Interruption interruption;
  check_program(experiment.program[0]);
  if (!experiment.report_folder.empty())
    make_folder(experiment.report_folder);
  const Workspace workspace;
  const Placement placement = make_placement(experiment, installation, workspace);
  std::vector<Task> tasks = make_tasks(experiment, placement, workspace);
  check_space(experiment, tasks.size(), placement.ranks, workspace);
  Simulation simulation = describe(experiment, placement, workspace);
  for (Task& task : tasks)
    task.settings.reference_speed = simulation.reference_speed;
  Runner runner(experiment, installation, placement, workspace, progress);
  try {
    run_all(experiment, workspace, tasks, runner, simulation);
  } catch (const ProgramFailed&) {
    keep(experiment, workspace);
    throw;
  }
  simulation.not_kept = keep(experiment, workspace);
  return simulation;
}

} // namespace hypermile::simulate
