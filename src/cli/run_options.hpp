#pragma once

#include "cli/report_output.hpp"

#include "machine/registry.hpp"
#include "runtime/settings.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hypermile::cli {

/// What the command line of `hypermile run` says.
struct RunOptions {
  runtime::Settings settings;
  machine::Options backend_options;
  std::vector<std::string> command; ///< that starts the job, with its arguments
  ReportOutput output;
  std::string collectives{};  ///< file of rules for the MPI library; empty: its own
  std::string mpi{};          ///< whose rules these are; empty: the launcher tells
  std::string record_to;      ///< a file that keeps the run; empty: none does
  bool baseline = false;      ///< run in gear 0 before
  bool print_library = false; ///< in place of everything else
};

/// Declares the options, which fill `options` when the command line is parsed. What HYPERMILE_*
/// variables say is in `options.settings` before.
void add_run_options(CLI::App& command, RunOptions& options);

/// What a run may take longer than in gear 0 where nobody says otherwise.
inline constexpr double default_bound = 0.05;

/// After the command line has been parsed: where neither an option nor a variable has named a bound
/// on slowdown, and the method keeps one, there is the default one.
void bound_by_default(const CLI::App& command, RunOptions& options);

/// Variables HYPERMILE_... that nobody reads: misspelt, most likely.
std::vector<std::string> unknown_settings(const char* const* environment);

/// Throws a CLI::Error for options that make no sense together.
void check_run_options(const RunOptions& options);

} // namespace hypermile::cli
