#pragma once

namespace CLI {
class App;
}

namespace hypermile::cli {

/// `hypermile steer evaluate`, below the command steer.
void add_steer_evaluate_command(CLI::App& steer, int& exit_code);

} // namespace hypermile::cli
