#include "cli/run_options.hpp"

#include "cli/checks.hpp"
#include "cli/choice_options.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/read_option.hpp"

#include "io/gears_text.hpp"
#include "io/platform_yaml.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hypermile::cli {
namespace {

constexpr const char* usage = "hypermile run [OPTIONS] -- COMMAND [ARGS]";

constexpr const char* footer =
    R"(COMMAND starts an MPI program as it would be started without hypermile: mpirun,
mpiexec, srun, or the program itself. The program stays as it is; it must be
linked dynamically to Open MPI (4 or later) or MPICH (3 or later), in C, C++ or
Fortran. Once its main loop has repeated, hypermile chooses a frequency for each
node, sets it where it may, and restores everything when the job ends, however
it ends. Where it may not, it says what it would have set, what that would have
saved, and how to get the permission; 'hypermile doctor' says more. A job is
never ended for want of a sensor or a permission.

The program's output stays on stdout; the report is on stderr, or in a file.

Objectives:
{objectives}

Backends:
  cpufreq       the frequencies of this machine's processors, by Linux's cpufreq
  emulated      one machine behaves like the nodes of --platform: computation is
                stretched, energy computed from the power tables
  none          gears are chosen, but none is set
  auto          cpufreq where it can set frequencies, else none (the default)

Meters:
  powercap      the energy counters of the processors and their memory
  wattmeter:FILE  an external meter's log, CSV with columns time,power_w
  model         no meter: energy computed from the platform's power tables
  none          no energy at all
  auto          powercap where it can be read, else model (the default)

Examples:
  Save what may be saved, and see what it was:
    hypermile run -- mpirun -n 64 ./app input.dat

  At most 5% more time, on a cluster whose power has been measured:
    hypermile run --platform cluster.yaml --max-slowdown 5% -- mpirun -n 8 ./app

  What that makes of time and energy, measured against a run in gear 0:
    hypermile run --baseline --platform cluster.yaml -- mpirun -n 64 ./app

  See what could be saved without touching anything:
    hypermile run --dry-run -- mpirun -n 64 ./app

  Try it on one machine that is to behave like a cluster of four kinds of nodes:
    hypermile run --backend emulated --platform table-3.1 -- mpirun -n 4 ./app

  A program whose iterations vary, with a report to keep:
    hypermile run --adaptive --report out -- mpirun -n 64 ./app

  Under Slurm without this command, the same by variables:
    export HYPERMILE_MAX_SLOWDOWN=5% LD_PRELOAD=$(hypermile run --print-library)
    srun ./app

Environment:
  HYPERMILE_METHOD, HYPERMILE_OBJECTIVE, ...: each option that takes a value has
  a variable of the same name, which the option overrides; HYPERMILE_DRY_RUN and
  HYPERMILE_ADAPTIVE take on or off.

Exit code:
  that of COMMAND; 2 for wrong usage; 1 where COMMAND or a file that it needs
  beforehand (a platform, the folder of the report) cannot be used

docs/run.md explains the figures and the JSON.)";

void add_machine_options(CLI::App& command, runtime::Settings& settings) {
  command
      .add_option("--platform", settings.platform,
                  fmt::format("What the nodes draw in which gear: a file in YAML ('hypermile "
                              "calibrate-power' measures one), or a bundled platform ({}). "
                              "Default: frequencies as they are, power by assumption",
                              fmt::join(io::bundled_platforms(platform_folder()), ", ")))
      ->type_name("PLATFORM")
      ->check(not_empty());
  command.add_option("--backend", settings.backend, "What sets gears, see below. Default: auto")
      ->type_name("BACKEND")
      ->check(runtime::check_backend);
  command.add_option("--meter", settings.meter, "What measures energy, see below. Default: auto")
      ->type_name("METER")
      ->check(runtime::check_meter);
  auto* const every =
      command
          .add_option_function<std::string>(
              "--every",
              [&](const std::string& text) { settings.every = runtime::parse_every(text); },
              "Choose gears again every N iterations of the main loop. Default: when it has been "
              "repeated half as often again")
          ->type_name("N")
          ->check(understood_by(runtime::parse_every));
  command
      .add_flag("--adaptive", settings.adaptive,
                "Choose gears again also when a rank's iterations have changed by more than 10 % "
                "and their noise, for programs whose iterations vary")
      ->excludes(every);
  command
      .add_option_function<std::string>(
          "--apply",
          [&](const std::string& text) { settings.apply_async = runtime::parse_apply(text); },
          "Whether rank 0 waits at the end of an iteration while gears are chosen (sync, for at "
          "most 1 % of the time; the default), or a thread chooses them beside it (async)")
      ->type_name("HOW")
      ->check(understood_by(runtime::parse_apply));
  command.add_flag("--dry-run", settings.dry_run, "Choose gears, but set none");
  command
      .add_option_function<std::string>(
          "--gears",
          [&](const std::string& text) {
            settings.gears = io::parse_gears(text);
            settings.method = "fixed";
          },
          "No choice: these gears from the begin to the end, one per node in the order of the "
          "first rank on each, e.g. 0,3,5")
      ->type_name("GEAR,...")
      ->check(understood_by(io::parse_gears));
}

/// Options are checked when they are read: what is wrong here comes from the environment.
void refuse(const std::string& variable, const std::string& what_is_wrong) {
  if (!what_is_wrong.empty())
    throw CLI::ValidationError(variable, what_is_wrong);
}

void add_output_options(CLI::App& command, RunOptions& options) {
  command.add_flag("--baseline", options.baseline,
                   "Run COMMAND twice, in gear 0 first: the report compares the two");
  command
      .add_option("--report", options.settings.report_folder,
                  "Keep the report in this folder, as text (run.txt) and JSON (run.json). Default: "
                  "keep nothing")
      ->type_name("FOLDER")
      ->check(not_empty());
  add_report_output(command, options.output, "hypermile/run/1", "--report or --output");
  command.add_flag("--print-library", options.print_library,
                   "Print what LD_PRELOAD has to be where this command does not start the job");
}

} // namespace

void add_run_options(CLI::App& command, RunOptions& options) {
  command.formatter(std::make_shared<HelpFormatter>(usage));
  command.footer(with_lists(footer));
  command
      .add_option_function<std::string>(
          "--method",
          [&](const std::string& method) {
            options.settings.method = method;
            options.settings.gears.clear(); // of HYPERMILE_GEARS
          },
          "How gears are chosen: exact (the default), alg5, slack and others as in 'hypermile "
          "simulate --help', or none: measure only")
      ->type_name("METHOD")
      ->check(check_method);
  add_choice_options(command, choice_of(options.settings));
  add_machine_options(command, options.settings);
  command.get_option("--gears")->excludes("--method");
  add_output_options(command, options);
  command.add_option("COMMAND", options.command, "COMMAND [ARGS], after --");
}

void check_run_options(const RunOptions& options) {
  const runtime::Settings& settings = options.settings;
  if (options.command.empty())
    throw CLI::RequiredError("COMMAND");
  refuse("HYPERMILE_METHOD", settings.gears.empty() ? check_method(settings.method) : "");
  refuse("HYPERMILE_OBJECTIVE", check_objective(settings.objective));
  refuse("HYPERMILE_TIME_MODEL", check_time_model(settings.time_model));
  if (settings.backend != "emulated")
    return;
  if (settings.platform.empty())
    throw CLI::ValidationError("--backend emulated",
                               "needs to know what to emulate; try: --platform table-3.1");
  if (settings.meter == "powercap" || runtime::wattmeter_file(settings.meter))
    throw CLI::ValidationError(
        "--meter " + settings.meter,
        "measures this machine, and not the nodes that are emulated; try: --meter model");
}

} // namespace hypermile::cli
