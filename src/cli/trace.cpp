#include "cli/trace.hpp"

#include "cli/commands.hpp"
#include "cli/help.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* trace_footer =
    "A trace tells what every rank of a run did and when.\n"
    "\n"
    "Examples:\n"
#ifdef HYPERMILE_SIMGRID
    "  Look at a simulated run in https://ui.perfetto.dev:\n"
    "    hypermile simulate --platform table-3.1 -n 8 --report out -- ./app\n"
    "    hypermile trace export out -o app.json\n"
    "\n"
#endif
    R"(  Ask what gears would save in a run that Score-P has traced:
    hypermile trace import scorep-app/traces.otf2 -o app.hmr
)"
#ifdef HYPERMILE_SIMGRID
    R"(    hypermile explain app.hmr --platform table-3.1 --reference-speed 40Gf
)"
#endif
    R"(
docs/traces.md tells what is in a trace, and what of one is understood.)";

} // namespace

void add_trace_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "trace", "Write runs as traces for Perfetto, Vampir and the like, and read such traces");
  command->group("Commands");
  command->formatter(std::make_shared<HelpFormatter>("hypermile trace COMMAND [OPTIONS]"));
  command->get_formatter()->label("Subcommands", "Commands");
  command->footer(trace_footer);
  command->require_subcommand(1);
#ifdef HYPERMILE_SIMGRID
  add_trace_export_command(*command, exit_code);
#endif
  add_trace_import_command(*command, exit_code);
}

} // namespace hypermile::cli
