#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/simulate_options.hpp"
#include "cli/simulated_run.hpp"

#include "report/simulation_json.hpp"
#include "report/simulation_text.hpp"
#include "simulate/experiment.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

namespace hypermile::cli {
namespace {

void print_outputs(const simulate::Simulation& simulation, const std::string& where) {
  for (const auto& run : simulation.runs) {
    if (where == "stdout")
      print_result(run.output);
    if (where == "stderr")
      std::fputs(run.output.c_str(), stderr);
  }
}

std::vector<std::string> methods_of(const SimulateOptions& options) {
  if (!options.compare.empty())
    return options.compare;
  if (options.method.empty() && !options.experiment.gears.empty())
    return {};
  const char* const default_method = options.experiment.uncontended ? "planned" : "exact";
  return {options.method.empty() ? default_method : options.method};
}

int run(SimulateOptions& options) {
  simulate::Experiment& experiment = options.experiment;
  experiment.gears = read_gears(options.gears);
  experiment.methods = methods_of(options);
  return run_simulated([&] {
    const auto simulation = simulate_with_progress(experiment, options.quiet);
    print_outputs(simulation, options.output);
    print_result(options.json ? report::simulation_json(simulation)
                              : report::print_simulation(simulation));
    // Last: what it took long to find out is not lost on a full disk.
    if (!experiment.report_folder.empty())
      write_report(simulation, experiment.report_folder);
    return static_cast<int>(ExitCode::success);
  });
}

} // namespace

void add_simulate_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "simulate", "Run an MPI program on a simulated cluster, unscaled and with chosen gears");
  command->group("Commands");
  const auto options = std::make_shared<SimulateOptions>();
  add_simulate_options(*command, *options);
  command->callback([options, &exit_code] {
    check_simulate_options(*options);
    exit_code = run(*options);
  });
}

} // namespace hypermile::cli
