#pragma once

#include "cli/run_source.hpp"

#include "io/plan_json.hpp"
#include "select/selector.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What the command line of `hypermile explain` says.
struct ExplainOptions {
  std::string subject; ///< a plan, the folder of a report, or a recorded run; empty: `model` is
  RunSource simulated; ///< the run that is explained in their place
  std::string run;     ///< of the folder, or the method of one of several plans; empty: not given
  std::string gears;   ///< as io::parse_gear_choice() reads it; empty: not given
  std::string plan;    ///< a file; empty: not given
  io::ProblemSource source;
  std::optional<select::Objective> objective;
  std::optional<double> max_slowdown;
  std::size_t top = 10;
  bool json = false;

  [[nodiscard]] bool names_problem() const {
    return !source.problem.empty() || !source.workload.empty();
  }
};

/// Declares the options, which fill `options` when the command line is parsed.
void add_explain_options(CLI::App& command, ExplainOptions& options);

/// Completes `options.simulated`. Throws a CLI::Error for options that make no sense with a plan, a
/// folder or a run.
void check_explain_options(const CLI::App& command, ExplainOptions& options);

} // namespace hypermile::cli
