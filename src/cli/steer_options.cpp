#include "cli/steer_options.hpp"

#include "cli/checks.hpp"
#include "cli/help.hpp"
#include "cli/machine_options.hpp"
#include "cli/read_option.hpp"

#include "backend/progress/output_progress.hpp"
#include "session/request.hpp"
#include "units/parse.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <limits>

namespace hypermile::cli {
namespace {

constexpr const char* steer_usage = "hypermile steer [BOUNDS] [OPTIONS] -- COMMAND [ARGS]\n"
                                    "       hypermile steer [BOUNDS] [OPTIONS] --pid PID\n"
                                    "       hypermile steer --set BOUND=VALUE PID\n"
                                    "       hypermile steer [BOUNDS] --replay TABLE.csv\n"
                                    "       hypermile steer evaluate [TABLE.csv ...]";

constexpr const char* what_steer_does =
    R"(Runs a multithreaded program on as many cores, in as low a gear, and placed such
that it keeps the bounds at the least cost. What the program can do, and draws,
is learnt while it runs, from a few configurations; nothing has to be known from
before. When other work arrives, another configuration is chosen by what was
learnt; when the program itself changes (a new phase), it is learnt anew, and a
phase seen before is recognised. Everything is restored at the end, however it
comes to that.

Progress is what the program reports: hm_progress(n) and hm_arrival(n) of
<hypermile/hypermile.h>, which cost nothing where nobody listens, OpenMP
(LLVM's), a number on its output, or instructions. A program that reports what
arrives is taken to have idle times; one that does not, to be always at work.

)";

/// The backends and meters of the registry stand between the two.
constexpr const char* steer_examples =
    R"(
Examples:
  At most 90 W, as much throughput as that allows:
    hypermile steer --power 90W -- ./server

  A server that has always a tenth of its capacity to spare, at the least power:
    hypermile steer --utilisation 0.9 -- ./server

  A million items within two hours, with the least energy:
    hypermile steer --deadline 2h --items 1e6 -- ./render

  Both bounds; what happens live on stderr, and in a file for a script:
    hypermile steer --power 90W --throughput 200/s -v --timeline t.csv \
      -- ./server

  At most 90 W, by limits on the power of the processors:
    hypermile steer --power 90W --backend power-limit -- ./server

  The same with a page that shows what was set, and what came of it:
    hypermile steer --power 90W --report out -- ./server
    hypermile report out

  A program that writes "frame 123" and knows nothing of hypermile:
    hypermile steer --throughput 30/s --progress-regex 'frame ([0-9]+)' \
      -- ./encode

  Less power at night, and another bound for a program that is being steered:
    hypermile steer --power-schedule day.csv -- ./server
    hypermile steer --set power=70W 4711

  Try it on a machine without frequencies or meter:
    hypermile steer --backend emulated --power 60W -- ./server

  What the method would visit on a program that was measured everywhere:
    hypermile steer --throughput 30/s --replay data/parsec/ferret.csv -v

Exit code:
  that of COMMAND; 2 for wrong usage; 1 where it cannot be started or steered;
  3 for a replay where no configuration keeps the bounds

docs/steer.md explains the figures, the timeline and the JSON.)";

void add_bounds(CLI::App& command, steer::Bounds& bounds) {
  add_read_option(command, "--power", "WATTS", "At most, of the node, e.g. 90W",
                  session::read_power, [&](Watts power) { bounds.power = power; })
      ->group("Bounds");
  add_read_option(command, "--throughput", "RATE", "At least, e.g. 200/s, 5k/min",
                  session::read_throughput, [&](Rate rate) { bounds.throughput = rate; })
      ->group("Bounds");
  add_read_option(command, "--utilisation", "SHARE",
                  "At most this share of what the configuration could serve may arrive, e.g. 0.9",
                  session::read_utilisation, [&](double share) { bounds.utilisation = share; })
      ->group("Bounds");
  add_read_option(command, "--deadline", "TIME", "For --items, from the begin, e.g. 2h",
                  session::read_deadline, [&](Seconds time) { bounds.deadline = time; })
      ->group("Bounds");
  add_read_option(command, "--energy", "JOULES", "At most, for --items, e.g. 5kJ",
                  session::read_energy, [&](Joules energy) { bounds.energy = energy; })
      ->group("Bounds");
  add_read_option(command, "--items", "N", "How much there is to do, e.g. 1e6", session::read_items,
                  [&](double items) { bounds.items = items; })
      ->group("Bounds");
  add_read_option(command, "--objective", "OBJECTIVE",
                  "What to make best within the bounds: max-throughput, min-power or min-energy "
                  "(per item). Default: what suits the bounds",
                  session::read_objective,
                  [&](steer::Objective objective) { bounds.objective = objective; })
      ->group("Bounds");
}

Seconds read_length(const std::string& text) {
  const Seconds length = parse_seconds(text);
  if (length < Seconds{0.02} || length > Seconds{3600})
    throw Error(ErrorKind::config, fmt::format("'{}' is not between 20ms and 1h", text));
  return length;
}

double read_change(const std::string& text) {
  const double share = parse_ratio(text);
  if (!(share > 0 && share <= 10))
    throw Error(ErrorKind::config,
                fmt::format("a change of '{}' is not between 0 and 1000%", text));
  return share;
}

session::ProgressSource read_source(const std::string& text) {
  using session::ProgressSource;
  if (text == "auto")
    return ProgressSource::automatic;
  if (text == "calls")
    return ProgressSource::calls;
  if (text == "openmp")
    return ProgressSource::openmp;
  if (text == "instructions")
    return ProgressSource::instructions;
  throw Error(ErrorKind::config, fmt::format("'{}' is not a source of progress", text),
              "auto, calls, openmp or instructions");
}

void add_sampling(CLI::App& command, steer::Sampling& sampling) {
  const char* const group = "Watching";
  add_read_option(command, "--calibration-sample", "TIME",
                  "Length of a sample while calibrating. Default: 100ms", read_length,
                  [&](Seconds time) { sampling.calibration_sample = time; })
      ->group(group);
  add_read_option(command, "--sample", "TIME",
                  "Length of a sample in the steady state. Default: 1s", read_length,
                  [&](Seconds time) { sampling.steady_sample = time; })
      ->group(group);
  add_read_option(command, "--longest-calibration", "TIME",
                  "After it the best that was visited is taken. Default: 30s", read_length,
                  [&](Seconds time) { sampling.longest_calibration = time; })
      ->group(group);
  add_read_option(command, "--phase-change", "PERCENT",
                  "A capacity or power that changes by more is another phase. Default: 20%",
                  read_change, [&](double share) { sampling.phase_change = share; })
      ->group(group);
}

void add_program_options(CLI::App& command, SteerOptions& options) {
  command.add_option("--pid", options.job.pid, "A program that runs already; until Ctrl-C")
      ->type_name("PID")
      ->check(whole_number(1, std::numeric_limits<pid_t>::max()));
  add_read_option(command, "--progress", "SOURCE",
                  "auto (hm_progress(), else OpenMP; the default), calls, openmp or instructions",
                  read_source,
                  [&](session::ProgressSource source) { options.job.source = source; });
  command
      .add_option("--progress-regex", options.job.progress_regex,
                  "Progress is a number that the program prints on stdout: group 1 of this regular "
                  "expression, items so far")
      ->type_name("REGEX")
      ->check(understood_by(
          [](const std::string& regex) { return backend::progress::OutputProgress(regex); }));
  add_backend_options(
      command, options.job.machine.backend,
      [](const std::string& name) {
        return name == "cores" ? std::string{} : machine::check_backend(name);
      },
      options.job.machine.options);
  command
      .add_option("--meter", options.job.machine.meter,
                  "What measures power, see below; model: power is assumed. Default: auto")
      ->type_name("METER")
      ->check(machine::check_live_meter);
  command
      .add_option("--platform", options.platform,
                  "Gears and power of the emulated node: a file in YAML or a bundled platform, its "
                  "first kind of node. Default: 2.4 to 1.2 GHz, 20 to 100 W. With --backend "
                  "power-limit: the limits of this host, and how fast it is under them")
      ->type_name("PLATFORM")
      ->check(not_empty());
  command
      .add_option("--power-schedule", options.schedule_file,
                  "Bounds on power over the day: CSV with time (06:00) and power_w")
      ->type_name("FILE")
      ->check(not_empty())
      ->excludes("--power");
  command
      .add_option(
          "--method", options.job.method,
          "How configurations are found, as in 'hypermile steer evaluate'. Default: adaptive")
      ->type_name("METHOD")
      ->check(understood_by([](const std::string& name) { return steer::supports(name, {}); }));
}

void add_output_options(CLI::App& command, SteerOptions& options) {
  command
      .add_option("--timeline", options.timeline_file,
                  "All samples and decisions: FILE.csv as they come, FILE.json at the end")
      ->type_name("FILE")
      ->check(not_empty());
  command
      .add_option("--report", options.report_folder,
                  "Folder for the report as text and JSON, and for all samples; 'hypermile report' "
                  "makes a page of it")
      ->type_name("FOLDER")
      ->check(not_empty());
  add_report_output(command, options.output, "hypermile/steer/1", "--report or --output");
  command.add_flag("-v,--verbose", options.verbose, "Samples and decisions live on stderr");
}

void add_other_uses(CLI::App& command, SteerOptions& options) {
  command
      .add_option("--set", options.set,
                  "Change a bound of a program that is being steered: power=70W, throughput=200/s, "
                  "utilisation=0.8, ...; none takes it away")
      ->type_name("BOUND=VALUE")
      ->check(not_empty());
  command
      .add_option("--replay", options.replay,
                  "No program, but one that was measured in all configurations: CSV with cores, "
                  "frequency_khz, throughput, power_w and perhaps placement")
      ->type_name("TABLE")
      ->check(not_empty());
  add_read_option(command, "--noise", "PERCENT", "Of the measurements of a replay. Default: 0",
                  read_noise, [&](double noise) { options.noise.deviation = noise; });
  command.add_option("--seed", options.noise.seed, "Of the noise. Default: 1")->type_name("N");
  add_table_options(command, options.tables);
}

[[noreturn]] void refuse(const std::string& what) { throw CLI::ValidationError(what); }

} // namespace

void add_steer_options(CLI::App& command, SteerOptions& options) {
  command.formatter(std::make_shared<HelpFormatter>(steer_usage));
  command.footer(fmt::format("{}Backends, which set gears besides cores ('cores' is another word "
                             "for 'none'):\n{}\nMeters:\n{}{}",
                             what_steer_does, machine::backends_help(), machine::meters_help(),
                             steer_examples));
  add_bounds(command, options.job.bounds);
  add_program_options(command, options);
  add_sampling(command, options.job.sampling);
  add_output_options(command, options);
  add_other_uses(command, options);
  command.add_option("COMMAND", options.job.command, "COMMAND [ARGS], after --");
}

bool is_limited(const std::string& name) {
  const machine::Backend* const backend = machine::find_backend(name);
  return backend != nullptr && backend->needs_speeds;
}

void check_steer_options(const SteerOptions& options) {
  const bool has_command = !options.job.command.empty();
  const int uses = (options.set.empty() ? 0 : 1) + (options.replay.empty() ? 0 : 1) +
                   (options.job.pid == 0 ? 0 : 1);
  if (uses > 1)
    refuse("--set, --replay and --pid exclude each other");
  if (!options.report_folder.empty() && (!options.set.empty() || !options.replay.empty()))
    refuse("--report is for a program that is steered, and not for --set or --replay");
  if (!options.set.empty()) {
    if (options.job.command.size() != 1)
      refuse("--set needs one PID; try: --set power=70W 4711");
    return;
  }
  if (has_command == (uses == 1))
    refuse(has_command ? "--pid and --replay take no COMMAND"
                       : "there is nothing to steer; try: hypermile steer --power 90W -- ./server");
  const steer::Bounds& bounds = options.job.bounds;
  if (const std::string wrong = steer::check(bounds); !wrong.empty())
    refuse(wrong);
  if (bounds == steer::Bounds{} && options.schedule_file.empty())
    refuse("there is no bound and no objective; try: --power 90W, --throughput 200/s, "
           "--utilisation 0.9 or --objective min-energy");
  if (!options.job.progress_regex.empty() && options.job.pid != 0)
    refuse("the output of a program that runs already cannot be read; try: without "
           "--progress-regex");
  const machine::Backend* const backend = machine::find_backend(options.job.machine.backend);
  const bool emulates = backend != nullptr && backend->emulates;
  if (!options.platform.empty() && !emulates && !is_limited(options.job.machine.backend))
    refuse("--platform tells what to emulate, or how fast the node is under power limits; try: "
           "--backend emulated or power-limit");
  if (emulates && machine::find_meter(options.job.machine.meter) != nullptr)
    refuse(fmt::format("--meter {} measures this machine, and not the node that is emulated",
                       options.job.machine.meter));
}

} // namespace hypermile::cli
