#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/restore_report.hpp"

#include "control/small_file.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* usage = "hypermile restore [OPTIONS]";

constexpr const char* footer =
    R"(While a program runs under 'hypermile run', a guard process on each node sets
the CPU frequencies back as soon as the program ends, in whatever way. Where the
guard was killed, too, this does it: it reads what the guard's journal says that
each setting was before, and sets that. A program that still runs is not
touched. After the machine was started anew there is nothing to restore.

Examples:
  Restore what a killed run left on this node:
    hypermile restore

  In the epilog of a batch system, as root, on each node of a job:
    hypermile restore || echo "frequencies of $(hostname) are not restored"

  For a program; the journals are in a folder of your own:
    hypermile restore --state /scratch/hypermile --json

Exit code:
  0             restored, or there was nothing to restore
  1             something could not be restored; it is tried again the next time
  2             wrong usage
  4             something could not be restored for want of permission

docs/restoring.md says what is kept where.)";

struct Options {
  std::string state;
  bool json = false;
};

ExitCode exit_code_of(const control::Restored& restored) {
  if (restored.failed.empty())
    return ExitCode::success;
  const bool permission =
      std::ranges::any_of(restored.failed, [](const auto& f) { return f.not_permitted; });
  return permission ? ExitCode::not_permitted : ExitCode::failure;
}

ExitCode restore(const Options& options) {
  control::Place place = control::this_place();
  if (!options.state.empty())
    place.state = std::filesystem::absolute(options.state).lexically_normal().string();
  const control::LeftBehind left = control::restore_left_behind(place);
  print_result(options.json ? restore_json(left, place) : restore_text(left));
  for (const control::Failure& failure : left.restored.failed)
    print_error(failure.what);
  const ExitCode code = exit_code_of(left.restored);
  if (code == ExitCode::not_permitted)
    print_remark("try: the same as root, or as the user who ran the program");
  return code;
}

ExitCode run(const Options& options) {
  try {
    return restore(options);
  } catch (const control::FileError& error) { // of the journal
    print_error(error.what());
    return error.not_permitted() ? ExitCode::not_permitted : ExitCode::failure;
  }
}

} // namespace

void add_restore_command(CLI::App& root, int& exit_code) {
  auto* command =
      root.add_subcommand("restore", "Set CPU frequencies back that a killed run left changed");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>(usage));
  command->footer(footer);
  const auto options = std::make_shared<Options>();
  command
      ->add_option("--state", options->state,
                   "The folder of the journals. Default: $HYPERMILE_STATE, else "
                   "/var/tmp/hypermile")
      ->type_name("DIR")
      ->check(not_empty());
  command->add_flag("--json", options->json, "Print JSON, hypermile/restore/1");
  command->callback([options, &exit_code] { exit_code = static_cast<int>(run(*options)); });
}

} // namespace hypermile::cli
