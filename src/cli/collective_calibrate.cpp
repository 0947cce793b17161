#include "cli/collective.hpp"
#ifdef HYPERMILE_SIMGRID
#include "cli/collective_simulated.hpp"
#endif
#include "cli/checks.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/platform_file.hpp"
#include "cli/progress.hpp"
#include "cli/read_option.hpp"

#include "control/place.hpp"
#include "io/text_file.hpp"
#include "machine/open.hpp"
#include "tune/calibration_json.hpp"
#include "tune/measure.hpp"
#include "tune/mpi_library.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

namespace hypermile::cli {
namespace {

constexpr const char* calibrate_head =
    R"(Times every algorithm that an MPI library has for {function}, under the
launcher after --, in several passes, each in a random order. The machine should
do nothing else meanwhile. What arrives is checked, and which algorithm really
runs is observed.

With -n or --nodes in place of a launcher, the algorithms of SimGrid's MPI are
simulated on --platform, time and energy.

Meters:
)";

constexpr const char* calibrate_foot =
    R"(
Ctrl-C keeps what is finished; the same command goes on. With another number of
processes or nodes it adds to the file, so that estimates lie between them.
--procs-per-node does that in one job: processes that take no part sleep.

Examples:
  All algorithms, from {first} to {last}, with 4 processes:
    {command} calibrate -o cal.json -- mpirun -n 4

  With 2, 4 and all 8 processes of each node, to see what they gain together:
    {command} calibrate --procs-per-node 2,4,8 -o cal.json -- mpirun -n 8

  No meter: power from a platform, labelled so:
    {command} calibrate --platform table-3.1 -o cal.json -- mpirun -n 4

  A machine that is not there, simulated:
    {command} calibrate --platform d13 -n 128 -o cal.json
    {command} calibrate --platform d13 --nodes 4,8,16 \
      --procs-per-node 1,4 -o cal.json

  Less exactly, in a minute:
    {command} calibrate --sizes 64KiB:512KiB --seconds 0.05 \
      -o cal.json -- mpirun -n 4

{hybrids}  As in a program whose processes come to the operation up to 5 ms late:
    {command} calibrate --arrival uniform:5ms -o late.json \
      -- mpirun -n 4

Exit code:
  0             calibrated
  1             the job has failed, or the file is of another machine or library
  2             wrong usage
  130           interrupted; what is finished is in the file

docs/collectives.md describes the file.)";

constexpr std::size_t most_on_node = 4096; ///< processes, or threads of each

struct CalibrateOptions {
  std::string command{}; ///< "hypermile bcast"
  tune::Plan plan{};
  std::size_t first_b = 0;
  std::size_t last_b = 0;
  std::vector<std::size_t> processes_per_node{};
  std::string output{};
  std::string mpi{};
  std::string meter = "auto";
  std::string platform{};
  bool json = false;
  bool quiet = false;
  std::vector<std::string> launcher{};
#ifdef HYPERMILE_SIMGRID
  SimulatedCalibration simulated{};
#endif
};

std::pair<std::size_t, std::size_t> read_range(const std::string& text) {
  const auto colon = text.find(':');
  const std::size_t first = collective::parse_size(text.substr(0, colon));
  const std::size_t last =
      colon == std::string::npos ? first : collective::parse_size(text.substr(colon + 1));
  if (last < first)
    throw Error(ErrorKind::config, fmt::format("'{}' ends before it begins", text));
  return {first, last};
}

collective::Arrival read_arrival(const std::string& text) {
  try {
    return collective::parse_arrival(text);
  } catch (const std::invalid_argument& problem) {
    throw Error(ErrorKind::config, problem.what());
  }
}

std::vector<std::size_t> read_segments(const std::string& text) {
  std::vector<std::size_t> segments;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    segments.push_back(part == "0" ? 0 : collective::parse_size(part));
    begin = end + 1;
  }
  std::ranges::sort(segments);
  if (std::ranges::adjacent_find(segments) != segments.end())
    throw Error(ErrorKind::config, fmt::format("'{}' has a segment size twice", text));
  return segments;
}

/// What a node draws while so many of its cores are in MPI, and the others idle.
tune::Power modelled_power(const std::string& name) {
  const auto platform = load_named_platform(name);
  const auto& type = platform.groups.front().type;
  const model::GearPower power = type.power.front();
  const std::size_t cores = type.cores;
  return {
      .kind = collective::PowerKind::modelled,
      .source = fmt::format("platform {}, {} in gear 0, ranks waiting", platform.name, type.name),
      .node_power = [power, cores](std::size_t busy, bool copying) {
        const double share = std::min(1.0, static_cast<double>(busy) / static_cast<double>(cores));
        return power.idle + ((copying ? power.computing : power.waiting) - power.idle) * share;
      }};
}

/// The meter must outlive what is returned.
tune::Power find_power(const CalibrateOptions& options, const tune::Hello& hello,
                       machine::OpenedMeter& opened) {
  if (!options.platform.empty())
    return modelled_power(options.platform);
  if (options.meter == "model")
    throw Error(ErrorKind::config, "a model of power needs what nodes draw", "--platform NAME");
  if (options.meter == "none")
    return {};
  opened = machine::open_meter(options.meter, {.place = control::this_place()});
  const bool asked = options.meter != "auto";
  if (opened.problem && asked)
    throw Error(*opened.problem);
  if (opened.problem || opened.name.empty()) {
    print_remark("note: no meter here, hence times only; --platform gives energy");
    return {};
  }
  if (hello.nodes > 1)
    throw Error(ErrorKind::unsupported,
                fmt::format("{} measures this node, and the job has {}", opened.name, hello.nodes),
                "--platform NAME, or --meter none");
  return {.kind = collective::PowerKind::measured,
          .source = fmt::format("{} ({})", opened.measures, opened.name),
          .meter = opened.meter.get()};
}

std::string minutes(Seconds time) {
  const auto seconds = std::lround(time.value());
  return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

/// `part`: which cells these are, if not all.
void show(ProgressLine& line, const std::string& part, const tune::Progress& progress) {
  line.status(fmt::format("{}{} of {} cells, pass {}, {} {}, {} left", part, progress.done,
                          progress.all, progress.step.pass + 1, label(progress.step.variant),
                          collective::size_text(progress.step.size_b), minutes(progress.left)));
}

void keep(const CalibrateOptions& options, const collective::Calibration& calibration) {
  if (!options.output.empty() && !calibration.measured.empty())
    io::write_text_file(options.output, tune::calibration_json(calibration));
}

/// What comes after a calibration with `hello`'s processes. Hybrids are compared with as many
/// processes as they have threads.
std::string next_step(const CalibrateOptions& options, const collective::Calibration& calibration,
                      const tune::Hello& hello) {
  const auto several = [&](std::size_t collective::Measured::*member) {
    return std::ranges::any_of(calibration.measured, [&](const auto& measured) {
      return measured.*member != calibration.measured.front().*member;
    });
  };
  const std::size_t all = options.plan.threads.empty()
                              ? hello.processes
                              : hello.processes * options.plan.threads.back();
  const std::size_t each = all / hello.nodes;
  if (find_measured(calibration, hello.nodes, each) == nullptr)
    return fmt::format("the same with -n {} and no --threads, to compare with", all);
  std::string text = fmt::format("{} choose {}", options.command, options.output);
  if (several(&collective::Measured::nodes))
    text += fmt::format(" --nodes {}", hello.nodes);
  if (several(&collective::Measured::processes_per_node))
    text += fmt::format(" --procs-per-node {}", each);
  if (calibration.conditions.power == collective::PowerKind::none)
    text += " --least time";
  return text;
}

int finish(const CalibrateOptions& options, const collective::Calibration& calibration,
           const tune::Hello& hello, const tune::JobEnd& end) {
  keep(options, calibration);
  const bool printed = options.output.empty() || options.json;
  if (printed && !calibration.measured.empty())
    print_result(tune::calibration_json(calibration));
  if (end.done) {
    if (!printed)
      print_result(fmt::format("{} is complete; next:\n  {}\n", options.output,
                               next_step(options, calibration, hello)));
    return static_cast<int>(ExitCode::success);
  }
  print_remark(calibration.measured.empty()
                   ? "interrupted; nothing was finished"
                   : "interrupted; what is finished is kept, and the same command goes on");
  return 128 + end.signal;
}

/// Two sources of power.
void check_power(const CLI::App& command, const CalibrateOptions& options) {
  if (!options.platform.empty() && command.count("--meter") > 0 && options.meter != "model")
    throw CLI::ValidationError("--platform", "gives a model of power: no meter beside it");
}

#ifdef HYPERMILE_SIMGRID
/// Options that mean nothing in simulation, or nothing under a launcher.
void check_usage(const CLI::App& command, const CalibrateOptions& options) {
  const bool simulated = options.simulated.is_asked_for();
  if (simulated != options.launcher.empty())
    throw CLI::ValidationError(
        "COMMAND", simulated ? "is there beside -n or --nodes, which simulate: one of both"
                             : "is missing; try: -- mpirun -n 4, or -n 128 --platform P");
  const auto refuse = [&command](const std::vector<std::string>& names, const char* why) {
    for (const std::string& name : names)
      if (const auto* const option = command.get_option_no_throw(name);
          option != nullptr && option->count() > 0)
        throw CLI::ValidationError(name, why);
  };
  if (!simulated)
    return refuse({"--waiting", "--simgrid-option", "--jobs"},
                  "is for simulation; try: -n or --nodes");
  refuse({"--meter", "--mpi", "--threads", "--calls"}, "means nothing in simulation");
  if (options.plan.arrival.kind == collective::Arrival::Kind::together)
    refuse({"--passes", "--seconds", "--seed"},
           "means nothing in simulation without --arrival: a pass would be the same a second time");
}

int calibrate_simulated(CalibrateOptions& options) {
  SimulatedCalibration& simulated = options.simulated;
  simulated.collective = options.plan.collective;
  simulated.command = options.command;
  simulated.platform = options.platform;
  simulated.sizes_b = tune::doubling(options.first_b, options.last_b);
  simulated.segments_b = options.plan.segments_b;
  simulated.processes_per_node = options.processes_per_node;
  simulated.arrival = options.plan.arrival;
  if (simulated.arrival.kind != collective::Arrival::Kind::together) {
    simulated.seconds_per_cell = options.plan.seconds_per_cell;
    simulated.passes = options.plan.passes;
    simulated.seed = options.plan.seed;
  }
  simulated.output = options.output;
  simulated.json = options.json;
  simulated.quiet = options.quiet;
  return calibrate_in_simulation(simulated);
}
#endif

/// How threads wait, where there are more than CPUs.
control::Variables threads_wait(const tune::Plan& plan, const tune::Hello& hello) {
  const std::size_t each = hello.processes_per_node();
  const std::size_t cpus = std::thread::hardware_concurrency();
  auto variables = tune::waiting_of_threads(plan, each, cpus, runtime::own_environment);
  for (const auto& [name, value] : variables)
    print_remark(fmt::format("note: {} threads of {} processes on a node are more than its {} "
                             "CPUs, hence they sleep while they wait: {}={}",
                             each * plan.threads.back(), each, cpus, name, value));
  return variables;
}

void sort_and_unite(std::vector<std::size_t>& counts) {
  std::ranges::sort(counts);
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
}

/// Those that are measured, one after the other.
std::vector<tune::Hello> parts_of(const tune::Hello& job, const CalibrateOptions& options) {
  if (options.processes_per_node.empty())
    return {job};
  std::vector<tune::Hello> parts;
  for (const std::size_t each : options.processes_per_node)
    parts.push_back(tune::part_of(job, each));
  return parts;
}

tune::JobEnd measure(const CalibrateOptions& options, tune::Launch launch, const tune::Hello& part,
                     const tune::Power& power, collective::Calibration& calibration) {
  launch.of_program = threads_wait(options.plan, part);
  const std::string which = options.processes_per_node.size() < 2
                                ? ""
                                : fmt::format("{} per node: ", part.processes_per_node());
  ProgressLine line(options.quiet);
  return tune::measure(calibration, options.plan, launch, part, power,
                       {.progress = [&](const auto& progress) { show(line, which, progress); },
                        .keep = [&](const auto& so_far) { keep(options, so_far); }});
}

int calibrate(CalibrateOptions& options) {
#ifdef HYPERMILE_SIMGRID
  if (options.simulated.is_asked_for())
    return calibrate_simulated(options);
#endif
  options.plan.sizes_b = tune::doubling(options.first_b, options.last_b);
  sort_and_unite(options.plan.threads);
  sort_and_unite(options.processes_per_node);
  std::optional<collective::Calibration> earlier;
  if (!options.output.empty() && std::filesystem::exists(options.output))
    earlier = load_calibration(options.output, options.plan.collective);
  tune::Launch launch = launch_of(options.mpi, options.launcher);
  launch.environment = tune::settings_for_choice(launch.library, {options.plan.collective});
  const tune::Hello job = tune::greet(launch);
  machine::OpenedMeter opened;
  const tune::Power power = find_power(options, job, opened);
  const auto parts = parts_of(job, options);
  auto calibration = tune::begin_calibration(earlier, options.plan, launch, parts, power);
  tune::JobEnd end{.done = true};
  try {
    for (auto part = parts.begin(); end.done && part != parts.end(); ++part)
      end = measure(options, launch, *part, power, calibration);
  } catch (...) {
    keep(options, calibration);
    throw;
  }
  return finish(options, calibration, parts.back(), end);
}

std::string check_seconds(const std::string& text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool right = status == std::errc{} && end == text.data() + text.size();
  return right && value >= 0.001 && value <= 60
             ? ""
             : fmt::format("'{}' is not a number from 0.001 to 60", text);
}

void add_processes_option(CLI::App& command, std::vector<std::size_t>& processes_per_node) {
  command
      .add_option("--procs-per-node", processes_per_node,
                  "How many processes of each node take part, such as 1,4: one after the other. "
                  "Default: all of the launcher; in simulation one per core")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false) // else it takes the -- before the launcher
      ->check(whole_number(1, most_on_node));
}

/// What programs can do themselves, of collectives with such.
void add_program_options(CLI::App& command, const CollectiveCommand& of, tune::Plan& plan) {
  if (!of.collective->by_program)
    return;
  command
      .add_option("--threads", plan.threads,
                  "Hybrids: so many threads of each process copy the message, too, such as 4 or "
                  "2,4. Default: none")
      ->type_name("N,...")
      ->delimiter(',')
      ->allow_extra_args(false) // else it takes the -- before the launcher
      ->check(whole_number(2, most_on_node));
  command.add_flag(
      "--calls", plan.calls,
      "Also MPI_Scatter and MPI_Allgather of a part for each process, of which programs "
      "can make a broadcast");
}

void add_options(CLI::App& command, const CollectiveCommand& of, CalibrateOptions& options) {
  tune::Plan& plan = options.plan;
  plan.segments_b = {0, std::size_t{128} << 10U};
  add_read_option(command, "--sizes", "FIRST:LAST",
                  with_names("Sizes of messages, doubling. Default: {first}:{last}", of),
                  read_range, [&options](const std::pair<std::size_t, std::size_t>& range) {
                    std::tie(options.first_b, options.last_b) = range;
                  });
  add_read_option(
      command, "--segments", "SIZE,...",
      "Into what messages are cut by algorithms that can; 0: not. Default: 0,128KiB", read_segments,
      [&plan](std::vector<std::size_t> segments) { plan.segments_b = std::move(segments); });
  command.add_option("--passes", plan.passes, "How often all is measured. Default: 6")
      ->type_name("N")
      ->check(whole_number(1, 1000));
  command
      .add_option("--seconds", plan.seconds_per_cell,
                  "How long each size of each algorithm is repeated. Default: 0.2")
      ->type_name("N")
      ->check(check_seconds);
  command.add_option("--seed", plan.seed, "Gives the random orders, and --arrival. Default: 1")
      ->type_name("N");
  add_processes_option(command, options.processes_per_node);
  add_program_options(command, of, plan);
  add_read_option(command, "--arrival", "HOW",
                  "When processes come to an operation: together (default), or each a random time "
                  "late, such as uniform:5ms, normal:1ms or exponential:500us",
                  read_arrival, [&plan](const collective::Arrival& read) { plan.arrival = read; });
  command.add_option("--meter", options.meter, "What measures power, see below. Default: auto")
      ->type_name("METER")
      ->check(machine::check_live_meter);
  command
      .add_option("--platform", options.platform,
                  "No meter: what nodes draw is that of this platform's first kind of nodes. "
                  "With -n or --nodes: the machine to simulate")
      ->type_name("NAME|FILE")
      ->check(not_empty());
  add_mpi_option(command, options.mpi);
  command.add_option("-o,--output", options.output, "Where the calibration goes. Default: stdout")
      ->type_name("FILE")
      ->check(not_empty());
  command.add_flag("--json", options.json,
                   "Print the calibration on stdout also where it goes to a file: JSON, "
                   "hypermile/collective-calibration/1");
  command.add_flag("-q,--quiet", options.quiet, "No progress on stderr");
  auto* const launcher =
      command.add_option("COMMAND", options.launcher, "mpirun and its options, after --")
          ->check(not_empty());
#ifdef HYPERMILE_SIMGRID
  (void)launcher;
  add_simulated_options(command, options.simulated);
#else
  launcher->required();
#endif
}

} // namespace

void add_collective_calibrate_command(CLI::App& parent, const CollectiveCommand& of,
                                      int& exit_code) {
  auto* command = parent.add_subcommand("calibrate", "Measure all algorithms of an MPI library");
  command->formatter(
      std::make_shared<HelpFormatter>(with_names("{command} calibrate [OPTIONS] -- mpirun -n N\n"
                                                 "       {command} calibrate --platform P -n N",
                                                 of)));
  command->footer(with_names(calibrate_head + machine::meters_help() + calibrate_foot, of));
  const auto options = std::make_shared<CalibrateOptions>();
  options->command = of.name;
  options->plan.collective = of.collective;
  options->first_b = of.collective->first_b;
  options->last_b = of.collective->last_b;
  add_options(*command, of, *options);
  command->callback([options, command, &exit_code] {
#ifdef HYPERMILE_SIMGRID
    check_usage(*command, *options);
#endif
    check_power(*command, *options);
    exit_code = calibrate(*options);
  });
}

} // namespace hypermile::cli
