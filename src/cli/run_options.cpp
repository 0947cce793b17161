#include "cli/run_options.hpp"

#include "cli/checks.hpp"
#include "cli/choice_options.hpp"
#include "cli/collective.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/machine_options.hpp"
#include "cli/read_option.hpp"
#include "cli/sensitivity_option.hpp"

#include "control/place.hpp"
#include "io/gears_text.hpp"
#include "io/platform_yaml.hpp"
#include "runtime/decide/time_model.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hypermile::cli {
namespace {

constexpr const char* run_usage = "hypermile run [OPTIONS] -- COMMAND [ARGS]";

constexpr const char* what_run_does =
    R"(COMMAND starts an MPI program in the same way as without hypermile: mpirun,
mpiexec, srun, or the program itself. The program stays as it is. It must be
linked dynamically to Open MPI (4 or later) or MPICH (3 or later); it may be
written in C, C++ or Fortran. Once the main loop has repeated, hypermile chooses
a frequency for each node and sets it. When the job ends, in whatever way, it
restores everything. Without the permission to set frequencies, it reports what
it would have set, what that would have saved, and how to get the permission;
'hypermile doctor' says more. A missing sensor or permission never ends a job.

The program's output stays on stdout. The report goes to stderr or to a file.

Objectives:
{objectives}

)";

/// The backends and meters of the registry stand between the two.
constexpr const char* run_examples =
    R"(
Examples:
  Save energy for at most 5% more time, and see how much:
    hypermile run -- mpirun -n 64 ./app input.dat

  At most 2 kW on average, and as little more time as that allows:
    hypermile run --platform cluster.yaml --power-cap 2kW -- mpirun -n 8 ./app

  At most 2% more time, on a cluster whose power has been measured:
    hypermile run --platform cluster.yaml --max-slowdown 2% -- mpirun -n 8 ./app

  Measure the effect on time and energy, compared with a run in gear 0:
    hypermile run --baseline --platform cluster.yaml -- mpirun -n 64 ./app

  See what could be saved, without setting anything:
    hypermile run --dry-run -- mpirun -n 64 ./app

  Try it on one machine that behaves like a cluster of four kinds of nodes:
    hypermile run --backend emulated --platform table-3.1 -- mpirun -n 4 ./app

  A program whose iterations change over time; keep the report, also as HTML:
    hypermile run --adaptive --report out -- mpirun -n 64 ./app
    hypermile report out

  A job that runs again and again; from the second time gears are set at once:
    hypermile run --learn memory -- mpirun -n 64 ./app input.dat
    hypermile plan memory

  Keep a run, and study it on a cluster that is not there:
    hypermile run --record app.hmr -- mpirun -n 16 ./app
    hypermile simulate --replay app.hmr --platform table-3.1 \
        --reference-speed 40Gf --compare exact,planned

  Also lower the gear of nodes whose ranks wait for long:
    hypermile run --wait-gear --platform cluster.yaml -- mpirun -n 64 ./app

  With the algorithms of collectives that were the fastest on this machine:
    hypermile collective apply cal.json --least time -o rules.conf
    hypermile run --collectives rules.conf -- mpirun -n 16 ./app

  Under Slurm without this command: the options as variables:
    export HYPERMILE_MAX_SLOWDOWN=5% LD_PRELOAD=$(hypermile run --print-library)
    srun ./app

Environment:
  HYPERMILE_METHOD, HYPERMILE_OBJECTIVE, ...: each option has a variable of the
  same name, except --baseline, --collectives, --mpi, --record, --output,
  --json, --quiet and --print-library.
  The option overrides the variable. HYPERMILE_DRY_RUN, HYPERMILE_ADAPTIVE,
  HYPERMILE_EQUAL_SHARES, HYPERMILE_FULL_SENSITIVITY and HYPERMILE_GENTLE_WAIT
  take on or off, HYPERMILE_WAIT_GEAR model, timer or off, HYPERMILE_WAITING
  idle or spinning, and HYPERMILE_SENSITIVITY the lines of a file with commas
  between them. Without this command there is no bound on slowdown unless
  HYPERMILE_MAX_SLOWDOWN says so.

Exit code:
  that of COMMAND; 2 for wrong usage; 1 if COMMAND or the platform cannot be
  used, or COMMAND succeeds and its report cannot be written

docs/run.md explains the figures and the JSON.)";

void add_waiting_options(CLI::App& command, runtime::Settings& settings) {
  const std::string of_wait_gear =
      "Put a node whose ranks all wait in MPI for long into a low gear, and back in time, where by "
      "the power table that saves energy. =model (default) does so at once in calls of the main "
      "loop "
      "that have been long before, else after 500 us; =timer always after 500 us";
  command.add_flag("--wait-gear{model}", of_wait_gear)
      ->each([&settings, known = one_of({"model", "timer", "off"})](const std::string& text) {
        if (const std::string wrong = known(text); !wrong.empty())
          throw CLI::ValidationError(wrong);
        settings.wait_gear = runtime::parse_wait_gear(text);
      })
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command
      .add_option_function<std::string>(
          "--waiting",
          [&settings](const std::string& text) {
            settings.waits_spinning = runtime::parse_waiting(text);
          },
          "What a node draws while its ranks wait: idle (default) what the platform says, spinning "
          "as much as while they compute, for platforms that do not know that MPI libraries keep "
          "cores busy")
      ->type_name("HOW")
      ->check(one_of({"idle", "spinning"}));
}

void add_machine_options(CLI::App& command, RunOptions& options) {
  runtime::Settings& settings = options.settings;
  command
      .add_option("--platform", settings.platform,
                  fmt::format("The power of the nodes in each gear: a file in YAML ('hypermile "
                              "calibrate-power' measures one), or a bundled platform ({}). "
                              "Default: the hardware's frequencies, and assumed power; where "
                              "the hardware tells none, those of a generic server, of which "
                              "nothing is set",
                              fmt::join(io::bundled_platforms(platform_folder()), ", ")))
      ->type_name("PLATFORM")
      ->check(not_empty());
  command
      .add_option("--assume", settings.assume,
                  "Treat nodes that --platform does not name as this type of it. The report "
                  "marks what rests on that as assumed. Default: their own frequencies, and "
                  "assumed power")
      ->type_name("TYPE")
      ->check(not_empty());
  add_backend_options(command, settings.backend, machine::check_backend, options.backend_options);
  add_sensitivity_option(command, settings.sensitivities);
  command.add_option("--meter", settings.meter, "What measures energy, see below. Default: auto")
      ->type_name("METER")
      ->check(machine::check_meter);
  add_waiting_options(command, settings);
  command.add_flag(
      "--gentle-wait", settings.gentle_wait,
      "Ranks that wait in MPI for longer than 50 us sleep between looks, for a tenth of the wait "
      "and 1 ms at most, and leave their cores to others. Default: they keep them busy, as most "
      "MPI libraries do");
}

/// When gears are chosen, and whether they are set.
void add_choosing_options(CLI::App& command, runtime::Settings& settings) {
  auto* const every =
      command
          .add_option_function<std::string>(
              "--every",
              [&](const std::string& text) { settings.every = runtime::parse_every(text); },
              "Choose gears again every N iterations of the main loop. Default: whenever the "
              "number "
              "of iterations has grown by half")
          ->type_name("N")
          ->check(understood_by(runtime::parse_every));
  command
      .add_flag(
          "--adaptive", settings.adaptive,
          "Choose gears again also when the iterations of a rank have changed by more than 10 % "
          "and more than their noise; for programs that change over time")
      ->excludes(every);
  command.add_flag("--dry-run", settings.dry_run, "Choose gears, but set none");
  command
      .add_option_function<std::string>(
          "--gears",
          [&](const std::string& text) {
            settings.gears = io::parse_gears(text);
            settings.method = "fixed";
          },
          "Choose nothing: set these gears from the beginning to the end, one per node in the "
          "order "
          "of the first rank on each, e.g. 0,3,5")
      ->type_name("GEAR,...")
      ->check(understood_by(io::parse_gears));
}

/// Options are checked when they are read: what is wrong here comes from the environment.
void refuse(const std::string& variable, const std::string& what_is_wrong) {
  if (!what_is_wrong.empty())
    throw CLI::ValidationError(variable, what_is_wrong);
}

void add_learning_options(CLI::App& command, runtime::Settings& settings) {
  auto* const learn =
      command
          .add_option(
              "--learn", settings.learn_folder,
              "Remember the run in this folder, and begin with gears that were planned from "
              "earlier runs of the same job there, if there were any. Default: every run begins in "
              "gear 0")
          ->type_name("FOLDER")
          ->check(not_empty());
  command
      .add_option("--plan", settings.plan_file,
                  "Begin with the gears of a plan that 'hypermile plan' has written for this job")
      ->type_name("FILE")
      ->check(not_empty())
      ->excludes(learn)
      ->excludes("--gears");
  learn->excludes("--gears");
}

void add_collectives_options(CLI::App& command, RunOptions& options) {
  auto* const collectives =
      command
          .add_option("--collectives", options.collectives,
                      "Put the rules in force that 'hypermile collective apply' has written: the "
                      "MPI library chooses the algorithms of its collectives by them. The file "
                      "is checked first. Default: the library's own rules")
          ->type_name("FILE")
          ->check(not_empty());
  add_mpi_option(command, options.mpi);
  command.get_option("--mpi")->needs(collectives);
}

void add_recording_option(CLI::App& command, RunOptions& options) {
  command
      .add_option("--record", options.record_to,
                  "Keep the run in this file, to repeat it on simulated platforms with 'hypermile "
                  "simulate --replay'. Gears stay as they are meanwhile. Rank 0 writes the file")
      ->type_name("FILE")
      ->check(not_empty())
      ->excludes("--method")
      ->excludes("--gears")
      ->excludes("--wait-gear")
      ->excludes("--learn")
      ->excludes("--plan");
}

void add_output_options(CLI::App& command, RunOptions& options) {
  command.add_flag("--baseline", options.baseline,
                   "Run COMMAND twice, the first time in gear 0; the report compares the two runs");
  command
      .add_option("--report", options.settings.report_folder,
                  "Keep the report in this folder, as text (run.txt) and JSON (run.json), and the "
                  "timeline of some iterations (loop.json). Default: keep nothing")
      ->type_name("FOLDER")
      ->check(not_empty());
  add_report_output(command, options.output, "hypermile/run/1", "--report or --output");
  command.add_flag("--print-library", options.print_library,
                   "Print the value of LD_PRELOAD for jobs that this command does not start");
}

} // namespace

void add_run_options(CLI::App& command, RunOptions& options) {
  command.formatter(std::make_shared<HelpFormatter>(run_usage));
  command.footer(fmt::format("{}Backends:\n{}\nMeters:\n{}{}", with_lists(what_run_does),
                             machine::backends_help(), machine::meters_help(), run_examples));
  command
      .add_option_function<std::string>(
          "--method",
          [&](const std::string& method) {
            options.settings.method = method;
            options.settings.gears.clear(); // of HYPERMILE_GEARS
          },
          "How gears are chosen: exact (the default), alg5, slack and others, see 'hypermile "
          "simulate --help'; none: only measure")
      ->type_name("METHOD")
      ->check(check_method);
  add_choice_options(command, choice_of(options.settings),
                     fmt::format("{:.0f}%", 100 * default_bound));
  add_machine_options(command, options);
  add_choosing_options(command, options.settings);
  command.get_option("--gears")->excludes("--method")->excludes("--equal-shares");
  add_learning_options(command, options.settings);
  add_collectives_options(command, options);
  add_recording_option(command, options);
  add_output_options(command, options);
  command.add_option("COMMAND", options.command, "COMMAND [ARGS], after --");
}

void bound_by_default(const CLI::App& command, RunOptions& options) {
  const bool given = command.count("--max-slowdown") > 0 ||
                     runtime::own_environment("HYPERMILE_MAX_SLOWDOWN").has_value();
  const auto method = select::method_named(options.settings.method);
  const auto model = runtime::time_model_named(options.settings.time_model);
  const bool may_keep = model && !runtime::is_uncoupled(*model);
  if (!given && may_keep && method && select::row_of(*method).keeps_bounds)
    options.settings.max_slowdown = default_bound;
}

std::vector<std::string> unknown_settings(const char* const* environment) {
  constexpr std::string_view ours = "HYPERMILE_";
  constexpr std::string_view of_doctor = "HYPERMILE_ROOT";
  std::vector<std::string> unknown;
  for (; *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    const std::string name{entry.substr(0, entry.find('='))};
    const bool known = runtime::is_setting(name) || machine::is_variable(name) ||
                       control::is_place_variable(name) || name == of_doctor;
    if (name.starts_with(ours) && !known)
      unknown.push_back(name);
  }
  return unknown;
}

namespace {

/// Of a backend whose gears a platform lists.
void check_speeds_known(const runtime::Settings& settings, const machine::Options& own) {
  const machine::Backend* const backend = machine::find_backend(settings.backend);
  if (backend == nullptr || !backend->needs_speeds)
    return;
  if (settings.platform.empty())
    throw CLI::ValidationError(
        "--backend " + settings.backend,
        fmt::format("needs to know how fast nodes are in these gears; try: hypermile "
                    "calibrate-power --backend {} --output node.yaml, then --platform node.yaml",
                    settings.backend));
  for (const control::BackendOption& option : backend->options)
    if (own.contains(option.name))
      throw CLI::ValidationError(fmt::format("--{}", option.name),
                                 "is for calibrate-power, which writes the gears into the platform "
                                 "that run takes; leave it out");
}

/// Who chooses gears keeps caps, and who knows what they draw.
void check_power_caps(const runtime::Settings& settings) {
  constexpr const char* option = "--power-cap";
  if (settings.power_caps.none())
    return;
  if (!settings.gears.empty())
    throw CLI::ValidationError(option, "is not kept by gears that are given; leave out --gears");
  if (!settings.plan_file.empty())
    throw CLI::ValidationError(option, "is not known to the plan; try: --learn in place of --plan");
  refuse(option, check_caps(settings.method));
  if (settings.power_caps.peak && settings.platform.empty())
    throw CLI::ValidationError(
        option, "peak power is only known of nodes that a platform describes; try: --platform, "
                "which 'hypermile calibrate-power' makes");
}

} // namespace

void check_run_options(const RunOptions& options) {
  const runtime::Settings& settings = options.settings;
  if (options.command.empty())
    throw CLI::RequiredError("COMMAND");
  refuse("HYPERMILE_METHOD", settings.gears.empty() ? check_method(settings.method) : "");
  refuse("HYPERMILE_OBJECTIVE", check_objective(settings.objective));
  refuse("HYPERMILE_TIME_MODEL", check_time_model(settings.time_model));
  if (settings.gears.empty()) {
    runtime::Settings chosen = settings;
    refuse("--time-model", check_choice(settings.method, choice_of(chosen)));
  }
  if (settings.time_model == "hybrid" && settings.platform.empty())
    throw CLI::ValidationError("--time-model hybrid",
                               "needs to know at which site each node is; try: --platform with "
                               "types that have a 'site', or --time-model async");
  refuse("HYPERMILE_BACKEND", machine::check_backend(settings.backend));
  refuse("HYPERMILE_METER", machine::check_meter(settings.meter));
  if (const std::string wrong = machine::check_options(options.backend_options); !wrong.empty())
    throw CLI::ValidationError(wrong);
  check_power_caps(settings);
  check_speeds_known(settings, options.backend_options);
  if (!settings.assume.empty() && settings.platform.empty())
    throw CLI::ValidationError("--assume", "names a type of a platform; try: --platform");
  const machine::Backend* const backend = machine::find_backend(settings.backend);
  const bool emulates = backend != nullptr && backend->emulates;
  if (!emulates && !settings.sensitivities.none())
    throw CLI::ValidationError("--sensitivity", "is of emulated nodes, as real ones have their "
                                                "own; try: with --backend emulated");
  if (!emulates)
    return;
  if (settings.platform.empty())
    throw CLI::ValidationError("--backend " + settings.backend,
                               "needs to know what to emulate; try: --platform table-3.1");
  if (!settings.assume.empty())
    throw CLI::ValidationError("--assume", "emulated nodes are those of the platform, and need no "
                                           "assumption; leave it out");
  if (machine::find_meter(settings.meter) != nullptr)
    throw CLI::ValidationError(
        "--meter " + settings.meter,
        "measures this machine, and not the nodes that are emulated; try: --meter model");
}

} // namespace hypermile::cli
