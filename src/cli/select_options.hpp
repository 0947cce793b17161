#pragma once

#include "cli/run_source.hpp"

#include "io/plan_json.hpp"
#include "select/selector.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What the command line of `hypermile select` says.
struct SelectOptions {
  io::ProblemSource source; ///< its problem may be "-", standard input, or a recorded run
  RunSource run;            ///< in place of a problem
  std::vector<select::Method> methods{select::Method::exact};
  select::Request request;
  bool compare = false; ///< an array of plans, even if there is one
  bool pareto = false;
  bool json = false;
  bool print_srun = false;        ///< in place of the plan: the command of Slurm that runs in it
  std::string program{"./app"};   ///< what that command starts
  std::size_t tasks_per_node = 1; ///< of a problem, which knows nodes only
};

/// Declares the options, which fill `options` when the command line is parsed.
void add_select_options(CLI::App& command, SelectOptions& options);

/// Completes `options.run`. Throws a CLI::Error for options that make no sense together.
void check_select_options(const CLI::App& command, SelectOptions& options);

} // namespace hypermile::cli
