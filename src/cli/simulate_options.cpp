#include "cli/simulate_options.hpp"

#include "cli/checks.hpp"
#include "cli/choice_options.hpp"
#include "cli/help.hpp"
#include "cli/model_options.hpp"
#include "cli/read_option.hpp"
#include "cli/sensitivity_option.hpp"
#include "cli/simulation_input.hpp"

#include "govern/governors.hpp"
#include "runtime/request.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <thread>

namespace hypermile::cli {
namespace {

constexpr const char* simulate_usage =
    "hypermile simulate --platform PLATFORM [-n N] [OPTIONS] -- PROGRAM [ARGS]\n"
    "       hypermile simulate --model MODEL --platform PLATFORM -n N [OPTIONS]\n"
    "       hypermile simulate --replay FILE [OPTIONS]";

constexpr const char* simulate_footer =
    R"(PROGRAM is an ordinary MPI program that was built with SimGrid's smpicc, smpicxx
or smpiff. It runs once unscaled (all nodes in gear 0); this run records its
computation. Then it runs once with each method or given gears, with the same
computation: the runs differ only in their gears. SimGrid computes the energy.

Methods:
{methods}
  planned       chosen on the whole unscaled run, and set at MPI_Init: what
                a later run of the same job can save
  none          no gears: the unscaled run only

Governors, methods that set the gear of each node by what its ranks are doing:
{governors}

Objectives:
{objectives}

Examples:
  Build a program for the simulator and run it on 8 nodes of four kinds:
    smpicc -O2 app.c -o app
    hypermile simulate --platform table-3.1 -n 8 -- ./app --size 100

  Compare two methods and keep everything; then repeat that to the last digit:
    hypermile simulate --platform table-3.1 -n 16 --compare exact,alg5 \
      --report out -- ./app
    hypermile simulate --platform table-3.1 -n 16 --compare exact,alg5 \
      --computation out/computation.txt -- ./app

  How far the online choice is from a plan that knows the whole run:
    hypermile simulate --platform table-3.1 -n 8 --compare exact,planned \
      -- ./app

  Against what else there is, with ranks that spin while they wait:
    hypermile simulate --platform table-3.1 -n 8 --waiting spinning \
      --compare exact,exact+wait,ondemand,countdown,adagio -- ./app

  Least energy on your own cluster, one rank on each core, as JSON:
    hypermile simulate --platform my.yaml --objective energy --json -- ./app

  Least energy with at most 5% more time, with a probability of 99%:
    hypermile simulate --platform table-3.1 -n 8 --objective energy \
      --max-slowdown 5% --confidence 99% -- ./app

  Gears of your own, one run each: per node, for all, by type, from a plan:
    hypermile simulate --platform table-3.1 -n 4 --gears 0,3,5,2 --gears 4 \
      --gears type1=2,type3=1 --plan plan.json -- ./app

  Record a run once, and repeat it in seconds, elsewhere, too:
    hypermile record --platform table-3.1 -n 16 -o app.hmr -- ./app
    hypermile simulate --replay app.hmr --compare exact,planned
    hypermile simulate --replay app.hmr --platform my.yaml

  A program that does not exist yet, from a page of Lua (docs/models.md):
    hypermile simulate --model stencil --set size=2000 --platform table-3.1 \
      -n 64 --compare exact,planned

  A study of many gear vectors, one per line, all with the same computation:
    hypermile simulate --platform table-3.1 -n 16 --gears-file study.txt \
      --computation out/computation.txt --json -- ./app

  Code that waits for memory: computation reacts to gears by 0.6 of the whole:
    hypermile simulate --platform table-3.1 -n 8 --sensitivity 0.6 \
      --max-slowdown 5% -- ./app

  A SimGrid platform; in its unit, a core of this machine has 300 Gf:
    hypermile simulate --platform my.xml --reference-speed 300Gf -- ./app

Environment:
  TMPDIR        where temporary files go, among them a copy of PROGRAM per rank;
                /tmp by default

Exit code:
  0             all runs succeeded
  1             the simulation failed
  2             wrong usage
  130, 143      interrupted (128 + the signal's number): everything is stopped
                and cleaned up
  another       that of PROGRAM, if it failed

docs/simulation.md explains the figures and the JSON. [F16] is A. Fanfakh's
thesis, 2016.)";

void add_method_options(CLI::App& command, SimulateOptions& options) {
  auto* method =
      command
          .add_option("--method", options.method,
                      "How gears are chosen, see below. Default: exact; none if gears are given")
          ->type_name("METHOD")
          ->check(check_simulated_method);
  command
      .add_option("--compare", options.compare,
                  "Several methods instead of --method, e.g. exact,alg5,planned")
      ->type_name("METHOD,...")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(check_simulated_method)
      ->excludes(method);
  add_choice_options(command, choice_of(options.experiment), "none");
}

void add_output_options(CLI::App& command, SimulateOptions& options) {
  command
      .add_option(
          "--report", options.experiment.report_folder,
          "Keep tables, JSON, platform, recorded computation, timeline and the program's output in "
          "this folder; it is created if necessary. 'hypermile explain' reads it. Default: keep "
          "nothing")
      ->type_name("FOLDER")
      ->check(not_empty());
  command
      .add_option("--output", options.output,
                  "Where the program's output goes: none (default), stdout or stderr")
      ->type_name("WHERE")
      ->check(one_of({"none", "stdout", "stderr"}));
  command
      .add_option(
          "--jobs", options.experiment.jobs,
          fmt::format("Number of simulations at a time after the unscaled one, 1 to 1024. Default: "
                      "one per core of this machine, {}",
                      options.experiment.jobs))
      ->type_name("N")
      ->check(whole_number(1, 1024));
  command.add_flag("--json", options.json,
                   "Print the results as JSON, hypermile/simulation/1, instead of the table");
  command.add_flag("-q,--quiet", options.quiet, "Show no progress on stderr");
}

} // namespace

std::string check_simulated_method(const std::string& name) {
  if (name == simulate::planned_method || govern::governor_named(name) != nullptr)
    return "";
  const std::string wrong = check_method(name);
  return wrong.empty()
             ? ""
             : fmt::format("{}, {}, {}", wrong, simulate::planned_method, govern::governor_names());
}

void add_simulate_options(CLI::App& command, SimulateOptions& options) {
  command.formatter(std::make_shared<HelpFormatter>(simulate_usage));
  command.footer(with_lists(simulate_footer, runtime::is_for_runs));
  options.experiment.jobs = std::max(1U, std::thread::hardware_concurrency());
  add_simulation_input(command, options.experiment, Needs::nothing);
  command
      .add_option("--replay", options.experiment.replayed,
                  "In place of PROGRAM, repeat this run, of 'hypermile record': on the same "
                  "platform and ranks, or another --platform")
      ->type_name("FILE")
      ->check(not_empty());
  add_model_options(command, options.experiment);
  add_layout_options(command, options.experiment);
  add_sensitivity_option(command, options.experiment.sensitivities);
  add_method_options(command, options);
  add_gear_options(command, options.gears);
  add_output_options(command, options);
  command.add_option("PROGRAM", options.experiment.program, "PROGRAM [ARGS], after --");
}

namespace {

void check_what_runs(const simulate::Experiment& experiment) {
  const bool repeats = !experiment.replayed.empty();
  const bool models = !experiment.model.empty();
  if (experiment.platform.empty() && !repeats)
    throw CLI::RequiredError("--platform");
  if (experiment.program.empty() && !repeats && !models)
    throw CLI::RequiredError("PROGRAM, --model or --replay,");
  if (!experiment.program.empty() && (repeats || models))
    throw CLI::ValidationError(repeats ? "--replay" : "--model",
                               "is run in place of PROGRAM; try: one of them");
  if (repeats && models)
    throw CLI::ValidationError("--model", "cannot be combined with --replay; try: one of them");
  if ((repeats || models) && !experiment.computation_file.empty())
    throw CLI::ValidationError(repeats ? "--replay" : "--model",
                               "brings its computation with it; try: without --computation");
  check_model_options(experiment);
}

} // namespace

void check_simulate_options(const SimulateOptions& options) {
  check_what_runs(options.experiment);
  if (options.json && options.output == "stdout")
    throw CLI::ValidationError("--output stdout",
                               "would mix with the JSON; try: --output stderr, or --report");
  simulate::Experiment chosen = options.experiment;
  const Choice choice = choice_of(chosen);
  auto methods = options.compare;
  methods.push_back(options.method.empty() && methods.empty() ? "exact" : options.method);
  for (const std::string& method : methods)
    if (const std::string wrong = check_choice(method, choice); !wrong.empty())
      throw CLI::ValidationError("--time-model", wrong);
  std::set<std::string> seen;
  for (const std::string& method : options.compare)
    if (!seen.insert(method).second)
      throw CLI::ValidationError("--compare", fmt::format("'{}' is there twice", method));
}

} // namespace hypermile::cli
