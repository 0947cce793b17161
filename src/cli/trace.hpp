#pragma once

namespace CLI {
class App;
}

namespace hypermile::cli {

// The commands below `hypermile trace`.
void add_trace_export_command(CLI::App& trace, int& exit_code);
void add_trace_import_command(CLI::App& trace, int& exit_code);

} // namespace hypermile::cli
