#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/progress.hpp"

#include "io/plan_json.hpp"
#include "io/text_file.hpp"
#include "report/simulation_json.hpp"
#include "report/simulation_text.hpp"
#include "simulate/experiment.hpp"
#include "simulate/failure.hpp"
#include "simulate/process.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <set>
#include <thread>

namespace hypermile::cli {
namespace {

constexpr const char* footer =
    R"(PROGRAM is an ordinary MPI program built with smpicc, smpicxx or smpiff. It runs once
unscaled, which records its computation, and once with each method, which gets the same
computation: the runs differ by their gears only. Energy is what SimGrid bills the nodes.

Examples:
  hypermile simulate --platform table-3.1 -n 8 -- ./cg --class B
  hypermile simulate --platform table-3.1 -n 16 --compare exact,alg5 --report out -- ./app
  hypermile simulate --platform table-3.1 -n 16 --computation out/computation.txt -- ./app
  hypermile simulate --platform my-cluster.xml --json -- ./app input.dat

Exit code: 0 all runs verified, 1 the simulation could not be made, 2 wrong usage, otherwise
that of the program if it failed. docs/simulation.md explains the figures and the JSON.)";

struct Options {
  simulate::Experiment experiment;
  std::string method;
  std::vector<std::string> compare;
  std::string output = "none";
  bool json = false;
  bool quiet = false;
};

/// Methods that choose for nodes that wait for each other, which is what a simulation measures.
std::string check_method(const std::string& name) {
  static const std::set<std::string> fitting{"exact", "alg5",  "alg5-literal", "edp-walk",
                                             "slack", "brute", "none"};
  if (fitting.contains(name))
    return "";
  return fmt::format("'{}' is not a method; try: exact, alg5, alg5-literal, edp-walk, slack, "
                     "brute or none",
                     name);
}

std::string check_objective(const std::string& name) {
  return io::objective_named(name)
             ? ""
             : fmt::format("'{}' is not an objective; try: maxdist, edp, ed2p, edp48, energy, time",
                           name);
}

void add_options(CLI::App& command, Options& options) {
  simulate::Experiment& experiment = options.experiment;
  command
      .add_option("--platform", experiment.platform,
                  "Bundled platform (e.g. table-3.1), or a file: hypermile's YAML, SimGrid's XML")
      ->required();
  command
      .add_option("-n,--ranks", experiment.ranks,
                  "Number of MPI ranks, one per core; default: as many as the platform has cores")
      ->check(CLI::Range(1, 100000));
  auto* method =
      command
          .add_option("--method", options.method,
                      "exact (default), alg5, alg5-literal, edp-walk, slack, brute, none")
          ->check(check_method);
  command.add_option("--compare", options.compare, "Several methods, e.g. exact,alg5,alg5-literal")
      ->delimiter(',')
      ->check(check_method)
      ->excludes(method);
  command
      .add_option("--objective", experiment.objective,
                  "maxdist (default), edp, ed2p, edp48, energy, time")
      ->check(check_objective);
  command.add_option_function<std::string>(
      "--reference-speed",
      [&experiment](const std::string& text) {
        try {
          experiment.reference_speed = parse_speed(text);
        } catch (const Error& error) {
          throw CLI::ValidationError(error.what());
        }
      },
      "Speed of a core of this machine in the platform's unit, e.g. 320Gf; default: measured");
  command.add_option("--computation", experiment.computation_file,
                     "Take the computation from this recording (computation.txt of a report)");
}

void add_output_options(CLI::App& command, Options& options) {
  command.add_option(
      "--report", options.experiment.report_folder,
      "Keep tables, JSON, platform, recorded computation and outputs in this folder");
  command
      .add_option("--output", options.output,
                  "Where the program's own output goes: none (default; the report has it), "
                  "stdout, stderr")
      ->check(CLI::IsMember({"none", "stdout", "stderr"}));
  command
      .add_option("--jobs", options.experiment.jobs,
                  "Simulations at a time, after the unscaled one; default: one per core")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--json", options.json, "Print the results as JSON (hypermile/simulation/1)");
  command.add_flag("-q,--quiet", options.quiet, "No progress on stderr");
  command.add_option("program", options.experiment.program, "PROGRAM [ARGS], after --")->required();
}

void print_outputs(const simulate::Simulation& simulation, const std::string& where) {
  if (where == "none")
    return;
  for (const auto& run : simulation.runs)
    fmt::print(where == "stdout" ? stdout : stderr, "{}", run.output);
}

void write_report(const simulate::Simulation& simulation, const std::string& folder) {
  const std::filesystem::path path(folder);
  io::write_text_file(path / "simulation.json", report::simulation_json(simulation));
  io::write_text_file(path / "simulation.txt", report::print_simulation(simulation));
}

int run(Options& options) {
  simulate::Experiment& experiment = options.experiment;
  experiment.methods = !options.compare.empty() ? options.compare
                       : options.method.empty() ? std::vector<std::string>{"exact"}
                                                : std::vector<std::string>{options.method};
  try {
    ProgressLine progress(options.quiet);
    const auto simulation = simulate::run(experiment, find_installation(), progress.callbacks());
    if (!experiment.report_folder.empty())
      write_report(simulation, experiment.report_folder);
    print_outputs(simulation, options.output);
    std::cout << (options.json ? report::simulation_json(simulation)
                               : report::print_simulation(simulation));
    return std::cout.flush() ? 0 : static_cast<int>(ExitCode::failure);
  } catch (const simulate::ProgramFailed& error) {
    fmt::print(stderr, "hypermile: error: {}\n", error.what());
    return error.exit_code();
  } catch (const simulate::Interrupted& interrupted) {
    fmt::print(stderr, "hypermile: interrupted; every simulation is stopped\n");
    return 128 + interrupted.signal;
  }
}

} // namespace

void add_simulate_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "simulate", "Run an MPI program over a simulated cluster, unscaled and with gears chosen");
  command->footer(footer);
  const auto options = std::make_shared<Options>();
  options->experiment.jobs = std::max(1U, std::thread::hardware_concurrency());
  add_options(*command, *options);
  add_output_options(*command, *options);
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace hypermile::cli
