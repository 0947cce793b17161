#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/problem_options.hpp"
#include "cli/select_options.hpp"
#include "cli/select_run.hpp"
#include "cli/select_text.hpp"

#ifdef HYPERMILE_SIMGRID
#include "cli/simulated_run.hpp"
#endif

#include "io/plan_json.hpp"
#include "io/platform_yaml.hpp"
#include "launch/srun.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <memory>

namespace hypermile::cli {
namespace {

/// The least of a few runs, so that the first one's page faults do not count; long runs once.
double time_of(select::Selector& selector, const model::Problem& problem,
               const select::Request& request) {
  using Clock = std::chrono::steady_clock;
  double least = 0;
  for (int run = 0; run < 5 && (run == 0 || least < 2000); ++run) {
    const auto start = Clock::now();
    selector.choose(problem, request);
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    least = run == 0 ? us : std::min(least, us);
  }
  return least;
}

std::vector<TimedPlan> choose_all(const SelectOptions& options, const model::Problem& problem) {
  std::vector<TimedPlan> plans;
  for (const select::Method method : options.methods) {
    select::Selector selector;
    select::Request request = options.request;
    request.method = method;
    const double microseconds = time_of(selector, problem, request);
    request.certify = true;
    plans.push_back({selector.choose(problem, request), microseconds});
  }
  return plans;
}

void print_plans(const SelectOptions& options, const model::Problem& problem,
                 const std::vector<TimedPlan>& plans) {
  if (!options.json) {
    print_result(plans_as_text(problem, plans));
    return;
  }
  auto list = nlohmann::ordered_json::array();
  for (const TimedPlan& timed : plans) {
    list.push_back(io::plan_to_json(problem, timed.plan, timed.microseconds));
    list.back()["request"] = io::request_to_json(options.source, options.request);
  }
  print_result((options.compare ? list : list[0]).dump(1) + "\n");
}

/// A problem knows how fast its gears are, and not what they are.
void refuse_power_limits(const io::ProblemSource& source) {
  if (source.platform.empty())
    return;
  const std::string file = io::find_platform(source.platform, platform_folder());
  const auto platform =
      io::load_platform(file, {.platform_folder = platform_folder(), .swaps = {}});
  for (const auto& group : platform.groups)
    if (!group.type.power_limits.empty())
      throw Error(ErrorKind::unsupported,
                  fmt::format("the gears of type '{}' are power limits, which srun does not set",
                              group.type.name),
                  "hypermile run, which sets them");
}

void print_srun(const SelectOptions& options, const model::Problem& problem,
                const std::vector<TimedPlan>& plans) {
  refuse_power_limits(options.source);
  const select::Plan& plan = plans.front().plan;
  std::vector<launch::SrunRank> ranks;
  for (std::size_t node = 0; node < problem.node_count(); ++node) {
    const std::size_t unit = node / problem.nodes_per_unit();
    const std::string kind = fmt::format("cluster {} of the problem", problem.cluster(unit));
    const Hertz frequency = problem.gears(unit).frequency(plan.gears[unit]);
    ranks.insert(ranks.end(), options.tasks_per_node,
                 {.node = node, .kind = kind, .frequency = frequency});
  }
  print_result(launch::srun_command(ranks, options.program));
  if (const std::string broken = violations_text(plans); !broken.empty())
    print_remark(broken.substr(0, broken.find_last_not_of('\n') + 1));
}

void print_front(const SelectOptions& options, const model::Problem& problem) {
  const select::Front front = select::Selector().front(problem);
  print_result(options.json ? io::front_to_json(problem, front).dump(1) + "\n"
                            : front_as_text(problem, front));
}

bool solve(const SelectOptions& options) {
  const model::Problem problem = load_problem(options.source);
  if (options.pareto) {
    print_front(options, problem);
    return true;
  }
  const std::vector<TimedPlan> plans = choose_all(options, problem);
  if (options.print_srun)
    print_srun(options, problem, plans);
  else
    print_plans(options, problem, plans);
  return std::ranges::any_of(plans, [](const TimedPlan& timed) { return timed.plan.feasible(); });
}

int run(const SelectOptions& options) {
  const auto code_of = [](bool keeps_bounds) {
    return static_cast<int>(keeps_bounds ? ExitCode::success : ExitCode::infeasible);
  };
#ifdef HYPERMILE_SIMGRID
  if (options.run.named())
    return run_simulated([&] { return code_of(select_for_run(options)); });
#endif
  return code_of(solve(options));
}

} // namespace

void add_select_command(CLI::App& root, int& exit_code) {
  auto options = std::make_shared<SelectOptions>();
  CLI::App* command = root.add_subcommand("select", "Choose a gear for every node of a problem");
  command->group("Commands");
  add_select_options(*command, *options);
  command->callback([command, options, &exit_code] {
    check_select_options(*command, *options);
    exit_code = run(*options);
  });
}

} // namespace hypermile::cli
