#pragma once

#include "cli/gear_options.hpp"

#include "simulate/experiment.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What the command line of `hypermile simulate` says.
struct SimulateOptions {
  simulate::Experiment experiment;
  std::string method;               ///< empty: exact, or none where gears are given
  std::vector<std::string> compare; ///< in place of `method`
  GearOptions gears;
  std::string output = "none"; ///< where the program's own output goes
  bool json = false;
  bool quiet = false;
};

/// Declares the options, which fill `options` when the command line is parsed.
void add_simulate_options(CLI::App& command, SimulateOptions& options);

/// What is wrong with the name of a method of --compare; empty if nothing is.
std::string check_simulated_method(const std::string& name);

/// Throws a CLI::Error for options that make no sense together.
void check_simulate_options(const SimulateOptions& options);

} // namespace hypermile::cli
