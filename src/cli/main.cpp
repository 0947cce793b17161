#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

namespace {

using hypermile::ExitCode;

int run(int argc, char** argv) {
  CLI::App app{"hypermile makes parallel programs use less energy for the time they take"};
  app.require_subcommand(1);
  int exit_code = 0;
  hypermile::cli::add_select_command(app, exit_code);
#ifdef HYPERMILE_SIMGRID
  hypermile::cli::add_simulate_command(app, exit_code);
#endif
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::usage);
  }
  return exit_code;
}

} // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hypermile: error: %s\n", error.what());
    return static_cast<int>(ExitCode::failure);
  }
}
