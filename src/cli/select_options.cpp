#include "cli/select_options.hpp"

#include "cli/checks.hpp"
#include "cli/help.hpp"
#include "cli/problem_options.hpp"
#include "cli/read_option.hpp"

#include "io/plan_json.hpp"
#include "io/power_cap.hpp"
#include "io/request_words.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* select_usage =
    "hypermile select PROBLEM.json [OPTIONS]\n"
    "       hypermile select --platform PLATFORM --workload FILE [OPTIONS]\n"
    "       hypermile select --model MODEL --platform PLATFORM -n N [OPTIONS]\n"
    "       hypermile select RUN.hmr [--platform PLATFORM] [OPTIONS]";

constexpr const char* select_footer =
    R"(Times are in s, energies in J, powers in W, all for one iteration of a program
whose iterations are alike. PROBLEM.json may be - for standard input.

A model of a program (docs/models.md) or a recorded run (docs/replay.md) is
simulated in gear 0. Gears are chosen for the whole run then, by who waits for
whom in it.

Methods:
{methods}

Objectives:
{objectives}

Examples:
  The best gears, and how far below them the papers' algorithms stay:
    hypermile select PROBLEM.json
    hypermile select PROBLEM.json --compare exact,alg5,alg5-literal,slack

  Least energy for at most 5 % more time; least time under a cap:
    hypermile select PROBLEM.json --objective energy --max-slowdown 5%
    hypermile select PROBLEM.json --objective time --power-cap 2kW

  Gears and powers of a platform, times measured elsewhere, as JSON:
    hypermile select --platform table-3.1 --workload W.yaml --json

  For a program that does not exist yet; for a run that was recorded:
    hypermile select --model stencil --platform table-3.1 -n 64
    hypermile select app.hmr --objective energy --max-slowdown 5%

  Under Slurm, in the gears of the plan, without any permission:
    hypermile select PROBLEM.json --print-srun --program "./app input.dat"

  Every trade of time against energy that is worth making:
    some-generator | hypermile select - --pareto

Exit code:
  0             a plan
  1             the input cannot be used
  2             wrong usage
  3             no plan keeps the bounds; the nearest is shown

docs/selection.md describes the models, the schemas and the proofs. [F16] is
A. Fanfakh's thesis, 2016.)";

std::vector<select::Method> read_methods(const std::string& names) {
  std::vector<select::Method> methods;
  for (std::size_t start = 0; start <= names.size();) {
    const std::size_t end = std::min(names.find(',', start), names.size());
    methods.push_back(io::parse_method(names.substr(start, end - start)));
    start = end + 1;
  }
  return methods;
}

void add_choice_options(CLI::App& command, SelectOptions& options) {
  auto* method =
      add_read_option(command, "--method", "METHOD", "How to choose, see below. Default: exact",
                      io::parse_method, [&](select::Method name) { options.methods = {name}; });
  add_read_option(command, "--compare", "METHOD,...",
                  "Several methods side by side in place of --method, e.g. exact,alg5,slack",
                  read_methods,
                  [&](const std::vector<select::Method>& methods) {
                    options.compare = true;
                    options.methods = methods;
                  })
      ->excludes(method);
  add_read_option(command, "--objective", "OBJECTIVE",
                  "What to optimise, see below. Default: maxdist", io::parse_objective,
                  [&](select::Objective name) { options.request.objective = name; });
  add_read_option(command, "--weight", "W",
                  "maxdist only: maximise w*P_norm - (1-w)*E_norm, w from 0 to 1, e.g. 0.3. "
                  "Default: 0.5, up to a factor",
                  io::parse_weight, [&](double weight) { options.request.weight = weight; });
}

void add_bound_options(CLI::App& command, SelectOptions& options) {
  select::Constraints& bounds = options.request.constraints;
  add_read_option(command, "--max-slowdown", "RATIO",
                  "Longest time: T_new <= (1 + RATIO) * T_old, from 0, e.g. 5%. Default: none",
                  parse_slowdown, [&](double ratio) { bounds.max_slowdown = ratio; });
  add_read_option(command, "--energy-budget", "ENERGY",
                  "Most energy of one iteration, e.g. 500J. Default: none", io::parse_energy_budget,
                  [&](Joules energy) { bounds.energy_budget = energy; });
  command
      .add_option_function<std::vector<std::string>>(
          "--power-cap",
          [&](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              const auto [peak, power] = io::parse_power_cap(text);
              (peak ? bounds.peak_power_cap : bounds.average_power_cap) = power;
            }
          },
          "Most average power E/T, e.g. 2kW, or with peak: before it most power while all nodes "
          "compute, e.g. peak:2kW; may be there twice. Default: none")
      ->type_name("[peak:]POWER")
      ->check(understood_by(io::parse_power_cap))
      ->allow_extra_args(false);
}

void add_srun_options(CLI::App& command, SelectOptions& options) {
  auto* const print = command.add_flag(
      "--print-srun", options.print_srun,
      "Print only the srun command of Slurm that runs a program in the gears of the plan, by "
      "--cpu-freq: without permissions of your own");
  print->excludes("--compare")->excludes("--pareto")->excludes("--json");
  command
      .add_option("--program", options.program,
                  "With --print-srun: the program and its arguments. Default: ./app")
      ->type_name("COMMAND")
      ->check(not_empty())
      ->needs(print);
  command
      .add_option("--tasks-per-node", options.tasks_per_node,
                  "With --print-srun, of a problem: ranks on each node. Default: 1")
      ->type_name("N")
      ->check(whole_number(1, 100'000))
      ->needs(print);
}

} // namespace

void add_select_options(CLI::App& command, SelectOptions& options) {
  command.formatter(std::make_shared<HelpFormatter>(select_usage));
  command.footer(with_lists(select_footer));
  command.add_option("PROBLEM.json", options.source.problem, "Problem to solve");
  add_problem_options(command, "PROBLEM.json", options.source);
  add_run_source(command, options.run);
  add_choice_options(command, options);
  add_bound_options(command, options);
  command.add_flag("--pareto", options.pareto,
                   "The whole Pareto front of time against energy in place of a plan");
  command.add_flag("--json", options.json,
                   "Print JSON: hypermile/plan/1 (an array of them with --compare), or "
                   "hypermile/front/1 with --pareto");
  add_srun_options(command, options);
}

void check_select_options(const CLI::App& command, SelectOptions& options) {
  check_run_source(command, options.source.problem, options.source.platform, options.run);
  if (options.run.named()) {
    if (!options.source.workload.empty() || !options.source.energy_model.empty())
      throw CLI::ValidationError("--workload and --energy-model",
                                 "are for problems; a run brings its own times");
  } else {
    if (options.source.problem.empty() && options.source.workload.empty())
      throw CLI::RequiredError("PROBLEM.json, or --platform with --workload,");
    check_platform_of_problem(options.source);
  }
  if (options.print_srun && options.run.named() && command.count("--tasks-per-node") > 0)
    throw CLI::ValidationError("--tasks-per-node", "a run knows where its ranks are; leave it out");
  if (!options.pareto)
    return;
  for (const char* option : {"--method", "--compare", "--objective", "--weight", "--max-slowdown",
                             "--energy-budget", "--power-cap"})
    if (command.count(option) > 0)
      throw CLI::ValidationError("--pareto shows the whole front, whatever the method, objective "
                                 "or bound",
                                 fmt::format("leave out {}", option));
}

} // namespace hypermile::cli
