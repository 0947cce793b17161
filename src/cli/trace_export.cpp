#include "cli/checks.hpp"
#include "cli/explain_subjects.hpp"
#include "cli/help.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/read_option.hpp"
#include "cli/removed_when_ended.hpp"
#include "cli/run_source.hpp"
#include "cli/simulate_options.hpp"
#include "cli/simulated_run.hpp"
#include "cli/trace.hpp"
#include "cli/traced_runs.hpp"

#include "cli/trace_report.hpp"
#include "io/gears_text.hpp"
#include "io/streamed_file.hpp"
#include "trace/chrome.hpp"
#include "trace/otf2.hpp"
#include "units/error.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>

#include <unistd.h>

namespace hypermile::cli {
namespace {

constexpr const char* export_usage =
    "hypermile trace export DIR -o FILE [OPTIONS]\n"
    "       hypermile trace export RUN.hmr -o FILE [--platform PLATFORM] [OPTIONS]\n"
    "       hypermile trace export --model MODEL --platform PLATFORM -n N -o FILE";

constexpr const char* export_footer =
    R"(DIR is the folder of 'hypermile simulate --report DIR'. The trace tells what its
unscaled run did, with the times of the recording; or, with --run, --gears or
--plan, what the dependency model forecasts of the same run in other gears, and
where ranks wait for others. A recorded run or a model is simulated first. Power
is that of the platform for so many ranks that compute.

Format chrome: one JSON file for https://ui.perfetto.dev or chrome://tracing,
with a process for each node, a thread for each rank, and counters of the gear
and the power of each node and of the power of all.

Format otf2: a folder with traces.otf2, as Score-P writes it, for Vampir and
others, or for 'hypermile trace import'. The counters are metrics.

Examples:
  The run as it was recorded; as it is forecast in other gears:
    hypermile trace export out -o app.json
    hypermile trace export out --gears 0,3,5,2 -o slower.json

  What 'exact' chose, beside the recorded run:
    hypermile trace export out --run exact --with-recorded -o both.json

  For Vampir:
    hypermile trace export out --format otf2 -o app-otf2

  The iterations 10 to 12 of the loop:
    hypermile trace export out --iterations 10-12 -o three.json

  A part of a long run that was recorded, on another platform:
    hypermile trace export cg.hmr --platform table-2.1 --from 2s --to 3s \
      -o part.json

Exit code:
  0             the trace was written
  1             the folder or the recording cannot be used, or the trace cannot
                be written
  2             wrong usage, also a run or gears that do not exist
  130, 143      interrupted (128 + the signal's number); nothing is left behind

docs/traces.md says what is recorded, and what is forecast.)";

struct TraceExportOptions {
  std::string subject;
  RunSource source;
  std::string platform;
  TracedRunsOptions runs;
  trace::Window window;
  std::optional<LoopPart> iterations; ///< in place of the window
  std::string format = "chrome";
  std::string output;
  bool json = false;
};

/// A file of so many bytes is worth a word before it is written.
constexpr std::uint64_t huge = 500'000'000;

std::size_t calls_of(const TracedRuns& traced, const trace::Window& window) {
  std::size_t calls = 0;
  for (const trace::TracedRun& run : traced.runs())
    calls += trace::calls_in(run, window);
  return calls;
}

trace::TraceHead head_of(const TracedRuns& traced, const trace::Window& window) {
  return {.program = traced.program(), .platform = traced.platform(), .window = window};
}

trace::Progress told_by(ProgressLine& progress, const std::string& file) {
  return [&progress, file](double share) {
    progress.status(fmt::format("writing {}: {:.0f} %", file, 100 * share));
  };
}

std::uint64_t write_chrome_file(const TracedRuns& traced, const TraceExportOptions& options) {
  const std::uint64_t bytes = trace::estimated_chrome_bytes(calls_of(traced, options.window));
  if (bytes > huge)
    print_remark(fmt::format("the trace will have about {:.1f} GB; --from and --to write a part",
                             static_cast<double>(bytes) / 1e9));
  io::StreamedFile file(options.output);
  remove_when_ended(file.temporary());
  ProgressLine progress(options.source.quiet);
  trace::write_chrome(
      head_of(traced, options.window), traced.runs(),
      [&](std::string_view text) { file.write(text); }, told_by(progress, options.output));
  file.finish();
  return file.bytes();
}

std::uint64_t bytes_in(const std::filesystem::path& folder) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    bytes += entry.is_regular_file() ? entry.file_size() : 0;
  return bytes;
}

/// The folder as a whole or not at all: with another name until it is complete.
std::uint64_t write_otf2_folder(const TracedRuns& traced, const TraceExportOptions& options) {
  namespace fs = std::filesystem;
  if (fs::exists(options.output))
    throw NotThere(fmt::format("{} is there already", options.output),
                   "-o with the name of a folder that is not there");
  const std::string unfinished = fmt::format("{}.{}.tmp", options.output, ::getpid());
  remove_when_ended(unfinished);
  try {
    ProgressLine progress(options.source.quiet);
    trace::write_otf2(head_of(traced, options.window), traced.runs().front(), unfinished,
                      told_by(progress, options.output));
    fs::rename(unfinished, options.output);
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(unfinished, ignored);
    throw;
  }
  return bytes_in(options.output);
}

int export_folder(const std::string& folder, TraceExportOptions options) {
  const TracedRuns traced(folder, options.runs);
  if (options.iterations)
    options.window = traced.window_of(*options.iterations);
  if (options.window.from >= traced.runs().front().time())
    throw NotThere(fmt::format("--from {} s: the run takes only {:.6g} s",
                               options.window.from.value(), traced.runs().front().time().value()),
                   "an earlier moment");
  if (traced.is_part())
    print_remark("only a part of the model's steps was simulated, and is in the trace");
  const WrittenTrace written{.file = options.output,
                             .format = options.format,
                             .calls = calls_of(traced, options.window),
                             .bytes = options.format == "otf2"
                                          ? write_otf2_folder(traced, options)
                                          : write_chrome_file(traced, options)};
  print_result(options.json ? written_trace_json(written, traced.runs(), options.window)
                            : print_written_trace(written, traced.runs(), options.window));
  return static_cast<int>(ExitCode::success);
}

int export_simulation(TraceExportOptions options) {
  if (!options.runs.run.empty() && options.runs.run != simulate::shown("none")) {
    if (const std::string wrong = check_simulated_method(options.runs.run); !wrong.empty())
      throw NotThere(wrong, "");
    options.source.experiment.methods = {options.runs.run};
  }
  const SimulatedRun run(options.source.experiment, options.source.quiet);
  return export_folder(run.folder(), options);
}

int export_trace(const TraceExportOptions& options) {
  return run_simulated([&] {
    try {
      return options.source.named() ? export_simulation(options)
                                    : export_folder(options.subject, options);
    } catch (const NotThere& error) {
      print_error(error.what());
      return static_cast<int>(ExitCode::usage);
    }
  });
}

void add_gears(CLI::App& command, TracedRunsOptions& options) {
  auto* run = command.add_option("--run", options.run,
                                 "Forecast in the gears that this run had at its end: unscaled, "
                                 "exact, gears-1 ... Default: the recorded run, no forecast");
  run->type_name("NAME")->check(not_empty());
  auto* gears = command.add_option(
      "--gears", options.gears,
      "Forecast in these gears: one per node with ranks, e.g. 0,3,5; one for all, e.g. 3; by "
      "type, e.g. type1=2,type3=1. Default: the recorded run, no forecast");
  gears->type_name("GEAR,...")->check(understood_by(io::parse_gear_choice))->excludes(run);
  auto* plan = command.add_option("--plan", options.plan,
                                  "Forecast in the gears of a plan, the output of 'hypermile "
                                  "select --json'. Default: the recorded run, no forecast");
  plan->type_name("FILE")->check(not_empty())->excludes(run)->excludes(gears);
  command.add_flag("--with-recorded", options.with_recorded,
                   "Write the recorded run beside the forecast, too");
}

void add_window(CLI::App& command, trace::Window& window) {
  const auto read = [](const std::string& text) { return not_negative(parse_seconds(text), text); };
  add_read_option(command, "--from", "TIME",
                  "Leave out what comes before this moment, e.g. 1.5s. Default: the begin", read,
                  [&](Seconds moment) { window.from = moment; });
  add_read_option(command, "--to", "TIME",
                  "Leave out what comes after this moment, e.g. 2s. Default: the end", read,
                  [&](Seconds moment) { window.to = moment; });
}

/// "3" or "3-5".
LoopPart parse_iterations(const std::string& text) {
  const auto refuse = [&] {
    return Error(ErrorKind::config, fmt::format("'{}' names no iterations", text),
                 "one, e.g. 3, or some, e.g. 3-5; the first is 1");
  };
  const std::size_t dash = text.find('-');
  const auto read = [&](const std::string& digits) {
    std::size_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc{} || stop != end || number == 0)
      throw refuse();
    return number;
  };
  const std::size_t first = read(text.substr(0, dash));
  const LoopPart part{first, dash == std::string::npos ? first : read(text.substr(dash + 1))};
  if (part.last < part.first)
    throw refuse();
  return part;
}

void add_iterations(CLI::App& command, std::optional<LoopPart>& iterations) {
  add_read_option(command, "--iterations", "FIRST-LAST",
                  "Write only these iterations of the loop that rank 0 was in last, e.g. 10-12; "
                  "the first is 1. Default: the whole run",
                  parse_iterations, [&](const LoopPart& part) { iterations = part; })
      ->excludes("--from")
      ->excludes("--to")
      ->excludes("--with-recorded");
}

void check_export_options(const CLI::App& command, TraceExportOptions& options) {
  check_run_source(command, options.subject, options.platform, options.source);
  if (!options.source.named()) {
    if (options.subject.empty())
      throw CLI::RequiredError("DIR, a recorded run or --model");
    if (!options.platform.empty())
      throw CLI::ValidationError("--platform",
                                 "is for a run; a folder contains everything that is needed");
  }
  if (options.window.to && *options.window.to <= options.window.from)
    throw CLI::ValidationError("--to", "is not after --from");
  if (options.runs.with_recorded && options.format == "otf2")
    throw CLI::ValidationError("--with-recorded",
                               "is for --format chrome; a trace in OTF2 has one run");
  if (options.runs.with_recorded && !options.runs.forecast())
    throw CLI::ValidationError("--with-recorded",
                               "is for a forecast; try: with --run, --gears or --plan");
}

} // namespace

void add_trace_export_command(CLI::App& trace, int& exit_code) {
  auto* command = trace.add_subcommand(
      "export", "Write a run, recorded or forecast, as a trace that people can look at");
  command->group("Commands");
  const auto options = std::make_shared<TraceExportOptions>();
  command->formatter(std::make_shared<HelpFormatter>(export_usage));
  command->footer(export_footer);
  command->add_option("DIR|RUN", options->subject, "The folder of a report, or a recorded run");
  add_run_source(*command, options->source);
  command
      ->add_option("--platform", options->platform,
                   "Where a model or a recorded run is simulated: a bundled platform or a file. "
                   "Default: where it was recorded")
      ->type_name("PLATFORM")
      ->check(not_empty());
  add_gears(*command, options->runs);
  add_window(*command, options->window);
  add_iterations(*command, options->iterations);
  command->add_option("--format", options->format, "What to write, see above. Default: chrome")
      ->type_name("FORMAT")
      ->check(one_of({"chrome", "otf2"}));
  command
      ->add_option("-o,--output", options->output,
                   "Required: the trace, a file; otf2: a folder that is not there")
      ->type_name("FILE")
      ->check(not_empty())
      ->required();
  command->add_flag("--json", options->json,
                    "Print what was written as JSON, hypermile/trace-export/1");
  command->callback([command, options, &exit_code] {
    check_export_options(*command, *options);
    exit_code = export_trace(*options);
  });
}

} // namespace hypermile::cli
