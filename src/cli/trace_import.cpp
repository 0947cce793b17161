#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/platform_file.hpp"
#include "cli/progress.hpp"
#include "cli/removed_when_ended.hpp"
#include "cli/trace.hpp"

#include "cli/trace_report.hpp"
#include "io/streamed_file.hpp"
#include "model/layout.hpp"
#include "replay/recorded_run.hpp"
#include "runtime/pmpi/functions.hpp"
#include "trace/assembled.hpp"
#include "trace/otf2.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <utility>

namespace hypermile::cli {
namespace {

constexpr const char* import_usage =
    "hypermile trace import TRACE.otf2 -o FILE [--platform PLATFORM] [OPTIONS]";

constexpr const char* import_footer =
    R"(TRACE.otf2 is the anchor file of a trace in OTF2, as Score-P writes it. FILE
keeps every MPI call of its ranks, and what was computed between the calls: a
recorded run, which explain, select and 'simulate --replay' take. How long
messages travelled in the trace does not matter: that is simulated.

With --platform the trace is of ranks on this platform, in gear 0, one after
the other on its cores. Without it nobody knows how fast the cores were, and the
commands that repeat the run need --platform with --reference-speed.

Examples:
  What would gears save in a run that Score-P has traced?
    hypermile trace import scorep-app/traces.otf2 -o app.hmr
    hypermile explain app.hmr --platform table-3.1 --reference-speed 40Gf

  A trace of a run on the machine that mycluster.yaml describes:
    hypermile trace import traces.otf2 --platform mycluster.yaml -o app.hmr
    hypermile simulate --replay app.hmr --compare exact,planned

Exit code:
  0             the trace was read, and the run can be repeated
  1             the trace is damaged, not complete, or cannot be followed
  2             wrong usage
  130, 143      interrupted (128 + the signal's number); nothing is left behind

docs/traces.md tells what is understood.)";

struct TraceImportOptions {
  std::string trace;
  std::string platform;
  std::string output;
  bool json = false;
  bool quiet = false;
};

/// Where the ranks of a trace are, and how fast their cores are.
struct Places {
  std::vector<std::string> nodes;
  std::vector<Speed> speeds;
};

Places places_on(const std::string& name, std::size_t ranks) {
  const model::Platform platform = load_named_platform(name);
  const model::PlacedRanks placed = model::place(platform, ranks, {});
  const std::vector<std::string> names = model::names_of(placed.nodes);
  Places places;
  for (const std::uint32_t node : placed.node_of_rank) {
    places.nodes.push_back(names[node]);
    places.speeds.push_back(placed.nodes[node]->speed);
  }
  return places;
}

std::vector<std::string> names_of_functions() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < runtime::pmpi::function_count; ++i)
    names.emplace_back(runtime::pmpi::name(static_cast<runtime::pmpi::Function>(i)));
  return names;
}

std::vector<std::string> remarks_on(const trace::Otf2Trace& read, const replay::RecordedRun& run) {
  std::vector<std::string> remarks;
  if (read.other_locations > 0)
    remarks.push_back(fmt::format("{} threads or devices that are no ranks were not looked at",
                                  read.other_locations));
  if (read.flushes > 0)
    remarks.push_back(fmt::format(
        "tracing wrote its buffers {} times while the program ran, which counts as computation",
        read.flushes));
  std::size_t by_pairs = 0;
  for (const auto& rank : read.ranks)
    for (const trace::IncomingCollective& collective : rank.collectives)
      by_pairs += collective.operation == trace::Collective::alltoallv ? 1U : 0U;
  if (by_pairs > 0)
    remarks.push_back(fmt::format("{} calls of MPI_Alltoallv and the like tell only sums of bytes, "
                                  "which are shared out among the pairs of ranks",
                                  by_pairs));
  for (const std::string& remark : replay::remarks(run))
    remarks.push_back(remark);
  return remarks;
}

replay::RecordedRun recorded(trace::Otf2Trace& read, const TraceImportOptions& options,
                             Places places) {
  replay::RecordedRun run{.program = read.program.empty() ? options.trace : read.program,
                          .platform = options.platform,
                          .nodes = std::move(places.nodes),
                          .speeds = std::move(places.speeds),
                          .timeline = {}};
  if (run.nodes.empty())
    run.nodes = read.nodes;
  try {
    run.timeline = trace::assembled(read.ranks, read.communicators, names_of_functions());
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", options.trace, error.what()));
  }
  if (const std::string why = replay::why_not_repeatable(run); !why.empty())
    throw Error(ErrorKind::unsupported,
                fmt::format("{} cannot be repeated: {}", options.trace, why),
                "a program without such calls");
  return run;
}

void write_run(const replay::RecordedRun& run, const std::string& path) {
  io::StreamedFile file(path);
  remove_when_ended(file.temporary());
  file.write(replay::print_recorded_run(run));
  file.finish();
}

int import_trace(const TraceImportOptions& options) {
  ProgressLine progress(options.quiet);
  Places places;
  const auto speeds = [&](std::size_t ranks) {
    places = options.platform.empty()
                 ? Places{.nodes = {}, .speeds = std::vector<Speed>(ranks, replay::unknown_speed)}
                 : places_on(options.platform, ranks);
    return places.speeds;
  };
  trace::Otf2Trace read = trace::read_otf2(options.trace, speeds, [&](double share) {
    progress.status(fmt::format("reading {}: {:.0f} %", options.trace, 100 * share));
  });
  const replay::RecordedRun run = recorded(read, options, std::move(places));
  write_run(run, options.output);
  const ReadTrace told{.trace = options.trace,
                       .file = options.output,
                       .ranks = run.nodes.size(),
                       .platform = options.platform,
                       .timeline = &run.timeline,
                       .remarks = remarks_on(read, run)};
  print_result(options.json ? read_trace_json(told) : print_read_trace(told));
  return static_cast<int>(ExitCode::success);
}

} // namespace

void add_trace_import_command(CLI::App& trace, int& exit_code) {
  auto* command = trace.add_subcommand(
      "import", "Read a trace in OTF2 as a recorded run, to ask what gears would save in it");
  command->group("Commands");
  const auto options = std::make_shared<TraceImportOptions>();
  command->formatter(std::make_shared<HelpFormatter>(import_usage));
  command->footer(import_footer);
  command->add_option("TRACE", options->trace, "The anchor file of the trace, NAME.otf2")
      ->required()
      ->check(not_empty());
  command
      ->add_option("--platform", options->platform,
                   "Where the ranks ran: a bundled platform or a file in YAML. Default: not known")
      ->type_name("PLATFORM")
      ->check(not_empty());
  command->add_option("-o,--output", options->output, "Required: the recorded run")
      ->type_name("FILE")
      ->check(not_empty())
      ->required();
  command->add_flag("--json", options->json,
                    "Print what was read as JSON, hypermile/trace-import/1");
  command->add_flag("-q,--quiet", options->quiet, "Show no progress on stderr");
  command->callback([options, &exit_code] { exit_code = import_trace(*options); });
}

} // namespace hypermile::cli
