// Gears for a model of a program, or for a recorded run, by who waits for whom.
#include "cli/select_run.hpp"

#include "cli/output.hpp"
#include "cli/select_text.hpp"
#include "cli/simulated_run.hpp"

#include "io/plan_json.hpp"
#include "launch/srun.hpp"
#include "report/extrapolation.hpp"
#include "report/loop_text.hpp"
#include "report/simulation_text.hpp"
#include "runtime/decide/node_problem.hpp"
#include "simulate/forecast.hpp"
#include "simulate/report_folder.hpp"
#include "simulate/whole_run_plan.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>

namespace hypermile::cli {
namespace {

constexpr Seconds longest_run_search{10};

struct RunChoice {
  TimedPlan plan;
  model::Baseline baseline;               ///< in gear 0
  std::vector<runtime::RankReport> ranks; ///< in the plan's gears
};

RunChoice choose_gears(const SimulatedRun& run, const select::Request& request) {
  using Clock = std::chrono::steady_clock;
  const simulate::ReportFolder folder(run.folder());
  const runtime::RunReport& unscaled = run.simulation().runs.front().report;
  const simulate::Forecast forecast(unscaled, folder.timeline());
  const auto start = Clock::now();
  const auto chosen = simulate::choose_whole_run(forecast, request, longest_run_search);
  const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  RunChoice choice{.plan = {chosen.plan, us},
                   .baseline = forecast.predictor().baseline(),
                   .ranks = unscaled.ranks};
  const auto nodes = runtime::nodes_of(unscaled.ranks);
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (const std::uint32_t rank : nodes[n].ranks)
      choice.ranks[rank].gear = chosen.plan.gears[n];
  return choice;
}

std::string choice_text(const RunChoice& choice, const simulate::Simulation& simulation) {
  std::string text = report::run_text(simulation);
  text += report::part_text(simulation);
  text += fmt::format("Dependency model, {} nodes; the run in gear 0: {:.6g} s, {:.6g} J\n\n",
                      choice.plan.plan.gears.size(), choice.baseline.time.value(),
                      choice.baseline.energy.value());
  text += plans_table({choice.plan});
  text += "\nGears (nodes x setting)\n" + report::gears_text(choice.ranks);
  const std::string violations = violations_text({choice.plan});
  return violations.empty() ? text : text + '\n' + violations;
}

std::string choice_json(const RunChoice& choice, const SelectOptions& options,
                        const simulate::Simulation& simulation) {
  std::vector<std::optional<Hertz>> frequencies;
  for (const auto& node : runtime::nodes_of(choice.ranks)) {
    const runtime::RankReport& rank = choice.ranks[node.ranks.front()];
    frequencies.push_back(node.type.frequencies_known
                              ? std::optional(node.type.gears.frequency(rank.gear))
                              : std::nullopt);
  }
  auto json = io::run_plan_to_json(choice.plan.plan, frequencies, choice.plan.microseconds);
  io::ProblemSource source;
  source.platform = simulation.platform;
  json["request"] = io::request_to_json(source, options.request);
  json["run"] = {{"program", simulation.program},
                 {"ranks", simulation.ranks},
                 {"uncontended", simulation.uncontended},
                 {"extrapolated", report::extrapolation_json(simulation.model)}};
  return (options.compare ? nlohmann::ordered_json::array({json}) : json).dump(1) + "\n";
}

std::string choice_srun(const RunChoice& choice, const SelectOptions& options) {
  std::vector<launch::SrunRank> ranks(choice.ranks.size());
  const auto nodes = runtime::nodes_of(choice.ranks);
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (const std::uint32_t r : nodes[n].ranks) {
      const model::NodeType& type = choice.ranks[r].node.type;
      ranks[r] = {.node = n, .kind = "type " + type.name};
      if (type.frequencies_known)
        ranks[r].frequency = type.gears.frequency(choice.ranks[r].gear);
    }
  return launch::srun_command(ranks, options.program);
}

void check_run_methods(const SelectOptions& options) {
  if (options.pareto)
    throw Error(ErrorKind::unsupported, "there is no Pareto front of a run",
                "--objective with --max-slowdown or --energy-budget");
  if (options.methods != std::vector{select::Method::exact})
    throw Error(ErrorKind::unsupported,
                "only 'exact' knows who waits for whom, so only it chooses gears for a run",
                "without --method and --compare");
}

} // namespace

bool select_for_run(const SelectOptions& options) {
  check_run_methods(options);
  simulate::Experiment experiment = options.run.experiment;
  experiment.methods = {};
  const SimulatedRun run(experiment, options.run.quiet);
  select::Request request = options.request;
  request.method = select::Method::exact;
  const RunChoice choice = choose_gears(run, request);
  print_result(options.print_srun ? choice_srun(choice, options)
               : options.json     ? choice_json(choice, options, run.simulation())
                                  : choice_text(choice, run.simulation()));
  return choice.plan.plan.feasible();
}

} // namespace hypermile::cli
