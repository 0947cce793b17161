#include "cli/commands.hpp"
#include "cli/explain_subjects.hpp"
#include "cli/output.hpp"

#ifdef HYPERMILE_SIMGRID
#include "simulate/fixed_gears.hpp"
#endif

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>

namespace hypermile::cli {
namespace {

std::string explained(const ExplainOptions& options) {
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

ExitCode run(const ExplainOptions& options) {
  try {
    print_result(explained(options));
    return ExitCode::success;
  } catch (const NotThere& error) {
    print_error(error.what());
    return ExitCode::usage;
  }
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
    exit_code = static_cast<int>(run(*options));
  });
}

} // namespace hypermile::cli
