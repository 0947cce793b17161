#include "tune/measure.hpp"

#include "tune/conditions.hpp"
#include "tune/program/lines.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <limits>
#include <thread>

#include <unistd.h>

namespace hypermile::tune {
namespace {

using collective::Calibration;
using collective::Conditions;
using collective::PowerKind;
using collective::Step;
using collective::Variant;
using Clock = std::chrono::steady_clock;

Conditions conditions_of(const Plan& plan, const Launch& launch, const Hello& hello,
                         const Power& power) {
  return {.collective = std::string(plan.collective->name),
          .library = launch.library,
          .version = hello.version,
          .machine = machine_name(),
          .power = power.kind,
          .power_source = power.source,
          .seconds_per_cell = plan.seconds_per_cell,
          .arrival = plan.arrival};
}

std::string schedule_text(const std::vector<Step>& steps, const Launch& launch,
                          const collective::Collective& collective) {
  std::string text;
  std::optional<std::size_t> pass;
  for (const Step& step : steps) {
    text += pass == step.pass ? "," : fmt::format("{}{}=", pass ? ";" : "", step.pass);
    pass = step.pass;
    if (is_copy(step.variant))
      text += fmt::format("{}/{}:{}", copy_word, step.variant.threads, step.size_b);
    else if (is_call(step.variant))
      text += fmt::format("{}/0:{}", step.variant.algorithm, step.size_b);
    else
      text += fmt::format(
          "{}/{}:{}", find_measurable(collective, launch.library, step.variant.algorithm)->number,
          step.variant.segment_b, step.size_b);
  }
  return text;
}

/// What programs can do in place of the library.
void add_of_programs(std::vector<Variant>& variants, const Plan& plan) {
  for (const std::size_t count : plan.threads)
    variants.push_back({.algorithm = std::string(collective::thread_copy.name), .threads = count});
  if (plan.calls)
    for (const auto& call : {collective::scatter_call, collective::allgather_call})
      variants.push_back({.algorithm = std::string(call.name)});
}

/// Takes the lines of the job and fills the calibration.
class Recorder {
public:
  Recorder(Calibration& calibration, std::vector<Step> steps, const Hello& hello,
           const Power& power, const Listener& listener)
      : calibration_(calibration), steps_(std::move(steps)), hello_(hello), power_(power),
        listener_(listener), begin_(Clock::now()), kept_(begin_) {}

  void take(const Line& line) {
    if (const auto* const begin = std::get_if<Begin>(&line)) {
      energy_ = power_.meter == nullptr ? std::nullopt : power_.meter->consumed();
      cell_begin_ = Clock::now();
      (void)step_of(begin->cell);
    } else if (const auto* const timed = std::get_if<Timed>(&line)) {
      add(*timed);
    }
  }

private:
  const Step& step_of(std::size_t cell) const {
    if (cell != done_ || cell >= steps_.size())
      throw Error(ErrorKind::hardware, "the job has measured another cell than the next");
    return steps_[cell];
  }

  /// Of all nodes, in the cell that has just ended; none: not known.
  std::optional<Watts> power_now(const Variant& variant) const {
    if (power_.kind == PowerKind::modelled)
      return power_.node_power(hello_.processes_per_node() * variant.threads, is_copy(variant)) *
             static_cast<double>(hello_.nodes);
    if (power_.kind == PowerKind::none)
      return std::nullopt;
    const auto now = power_.meter->consumed();
    const Seconds passed{std::chrono::duration<double>(Clock::now() - cell_begin_).count()};
    if (!now || !energy_ || *now <= *energy_)
      throw Error(ErrorKind::hardware,
                  fmt::format("{} has counted no energy during a cell", power_.source),
                  "a longer --seconds, or --meter none");
    return (*now - *energy_) / passed;
  }

  void add(const Timed& timed) {
    const Step& step = step_of(timed.cell);
    const auto& seen = timed.algorithm;
    const bool another =
        step.variant.algorithm != collective::library_choice.name && seen != "-" &&
        ("=" + seen + "=").find("=" + step.variant.algorithm + "=") == std::string::npos;
    if (another)
      throw Error(ErrorKind::unsupported,
                  fmt::format("{} was asked for with {}, and the library ran {}",
                              step.variant.algorithm, collective::size_text(step.size_b),
                              seen == "?" ? "something else" : seen),
                  "an MPI library that hypermile knows: Open MPI 4.1 or MPICH 4.0");
    auto& cell = collective::cell_of(calibration_, hello_.nodes, hello_.processes_per_node(),
                                     step.variant, step.size_b);
    const auto power = power_now(step.variant);
    cell.times.push_back(timed.time);
    if (calibration_.conditions.arrival.kind != collective::Arrival::Kind::together)
      cell.inside.push_back(timed.inside);
    if (power)
      cell.powers.push_back(*power);
    ++done_;
    report(step);
  }

  void report(const Step& step) {
    constexpr auto keep_after = std::chrono::seconds(2);
    const auto now = Clock::now();
    const Seconds passed{std::chrono::duration<double>(now - begin_).count()};
    const auto missing = static_cast<double>(steps_.size() - done_);
    listener_.progress({.done = done_,
                        .all = steps_.size(),
                        .step = step,
                        .left = passed * (missing / static_cast<double>(done_))});
    if (now - kept_ < keep_after)
      return;
    kept_ = now;
    listener_.keep(calibration_);
  }

  Calibration& calibration_;
  std::vector<Step> steps_;
  const Hello& hello_;
  const Power& power_;
  const Listener& listener_;
  std::size_t done_ = 0;
  std::optional<Joules> energy_{};
  Clock::time_point cell_begin_{};
  Clock::time_point begin_;
  Clock::time_point kept_;
};

} // namespace

std::string machine_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name") && line.find(": ") != std::string::npos) {
      model = line.substr(line.find(": ") + 2);
      break;
    }
  return fmt::format("{}, {} CPUs", model, std::thread::hardware_concurrency());
}

std::vector<std::size_t> doubling(std::size_t first_b, std::size_t last_b) {
  std::vector<std::size_t> sizes;
  for (std::size_t size_b = first_b; size_b < last_b; size_b *= 2)
    sizes.push_back(size_b);
  sizes.push_back(last_b);
  return sizes;
}

std::vector<Variant> variants_of(const collective::Collective& collective,
                                 collective::Library library,
                                 const std::vector<std::size_t>& segments) {
  std::vector<Variant> variants;
  for (const auto& algorithm : algorithms_of(collective, library)) {
    if (!algorithm.segments)
      variants.push_back({.algorithm = std::string(algorithm.name)});
    else
      for (const std::size_t segment_b : segments)
        variants.push_back({.algorithm = std::string(algorithm.name), .segment_b = segment_b});
  }
  if (library != collective::Library::smpi)
    variants.push_back({.algorithm = std::string(collective::library_choice.name)});
  return variants;
}

void check_sizes(const collective::Collective& collective, const std::vector<std::size_t>& sizes_b,
                 std::size_t processes) {
  constexpr std::size_t most_b = std::numeric_limits<std::int32_t>::max();
  for (const std::size_t size_b : sizes_b) {
    if (size_b % collective.element_b != 0)
      throw Error(ErrorKind::config,
                  fmt::format("{} is not a multiple of {} bytes: {} adds doubles",
                              collective::size_text(size_b), collective.element_b,
                              collective.function));
    if (collective.message_for_each && size_b > most_b / processes)
      throw Error(ErrorKind::config,
                  fmt::format("{} for each of {} processes are more than 2 GiB - 1 in one buffer",
                              collective::size_text(size_b), processes),
                  "smaller --sizes, or fewer processes");
  }
}

void check_threads(const Plan& plan, std::size_t processes_per_node) {
  if (plan.threads.empty())
    return;
  const double needed_b = static_cast<double>(processes_per_node) *
                          static_cast<double>(std::ranges::max(plan.threads)) *
                          static_cast<double>(std::ranges::max(plan.sizes_b));
  const double there_b =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (needed_b > there_b)
    throw Error(
        ErrorKind::config,
        fmt::format("the threads of {} processes on a node, {} in each, need {:.0f} GiB of "
                    "memory for {}; this machine has {:.0f}",
                    processes_per_node, std::ranges::max(plan.threads), needed_b / (1U << 30U),
                    collective::size_text(std::ranges::max(plan.sizes_b)), there_b / (1U << 30U)),
        "smaller --sizes, or fewer --threads");
}

control::Variables waiting_of_threads(const Plan& plan, std::size_t processes_per_node,
                                      std::size_t cpus, const runtime::Environment& environment) {
  constexpr const char* policy = "OMP_WAIT_POLICY";
  const bool crowded =
      !plan.threads.empty() && processes_per_node * std::ranges::max(plan.threads) > cpus;
  if (!crowded || environment(policy) || environment("GOMP_SPINCOUNT"))
    return {};
  return {{policy, "passive"}};
}

Calibration begin_calibration(const std::optional<Calibration>& earlier, const Plan& plan,
                              const Launch& launch, const std::vector<Hello>& parts,
                              const Power& power) {
  const Conditions now = conditions_of(plan, launch, parts.front(), power);
  for (const Hello& part : parts) {
    check_sizes(*plan.collective, plan.sizes_b, part.processes);
    check_threads(plan, part.processes_per_node());
  }
  if (!earlier)
    return {.conditions = now, .seed = plan.seed, .passes = plan.passes};
  check_same(*earlier, now, plan.seed);
  Calibration calibration = *earlier;
  calibration.passes = std::max(calibration.passes, plan.passes);
  return calibration;
}

JobEnd measure(Calibration& calibration, const Plan& plan, const Launch& launch, const Hello& hello,
               const Power& power, const Listener& listener) {
  const auto& collective = collective::collective_named(calibration.conditions.collective);
  auto variants = variants_of(collective, launch.library, plan.segments_b);
  add_of_programs(variants, plan);
  auto steps = missing_steps(calibration, variants, plan.sizes_b, hello.nodes,
                             hello.processes_per_node(), plan.passes);
  if (steps.empty())
    return {.done = true};
  const std::string schedule = schedule_text(steps, launch, collective);
  constexpr std::size_t longest_argument = 120000; // Linux allows 128 KiB
  if (schedule.size() > longest_argument)
    throw Error(ErrorKind::config, fmt::format("{} cells are too many for one job", steps.size()),
                "fewer --passes, --segments or --sizes; the same command with more goes on");
  Recorder recorder(calibration, std::move(steps), hello, power, listener);
  return run_collectives(launch,
                         {"time", fmt::format("{}", hello.processes_per_node()),
                          std::string(collective.name), fmt::format("{}", plan.seconds_per_cell),
                          arrival_text(plan.arrival), fmt::format("{}", plan.seed), schedule},
                         [&](const Line& line) { recorder.take(line); });
}

} // namespace hypermile::tune
