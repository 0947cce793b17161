#include "cli/commands.hpp"
#include "cli/explain_subjects.hpp"
#include "cli/output.hpp"

#ifdef HYPERMILE_SIMGRID
#include "cli/simulated_run.hpp"
#include "simulate/fixed_gears.hpp"
#endif

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace hypermile::cli {
namespace {

std::string explained(const ExplainOptions& options) {
#ifdef HYPERMILE_SIMGRID
  if (options.simulated.named())
    return explained_simulation(options);
#endif
  if (!std::filesystem::is_directory(options.subject))
    return explained_plan(options);
#ifdef HYPERMILE_SIMGRID
  try {
    return explained_run(options);
  } catch (const simulate::GearsDoNotFit& error) {
    throw NotThere(error.what(), "");
  }
#else
  throw Error(ErrorKind::unsupported,
              "this hypermile was built without SimGrid, and explains no folder of 'hypermile "
              "simulate'",
              "make in a clone");
#endif
}

int explain(const ExplainOptions& options) {
  try {
    print_result(explained(options));
    return static_cast<int>(ExitCode::success);
  } catch (const NotThere& error) {
    print_error(error.what());
    return static_cast<int>(ExitCode::usage);
  }
}

int run(const ExplainOptions& options) {
#ifdef HYPERMILE_SIMGRID
  return run_simulated([&] { return explain(options); });
#else
  return explain(options);
#endif
}

} // namespace

void add_explain_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "explain", "Explain what the time of a run or a plan consists of, and what could be better");
  command->group("Commands");
  const auto options = std::make_shared<ExplainOptions>();
  add_explain_options(*command, *options);
  command->callback([command, options, &exit_code] {
    check_explain_options(*command, *options);
    exit_code = run(*options);
  });
}

} // namespace hypermile::cli
