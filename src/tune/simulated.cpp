#include "tune/simulated.hpp"

#include "tune/conditions.hpp"
#include "tune/measure.hpp"
#include "tune/program/lines.hpp"
#include "tune/program_output.hpp"

#include "io/platform_text.hpp"
#include "simulate/plain_run.hpp"
#include "units/checksum.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <sstream>

#include <unistd.h>

namespace hypermile::tune {
namespace {

using collective::Calibration;
using collective::Variant;

std::string program_of(const SimulatedMachine& machine) {
  const auto path = std::filesystem::path(machine.program_folder) / "smpi/simulated_collectives";
  if (!std::filesystem::exists(path))
    throw Error(ErrorKind::unsupported, fmt::format("{} is missing", path.string()),
                "build hypermile where SimGrid is installed with its headers");
  return path;
}

model::Link memory_of(const SimulatedMachine& machine) {
  const auto& type = machine.platform.groups.front().type;
  if (!type.memory)
    throw Error(ErrorKind::config,
                fmt::format("platform {} does not say how the threads of a node copy",
                            machine.platform.name),
                "memory: {bandwidth: 5GBps, latency: 1us} in its type of nodes");
  return *type.memory;
}

/// SMPI rounds sizes up to a multiple of the processes, in a number that then overflows.
void check_operations(const SimulatedOperations& operations) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  const std::size_t processes = operations.nodes * operations.processes_per_node;
  check_sizes(*operations.collective, operations.sizes_b, processes);
  for (const std::size_t size_b : operations.sizes_b)
    if (size_b > most - processes)
      throw Error(ErrorKind::unsupported,
                  fmt::format("SMPI cannot do {} of {} among {} processes",
                              operations.collective->plural, collective::size_text(size_b),
                              processes),
                  "at most 2047MiB");
}

void check_memory(const SimulatedOperations& operations, std::size_t at_a_time) {
  const double needed_b = memory_needed_b(operations, at_a_time);
  const double there_b =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (needed_b > there_b)
    throw Error(
        ErrorKind::unsupported,
        fmt::format("simulating {} of {} among {} processes, {} at a time, takes {:.0f} GiB of "
                    "memory; this machine has {:.0f}",
                    operations.collective->plural,
                    collective::size_text(std::ranges::max(operations.sizes_b)),
                    operations.nodes * operations.processes_per_node, at_a_time,
                    needed_b / (1U << 30U), there_b / (1U << 30U)),
        "smaller --sizes, or fewer --jobs");
}

simulate::PlainRun run_of(const SimulatedMachine& machine, const SimulatedOperations& operations) {
  const Variant& variant = operations.variant;
  const auto* const algorithm =
      find_algorithm(*operations.collective, collective::Library::smpi, variant.algorithm);
  simulate::PlainRun run{.program = program_of(machine),
                         .arguments = {},
                         .mark = std::string(mark),
                         .platform = machine.platform_name,
                         .nodes = operations.nodes,
                         .ranks_per_node = is_hybrid(variant) ? 1 : operations.processes_per_node,
                         .simgrid_options = machine.simgrid_options};
  if (!algorithm->own)
    run.simgrid_options.push_back(
        fmt::format("smpi/{}:{}", operations.collective->name, variant.algorithm));
  const model::Link memory =
      is_hybrid(variant) ? memory_of(machine) : model::Link{Bandwidth{1}, {}};
  run.arguments = {std::string(operations.collective->name),
                   fmt::format("{}", algorithm->own ? variant.segment_b : 0),
                   machine.waiting == simulate::Waiting::spinning ? "spinning" : "idle",
                   fmt::format("{}", is_hybrid(variant) ? variant.threads : 0),
                   fmt::format("{}", memory.latency.value()),
                   fmt::format("{}", 1 / memory.bandwidth.value()),
                   fmt::format("{}", operations.messages),
                   arrival_text(operations.arrival),
                   fmt::format("{}", operations.seed),
                   fmt::format("{}", operations.pass),
                   fmt::format("{}", operations.seconds_per_cell)};
  for (const std::size_t size_b : operations.sizes_b)
    run.arguments.push_back(fmt::format("{}", size_b));
  return run;
}

std::vector<Line> lines_of(const std::string& output) {
  std::vector<Line> lines;
  std::istringstream text(output);
  for (std::string line; std::getline(text, line);)
    if (auto parsed = parse_line(line))
      lines.push_back(std::move(*parsed));
  return lines;
}

std::vector<SimulatedCost> costs_of(const std::string& output, std::size_t sizes) {
  std::vector<SimulatedCost> costs;
  for (const Line& line : lines_of(output))
    if (const auto* const simulated = std::get_if<Simulated>(&line))
      costs.push_back({simulated->time, simulated->inside, simulated->power});
  if (costs.size() != sizes)
    throw Error(ErrorKind::hardware,
                fmt::format("a simulation has told {} sizes of {}", costs.size(), sizes));
  return costs;
}

std::string title(const SimulatedOperations& operations) {
  return fmt::format("{} x {} {}", operations.nodes, operations.processes_per_node,
                     label(operations.variant));
}

/// Which SimGrid it is.
std::string version_of(const SimulatedMachine& machine) {
  simulate::RunningPlain running({.program = program_of(machine),
                                  .arguments = {"greet"},
                                  .mark = std::string(mark),
                                  .platform = machine.platform_name,
                                  .nodes = 1,
                                  .ranks_per_node = 1,
                                  .simgrid_options = machine.simgrid_options},
                                 machine.installation);
  std::optional<std::string> output;
  while (!(output = running.poll())) {
    simulate::Process::wait_for_any(Seconds{0.1});
    simulate::Interruption::check();
  }
  for (const Line& line : lines_of(*output))
    if (const auto* const hello = std::get_if<Hello>(&line))
      return hello->version;
  throw Error(ErrorKind::hardware, "a simulation has not said which SimGrid it uses");
}

collective::Conditions conditions_of(const SimulatedMachine& machine, const SimulatedPlan& plan) {
  const std::string text = io::platform_text(machine.platform);
  std::string version = version_of(machine);
  for (const std::string& option : machine.simgrid_options)
    version += ", " + option;
  return {.collective = std::string(plan.collective->name),
          .library = collective::Library::smpi,
          .version = std::move(version),
          .machine =
              fmt::format("platform {}, checksum {:016x}", machine.platform.name, checksum(text)),
          .power = collective::PowerKind::simulated,
          .power_source =
              fmt::format("platform {}, processes that wait {}", machine.platform.name,
                          machine.waiting == simulate::Waiting::spinning ? "spin" : "are idle"),
          .seconds_per_cell = plan.seconds_per_cell,
          .arrival = plan.arrival};
}

/// One for each setup and variant of which a size is missing in this pass; none is in those before.
std::vector<SimulatedOperations> missing(const Calibration& calibration, const SimulatedPlan& plan,
                                         std::size_t pass) {
  std::vector<SimulatedOperations> all;
  for (const SimulatedSetup& setup : plan.setups)
    for (const auto& step : missing_steps(calibration, plan.variants, setup.sizes_b, setup.nodes,
                                          setup.processes_per_node, pass + 1)) {
      const auto same = std::ranges::find_if(all, [&](const SimulatedOperations& one) {
        return one.variant == step.variant && one.nodes == setup.nodes &&
               one.processes_per_node == setup.processes_per_node;
      });
      if (same != all.end())
        same->sizes_b.push_back(step.size_b);
      else
        all.push_back({.collective = plan.collective,
                       .variant = step.variant,
                       .nodes = setup.nodes,
                       .processes_per_node = setup.processes_per_node,
                       .sizes_b = {step.size_b},
                       .messages = plan.messages,
                       .arrival = plan.arrival,
                       .seconds_per_cell = plan.seconds_per_cell,
                       .seed = plan.seed,
                       .pass = pass});
    }
  for (SimulatedOperations& one : all) {
    std::ranges::sort(one.sizes_b);
    one.variant.threads = plan.hybrid ? one.processes_per_node : 1;
  }
  return all;
}

} // namespace

double memory_needed_b(const SimulatedOperations& operations, std::size_t at_a_time) {
  if (operations.collective->name == "bcast" || operations.sizes_b.empty())
    return 0;
  const std::size_t messages = operations.collective->message_for_each
                                   ? operations.nodes * operations.processes_per_node
                                   : 1;
  return 2 * static_cast<double>(messages) *
         static_cast<double>(std::ranges::max(operations.sizes_b)) * static_cast<double>(at_a_time);
}

void simulate_operations(
    const SimulatedMachine& machine, const std::vector<SimulatedOperations>& all,
    const std::function<void(std::size_t, const std::vector<SimulatedCost>&)>& take,
    const std::function<void(const std::string&)>& status) {
  std::vector<std::pair<std::size_t, std::unique_ptr<simulate::RunningPlain>>> running;
  std::size_t next = 0;
  std::size_t done = 0;
  for (const SimulatedOperations& operations : all) {
    check_operations(operations);
    check_memory(operations, std::clamp<std::size_t>(machine.jobs, 1, all.size()));
  }
  while (done < all.size()) {
    for (; running.size() < std::max<std::size_t>(machine.jobs, 1) && next < all.size(); ++next)
      running.emplace_back(next, std::make_unique<simulate::RunningPlain>(
                                     run_of(machine, all[next]), machine.installation));
    std::string titles;
    for (const auto& [index, run] : running)
      titles += (titles.empty() ? "" : " | ") + title(all[index]);
    status(fmt::format("{} of {} simulations; {}", done, all.size(), titles));
    simulate::Process::wait_for_any(Seconds{0.1});
    simulate::Interruption::check();
    for (auto& [index, run] : running)
      if (const auto output = run->poll()) {
        take(index, costs_of(*output, all[index].sizes_b.size()));
        run.reset();
        ++done;
      }
    std::erase_if(running, [](const auto& run) { return !run.second; });
  }
}

std::optional<collective::Copying> copying_on(const model::Platform& platform,
                                              std::size_t threads) {
  const auto& type = platform.groups.front().type;
  if (!type.memory)
    return std::nullopt;
  const auto& power = type.power.front();
  const double busy = std::min(1.0, static_cast<double>(threads) / static_cast<double>(type.cores));
  return collective::Copying{.threads = threads,
                             .start = type.memory->latency,
                             .rate = type.memory->bandwidth,
                             .node_power =
                                 power.waiting + (power.computing - power.waiting) * busy};
}

Calibration begin_simulated(const std::optional<Calibration>& earlier,
                            const SimulatedMachine& machine, const SimulatedPlan& plan) {
  const collective::Conditions now = conditions_of(machine, plan);
  Calibration calibration{.conditions = now, .seed = plan.seed, .passes = plan.passes};
  if (earlier) {
    check_same(*earlier, now, plan.seed);
    calibration = *earlier;
    calibration.passes = std::max(calibration.passes, plan.passes);
  }
  if (const auto& switches = machine.platform.network.switches)
    calibration.switch_power = switches->power * static_cast<double>(switches->count);
  if (!plan.collective->by_program)
    return calibration;
  std::set<std::size_t> threads;
  for (const auto& copy : calibration.copies)
    threads.insert(copy.threads);
  for (const SimulatedSetup& setup : plan.setups)
    threads.insert(setup.processes_per_node);
  calibration.copies.clear();
  for (const std::size_t count : threads)
    if (const auto copying = copying_on(machine.platform, count))
      calibration.copies.push_back(*copying);
  return calibration;
}

namespace {

void add(Calibration& calibration, const SimulatedOperations& one,
         const std::vector<SimulatedCost>& costs) {
  collective::Variant variant = one.variant;
  variant.threads = 1;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    auto& cell = cell_of(calibration, one.nodes, one.processes_per_node, variant, one.sizes_b[i]);
    cell.times.push_back(costs[i].time);
    if (!calibration.exact())
      cell.inside.push_back(costs[i].inside);
    cell.powers.push_back(costs[i].power);
  }
}

} // namespace

void calibrate_simulated(Calibration& calibration, const SimulatedMachine& machine,
                         const SimulatedPlan& plan,
                         const std::function<void(const Calibration&)>& keep,
                         const std::function<void(const std::string&)>& status) {
  for (std::size_t pass = 0; pass < plan.passes; ++pass) {
    const auto all = missing(calibration, plan, pass);
    const std::string which =
        plan.passes > 1 ? fmt::format("pass {} of {}, ", pass + 1, plan.passes) : "";
    simulate_operations(
        machine, all,
        [&](std::size_t index, const std::vector<SimulatedCost>& costs) {
          add(calibration, all[index], costs);
          keep(calibration);
        },
        [&](const std::string& text) { status(which + text); });
  }
}

} // namespace hypermile::tune
