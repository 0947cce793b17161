#include "cli/collective_simulated.hpp"

#include "cli/checks.hpp"
#include "cli/collective.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/platform_file.hpp"
#include "cli/progress.hpp"

#include "io/text_file.hpp"
#include "tune/calibration_json.hpp"
#include "tune/measure.hpp"
#include "tune/simulated.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <thread>

namespace hypermile::cli {
namespace {

constexpr std::size_t most_simulated = 100000; // ranks, as `simulate` has it

std::size_t nodes_of(const model::Platform& platform) {
  if (platform.scalable)
    return most_simulated;
  return std::accumulate(platform.groups.begin(), platform.groups.end(), std::size_t{0},
                         [](std::size_t sum, const auto& group) { return sum + group.count; });
}

std::size_t cores_of(const model::Platform& platform) {
  return std::ranges::min_element(platform.groups, {},
                                  [](const auto& group) { return group.type.cores; })
      ->type.cores;
}

/// The most on a node with which so many processes are spread evenly.
std::size_t per_node_for(const model::Platform& platform, std::size_t processes) {
  const std::size_t nodes = nodes_of(platform);
  for (std::size_t each = std::min(cores_of(platform), processes); each > 0; --each)
    if (processes % each == 0 && processes / each <= nodes)
      return each;
  throw Error(ErrorKind::config,
              fmt::format("{} processes cannot be spread evenly over the nodes of platform {}",
                          processes, platform.name),
              "-n with another number, or --nodes and --procs-per-node");
}

void add(std::vector<tune::SimulatedSetup>& setups, const model::Platform& platform,
         std::size_t nodes, std::size_t each, const std::vector<std::size_t>& sizes_b) {
  if (nodes * each < 2)
    throw Error(ErrorKind::config, "one process has nobody to send to", "-n 4, say");
  if (nodes > nodes_of(platform) || each > cores_of(platform))
    throw Error(ErrorKind::config,
                fmt::format("{} nodes with {} processes each are more than platform {} has: {} "
                            "nodes of {} cores",
                            nodes, each, platform.name, nodes_of(platform), cores_of(platform)),
                "fewer, or a larger platform");
  const bool there = std::ranges::any_of(setups, [&](const tune::SimulatedSetup& setup) {
    return setup.nodes == nodes && setup.processes_per_node == each;
  });
  if (!there)
    setups.push_back({.nodes = nodes, .processes_per_node = each, .sizes_b = sizes_b});
}

/// All combinations; and one process per node, of which hybrids are made, where the platform says
/// how threads copy.
std::vector<tune::SimulatedSetup> setups_of(const SimulatedCalibration& options,
                                            const model::Platform& platform) {
  std::vector<std::size_t> each = options.processes_per_node;
  if (each.empty())
    each = {options.processes > 0 ? per_node_for(platform, options.processes) : cores_of(platform)};
  std::vector<tune::SimulatedSetup> setups;
  for (const std::size_t per_node : each) {
    std::vector<std::size_t> nodes = options.nodes;
    if (options.processes % per_node != 0)
      throw Error(ErrorKind::config,
                  fmt::format("{} processes cannot be spread with {} on each node",
                              options.processes, per_node),
                  "-n with a multiple, or --nodes");
    if (nodes.empty())
      nodes = {options.processes / per_node};
    for (const std::size_t count : nodes) {
      add(setups, platform, count, per_node, options.sizes_b);
      if (options.collective->by_program && count > 1 && platform.groups.front().type.memory)
        add(setups, platform, count, 1, options.sizes_b);
    }
  }
  return setups;
}

void keep(const SimulatedCalibration& options, const collective::Calibration& calibration) {
  if (!options.output.empty() && !calibration.measured.empty())
    io::write_text_file(options.output, tune::calibration_json(calibration));
}

/// `asked`: the first that was; of hybrids' own processes nobody has asked.
int finish(const SimulatedCalibration& options, const collective::Calibration& calibration,
           const tune::SimulatedSetup& asked) {
  if (options.output.empty() || options.json)
    print_result(tune::calibration_json(calibration));
  else
    print_result(fmt::format("{0} is complete; next:\n  {3} choose {0} --nodes {1} "
                             "--procs-per-node {2}\n",
                             options.output, asked.nodes, asked.processes_per_node,
                             options.command));
  return static_cast<int>(ExitCode::success);
}

} // namespace

void add_simulated_options(CLI::App& command, SimulatedCalibration& options) {
  auto* const processes =
      command
          .add_option("-n,--processes", options.processes,
                      "No launcher: simulate so many processes on --platform, as many on a node as "
                      "its cores allow")
          ->type_name("N")
          ->check(whole_number(2, most_simulated));
  command
      .add_option("--nodes", options.nodes,
                  "No launcher: simulate these numbers of nodes, such as 4,8,16")
      ->type_name("N,...")
      ->delimiter(',')
      ->check(whole_number(1, most_simulated))
      ->excludes(processes);
  command
      .add_option_function<std::string>(
          "--waiting", [&options](const std::string& text) { options.idle = text == "idle"; },
          "In simulation: what processes do in an operation. spinning (default) keeps a core busy, "
          "as MPI libraries mostly do; idle draws the platform's waiting power")
      ->type_name("HOW")
      ->check(one_of({"idle", "spinning"}));
  command
      .add_option("--simgrid-option", options.simgrid_options,
                  "In simulation: an item of SimGrid's configuration (its --cfg), such as "
                  "smpi/lat-factor:0:1. May be repeated")
      ->type_name("KEY:VALUE")
      ->allow_extra_args(false)
      ->check([](const std::string& text) {
        const auto selects = [&](const collective::Collective& one) {
          return text.starts_with(fmt::format("smpi/{}:", one.name));
        };
        return std::ranges::any_of(collective::collectives(), selects)
                   ? "all algorithms are calibrated, one after the other"
                   : simulate::check_simgrid_option(text);
      });
  command
      .add_option("--jobs", options.jobs,
                  "In simulation: how many at a time. Default: as many as there are CPUs")
      ->type_name("N")
      ->check(whole_number(1, 1000));
}

int calibrate_in_simulation(const SimulatedCalibration& options) {
  if (options.platform.empty())
    throw Error(ErrorKind::config, "there is no machine to simulate", "--platform NAME|FILE");
  tune::SimulatedMachine machine{
      .platform = load_named_platform(options.platform),
      .platform_name = options.platform,
      .installation = find_installation(),
      .program_folder = program_folder(),
      .waiting = options.idle ? simulate::Waiting::idle : simulate::Waiting::spinning,
      .simgrid_options = options.simgrid_options,
      .jobs = options.jobs > 0 ? options.jobs : std::thread::hardware_concurrency()};
  std::vector<std::size_t> segments = options.segments_b;
  std::erase(segments, 0U); // the one algorithm with segments always cuts
  const tune::SimulatedPlan plan{
      .collective = options.collective,
      .setups = setups_of(options, machine.platform),
      .variants = tune::variants_of(*options.collective, collective::Library::smpi, segments),
      .arrival = options.arrival,
      .seconds_per_cell = options.seconds_per_cell,
      .seed = options.seed,
      .passes = options.passes};
  std::optional<collective::Calibration> earlier;
  if (!options.output.empty() && std::filesystem::exists(options.output))
    earlier = load_calibration(options.output, options.collective);
  const simulate::Interruption interruption;
  collective::Calibration calibration;
  try {
    calibration = tune::begin_simulated(earlier, machine, plan);
    ProgressLine line(options.quiet);
    tune::calibrate_simulated(
        calibration, machine, plan, [&](const auto& so_far) { keep(options, so_far); },
        [&](const std::string& text) { line.status(text); });
  } catch (const simulate::Interrupted& interrupted) {
    print_remark(calibration.measured.empty()
                     ? "interrupted; nothing was finished"
                     : "interrupted; what is finished is kept, and the same command goes on");
    return 128 + interrupted.signal;
  }
  keep(options, calibration);
  return finish(options, calibration, plan.setups.front());
}

} // namespace hypermile::cli
