#include "cli/collective_calibrate_options.hpp"
#include "cli/help.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/platform_file.hpp"
#include "cli/progress.hpp"

#include "control/place.hpp"
#include "io/text_file.hpp"
#include "machine/open.hpp"
#include "tune/calibration_json.hpp"
#include "tune/measure.hpp"
#include "tune/mpi_library.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <thread>
#include <utility>

namespace hypermile::cli {
namespace {

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
tune::Power find_power(const CollectiveCalibration& options, const tune::Hello& hello,
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

void keep(const CollectiveCalibration& options, const collective::Calibration& calibration) {
  if (!options.output.empty() && !calibration.measured.empty())
    io::write_text_file(options.output, tune::calibration_json(calibration));
}

/// What comes after a calibration with `hello`'s processes. Hybrids are compared with as many
/// processes as they have threads.
std::string next_step(const CollectiveCalibration& options,
                      const collective::Calibration& calibration, const tune::Hello& hello) {
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

int finish(const CollectiveCalibration& options, const collective::Calibration& calibration,
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
void check_power(const CLI::App& command, const CollectiveCalibration& options) {
  if (!options.platform.empty() && command.count("--meter") > 0 && options.meter != "model")
    throw CLI::ValidationError("--platform", "gives a model of power: no meter beside it");
}

#ifdef HYPERMILE_SIMGRID
/// Options that mean nothing in simulation, or nothing under a launcher.
void check_usage(const CLI::App& command, const CollectiveCalibration& options) {
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

int calibrate_simulated(CollectiveCalibration& options) {
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
std::vector<tune::Hello> parts_of(const tune::Hello& job, const CollectiveCalibration& options) {
  if (options.processes_per_node.empty())
    return {job};
  std::vector<tune::Hello> parts;
  for (const std::size_t each : options.processes_per_node)
    parts.push_back(tune::part_of(job, each));
  return parts;
}

tune::JobEnd measure(const CollectiveCalibration& options, tune::Launch launch,
                     const tune::Hello& part, const tune::Power& power,
                     collective::Calibration& calibration) {
  launch.of_program = threads_wait(options.plan, part);
  const std::string which = options.processes_per_node.size() < 2
                                ? ""
                                : fmt::format("{} per node: ", part.processes_per_node());
  ProgressLine line(options.quiet);
  return tune::measure(calibration, options.plan, launch, part, power,
                       {.progress = [&](const auto& progress) { show(line, which, progress); },
                        .keep = [&](const auto& so_far) { keep(options, so_far); }});
}

int calibrate(CollectiveCalibration& options) {
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

} // namespace

void add_collective_calibrate_command(CLI::App& parent, const CollectiveCommand& of,
                                      int& exit_code) {
  auto* command = parent.add_subcommand("calibrate", "Measure all algorithms of an MPI library");
  command->formatter(
      std::make_shared<HelpFormatter>(with_names("{command} calibrate [OPTIONS] -- mpirun -n N\n"
                                                 "       {command} calibrate --platform P -n N",
                                                 of)));
  command->footer(collective_calibration_footer(of));
  const auto options = std::make_shared<CollectiveCalibration>();
  options->command = of.name;
  options->plan.collective = of.collective;
  options->first_b = of.collective->first_b;
  options->last_b = of.collective->last_b;
  add_collective_calibration_options(*command, of, *options);
  command->callback([options, command, &exit_code] {
#ifdef HYPERMILE_SIMGRID
    check_usage(*command, *options);
#endif
    check_power(*command, *options);
    exit_code = calibrate(*options);
  });
}

} // namespace hypermile::cli
