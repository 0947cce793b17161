#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/simulation_input.hpp"

#include "report/recording_report.hpp"
#include "simulate/experiment.hpp"
#include "simulate/failure.hpp"
#include "simulate/process.hpp"
#include "simulate/repetition.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace hypermile::cli {
namespace {

constexpr const char* record_usage =
    "hypermile record --platform PLATFORM -o FILE [OPTIONS] -- PROGRAM [ARGS]";

constexpr const char* record_footer =
    R"(PROGRAM is an ordinary MPI program that was built with SimGrid's smpicc, smpicxx
or smpiff. It runs once on the simulated platform, all nodes in gear 0. FILE
keeps every MPI call with its arguments, and what was computed between the
calls, but no data. 'hypermile simulate --replay FILE' repeats the run without
the program: in a part of the time, with any method, on any platform.

Examples:
  Record once, then study it:
    hypermile record --platform table-3.1 -n 16 -o cg.hmr -- ./cg --class B
    hypermile simulate --replay cg.hmr --compare exact,alg5,planned
    hypermile simulate --replay cg.hmr --platform table-2.1

Exit code:
  0             the run was recorded, and can be repeated
  1             the simulation failed, or the run cannot be repeated
  2             wrong usage
  130, 143      interrupted (128 + the signal's number)
  another       that of PROGRAM, if it failed

docs/replay.md tells what a repetition has in common with the run, and what not.)";

struct RecordOptions {
  simulate::Experiment experiment;
  bool json = false;
  bool quiet = false;
};

int record(const RecordOptions& options) {
  const std::string& file = options.experiment.record_to;
  try {
    ProgressLine progress(options.quiet);
    const auto simulation =
        simulate::run(options.experiment, find_installation(),
                      {.step = [&](const std::string& text) { progress.step(text); },
                       .status = [&](const std::string& text) { progress.status(text); }});
    const auto found = simulate::look_at_recording(file);
    print_result(options.json ? report::recording_json(simulation, found)
                              : report::print_recording_report(simulation, found));
    return static_cast<int>(found.not_repeatable.empty() ? ExitCode::success : ExitCode::failure);
  } catch (const simulate::ProgramFailed& error) {
    print_error(error.what());
    return error.exit_code();
  } catch (const simulate::Interrupted& interrupted) {
    print_remark("interrupted; nothing was recorded");
    return 128 + interrupted.signal;
  }
}

} // namespace

void add_record_command(CLI::App& root, int& exit_code) {
  auto* command = root.add_subcommand(
      "record", "Record a run of an MPI program on a simulated cluster, to repeat it later");
  command->group("Commands");
  const auto options = std::make_shared<RecordOptions>();
  command->formatter(std::make_shared<HelpFormatter>(record_usage));
  command->footer(record_footer);
  add_simulation_input(*command, options->experiment, Needs::platform);
  command
      ->add_option("-o,--output", options->experiment.record_to,
                   "Required: the file that keeps the run")
      ->type_name("FILE")
      ->check(not_empty())
      ->required();
  command->add_flag("--json", options->json,
                    "Print what was recorded as JSON, hypermile/recording/1");
  command->add_flag("-q,--quiet", options->quiet, "Show no progress on stderr");
  command->add_option("PROGRAM", options->experiment.program, "PROGRAM [ARGS], after --")
      ->required();
  command->callback([options, &exit_code] { exit_code = record(*options); });
}

} // namespace hypermile::cli
