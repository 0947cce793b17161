#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/restore_report.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace hypermile::cli {
namespace {

constexpr const char* restore_usage = "hypermile restore [OPTIONS]";

constexpr const char* restore_footer =
    R"(While a program runs under 'hypermile run', a guard process on each node sets
frequencies and power limits back as soon as the program ends, in whatever way.
Where the guard was killed, too, this command does it: the guard's journal says
what each setting was before. The settings of a program that still runs stay as
they are. After a reboot there is nothing to restore.

Root restores what any user left: settings that this user may write, to values
that the hardware allows. Other users restore what they left themselves.

Examples:
  Restore what a killed run left on this node:
    hypermile restore

  In the epilog of a batch system, as root, on each node of a job:
    hypermile restore || echo "gears of $(hostname) are not restored"

  For a program; the journals are in a folder of your choice:
    hypermile restore --state /scratch/hypermile --json

  As root, though a program that sets gears still runs:
    hypermile restore --force

Exit code:
  0             restored, or there was nothing to restore
  1             something could not be restored; it is tried again the next time
  2             wrong usage
  4             something could not be restored for want of permission

docs/restoring.md says what is kept where.)";

struct Options {
  std::string state;
  bool force = false;
  bool json = false;
};

/// Prints them. Returns those that count.
std::vector<control::Failure> report_failures(const std::vector<control::LeftBehind>& all) {
  std::vector<control::Failure> failures;
  for (const control::LeftBehind& left : all)
    for (const control::Failure& failure : left.restored.failed)
      if (failure.ignored) {
        print_remark("ignored: " + failure.what);
      } else {
        print_error(failure.what);
        failures.push_back(failure);
      }
  return failures;
}

ExitCode restore(const Options& options) {
  control::Place place = control::this_place();
  if (!options.state.empty())
    place.state = control::state_folder(options.state);
  const auto all = control::restore_all_left_behind(place, options.force);
  print_result(options.json ? restore_json(all) : restore_text(all));
  const auto failures = report_failures(all);
  if (failures.empty())
    return ExitCode::success;
  if (std::ranges::none_of(failures, &control::Failure::not_permitted))
    return ExitCode::failure;
  print_remark("try: the same as root, or as the user who ran the program");
  return ExitCode::not_permitted;
}

} // namespace

void add_restore_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "restore", "Set frequencies and power limits back that a killed run left changed");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>(restore_usage));
  command->footer(restore_footer);
  const auto options = std::make_shared<Options>();
  command
      ->add_option("--state", options->state,
                   "The folder of the journals. Default: $HYPERMILE_STATE, else "
                   "/var/tmp/hypermile and /var/tmp/hypermile-UID")
      ->type_name("DIR")
      ->check(not_empty());
  command->add_flag("--force", options->force,
                    "Restore also what a program has set that still runs");
  command->add_flag("--json", options->json, "Print JSON, hypermile/restore/2");
  command->callback([options, &exit_code] { exit_code = static_cast<int>(restore(*options)); });
}

} // namespace hypermile::cli
