#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/steer_evaluate.hpp"

#include <CLI/CLI.hpp>

namespace hypermile::cli {

void add_steer_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "steer", "Hold a multithreaded program to a bound on power, throughput or time");
  command->group("Commands");
  add_steer_evaluate_command(*command, exit_code);
}

} // namespace hypermile::cli
