#include "cli/bcast.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* bcast_footer =
    R"(MPI libraries have several algorithms for MPI_Bcast, and choose by rules that
were made on other machines. These commands measure them on this one, and make
the library use the one that costs least.

Examples:
  Measure all algorithms with 4 processes, and choose the fastest:
    hypermile bcast calibrate -o cal.json -- mpirun -n 4
    hypermile bcast choose cal.json --least time

  Make Open MPI use them, and prove that it does:
    hypermile bcast apply cal.json --least time -o rules.conf
    hypermile bcast verify rules.conf -- mpirun -n 4

docs/bcast.md says how each figure comes about.)";

} // namespace

void add_bcast_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "bcast", "Choose the broadcast algorithms of an MPI library by measured time and energy");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile bcast COMMAND [OPTIONS]"));
  command->get_formatter()->label("Subcommands", "Commands");
  command->footer(bcast_footer);
  command->require_subcommand(1);
  add_bcast_calibrate_command(*command, exit_code);
  add_bcast_estimate_command(*command, exit_code);
  add_bcast_choose_command(*command, exit_code);
  add_bcast_apply_command(*command, exit_code);
  add_bcast_verify_command(*command, exit_code);
}

} // namespace hypermile::cli
