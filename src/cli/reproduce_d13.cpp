#include "cli/reproduce_d13.hpp"

#include "cli/commands.hpp"
#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/platform_file.hpp"
#include "cli/progress.hpp"

#include "collective/model.hpp"
#include "io/text_file.hpp"
#include "report/d13_report.hpp"
#include "sweep/results_folder.hpp"
#include "tune/calibration_json.hpp"
#include "tune/simulated.hpp"
#include "units/checksum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

namespace hypermile::cli {
namespace {

using collective::Variant;

constexpr const char* platform_name = "d13";
const collective::Collective& bcast() { return collective::collective_named("bcast"); }

constexpr std::size_t kib = 1U << 10U;
constexpr std::size_t mib = 1U << 20U;

/// Sizes and numbers of nodes that are calibrated are others than those of the application.
struct Application {
  const char* name;
  std::size_t messages;
  const char* size;
  std::size_t nodes;
  std::size_t processes_per_node;
  std::array<std::size_t, 2> calibrated_nodes;
  std::vector<std::size_t> calibrated_b;
  std::size_t simulated_messages;
  const char* published_least;
};

/// Steps of 64 KiB, so that messages of all kinds are there: among 14 x 8 processes a ring sends
/// parts of 9 kB, where SMPI's own factors change.
std::vector<std::size_t> around_a_megabyte() {
  std::vector<std::size_t> sizes_b;
  for (std::size_t size_b = 512 * kib; size_b <= 1280 * kib; size_b += 64 * kib)
    sizes_b.push_back(size_b);
  return sizes_b;
}

std::vector<Application> applications() {
  return {{"A", 2000, "1MB", 14, 8, {12, 16}, around_a_megabyte(), 4, "Hybrid/SAG"},
          {"B",
           80,
           "25MB",
           16,
           1,
           {8, 12},
           {5 * mib, 10 * mib, 20 * mib, 40 * mib},
           4,
           "Hybrid/Pipeline"},
          {"C", 4, "500MB", 10, 4, {8, 12}, {160 * mib, 640 * mib}, 1, "Hybrid/Pipeline"},
          {"D", 1, "1.75GB", 6, 12, {4, 8}, {320 * mib, 2047 * mib}, 1, "Hybrid/Pipeline"}};
}

struct Algorithm {
  const char* name;
  Variant variant;
  bool hybrid;
};

std::vector<Algorithm> algorithms() {
  const Variant sag{.algorithm = "scatter_LR_allgather"};
  const Variant pipeline{.algorithm = "pipeline", .segment_b = 128 * kib};
  return {{"MPI/SAG", sag, false},
          {"MPI/Pipeline", pipeline, false},
          {"Hybrid/SAG", sag, true},
          {"Hybrid/Pipeline", pipeline, true}};
}

/// As it is for this application: with one process per node there is nothing to copy.
Variant for_application(const Algorithm& algorithm, const Application& application) {
  Variant variant = algorithm.variant;
  variant.threads = algorithm.hybrid ? application.processes_per_node : 1;
  return variant;
}

/// SMPI's own factors were measured on Gigabit Ethernet; see docs/reproduction/d13.md.
const std::vector<std::string> network_options{"smpi/lat-factor:0:1", "smpi/bw-factor:0:0.94"};

tune::SimulatedPlan plan_for(const Application& application) {
  tune::SimulatedPlan plan{.collective = &bcast()};
  for (const Algorithm& algorithm : algorithms())
    if (!algorithm.hybrid)
      plan.variants.push_back(algorithm.variant);
  for (const std::size_t nodes : application.calibrated_nodes) {
    plan.setups.push_back({nodes, application.processes_per_node, application.calibrated_b});
    if (application.processes_per_node > 1)
      plan.setups.push_back({nodes, 1, application.calibrated_b});
  }
  return plan;
}

collective::Question question_of(const Application& application) {
  return {.nodes = application.nodes,
          .processes_per_node = application.processes_per_node,
          .size_b = collective::parse_size(application.size),
          .messages = application.messages};
}

report::D13Cost cost_in(const std::vector<collective::Estimate>& estimates,
                        const Variant& variant) {
  const auto found = std::ranges::find(estimates, variant, &collective::Estimate::variant);
  return {found->time.value, found->energy->value};
}

void estimate_all(report::D13Application& made, const Application& application,
                  const collective::Calibration& calibration) {
  const auto question = question_of(application);
  const auto ours = collective::Model(calibration).estimate(question);
  const auto by_paper =
      collective::Model(calibration, collective::Formulas::paper).estimate(question);
  for (const Algorithm& algorithm : algorithms()) {
    const Variant variant = for_application(algorithm, application);
    made.algorithms.push_back({.name = algorithm.name,
                               .estimated = cost_in(ours, variant),
                               .by_paper = cost_in(by_paper, variant)});
  }
}

/// Of all messages, as hybrids have it.
void tell_copying(report::D13Application& made, const collective::Calibration& calibration) {
  const auto& copying = calibration.copies.back();
  if (made.processes_per_node < 2)
    return;
  made.copying_power = copying.node_power * static_cast<double>(made.nodes) +
                       calibration.switch_power.value_or(Watts{});
  made.copying_time =
      (copying.start + Seconds{static_cast<double>(made.size_b) / copying.rate.value()}) *
      static_cast<double>(made.messages);
}

/// What an application needs of simulations, and where that is kept.
class Kept {
public:
  Kept(const tune::SimulatedMachine& machine, std::string folder, const Application& application,
       std::function<void(const std::string&)> status)
      : machine_(machine), folder_(std::move(folder)), application_(application),
        status_(std::move(status)) {}

  /// Simulates what is missing of the plan.
  [[nodiscard]] collective::Calibration get(const std::string& what,
                                            const tune::SimulatedPlan& plan) const {
    auto calibration = tune::begin_simulated(std::nullopt, machine_, plan);
    const std::string file = file_of(what, calibration.conditions, plan);
    if (const auto earlier = read(file); earlier && earlier->conditions == calibration.conditions)
      calibration = tune::begin_simulated(earlier, machine_, plan);
    tune::calibrate_simulated(
        calibration, machine_, plan,
        [&](const auto& so_far) { io::write_text_file(file, tune::calibration_json(so_far)); },
        status_);
    return calibration;
  }

private:
  /// Whatever would come out otherwise is in another file.
  [[nodiscard]] std::string file_of(const std::string& what,
                                    const collective::Conditions& conditions,
                                    const tune::SimulatedPlan& plan) const {
    const std::string origin = fmt::format("{}\n{}\n{}\n{}", conditions.version, conditions.machine,
                                           conditions.power_source, plan.messages);
    return std::filesystem::path(folder_) /
           fmt::format("d13-{}-{}-{:016x}.json", application_.name, what, checksum(origin));
  }

  /// None: there is none, or it cannot be understood and is made again.
  static std::optional<collective::Calibration> read(const std::string& file) {
    try {
      return std::filesystem::exists(file)
                 ? std::optional(tune::parse_calibration(io::read_text_file(file), file))
                 : std::nullopt;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  const tune::SimulatedMachine& machine_;
  std::string folder_;
  const Application& application_;
  std::function<void(const std::string&)> status_;
};

/// Of the application's own processes and size.
tune::SimulatedPlan own_plan(const Application& application, bool hybrid) {
  tune::SimulatedPlan plan{.collective = &bcast(),
                           .setups = {{application.nodes,
                                       application.processes_per_node,
                                       {collective::parse_size(application.size)}}},
                           .messages = application.simulated_messages,
                           .hybrid = hybrid};
  for (const Algorithm& algorithm : algorithms())
    if (!algorithm.hybrid)
      plan.variants.push_back(algorithm.variant);
  return plan;
}

/// One message in a simulation, times all.
report::D13Cost cost_of(const collective::Calibration& simulated, Variant variant,
                        const Application& application, Watts switches) {
  variant.threads = 1;
  const auto* const measured =
      find_measured(simulated, application.nodes, application.processes_per_node);
  const auto* const cell = find_cell(*measured, variant, collective::parse_size(application.size));
  const Seconds time = cell->times.front() * static_cast<double>(application.messages);
  return {time, (cell->powers.front() + switches) * time};
}

void simulate_all(report::D13Application& made, const Application& application, const Kept& kept,
                  Watts switches) {
  const auto pure = kept.get("simulated", own_plan(application, false));
  const bool has_hybrids = application.processes_per_node > 1;
  const auto hybrid =
      has_hybrids ? kept.get("hybrids", own_plan(application, true)) : collective::Calibration{};
  const auto all = algorithms();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Variant variant = for_application(all[i], application);
    made.algorithms[i].simulated =
        cost_of(is_hybrid(variant) ? hybrid : pure, variant, application, switches);
  }
}

report::D13Application make(const Application& application, const tune::SimulatedMachine& machine,
                            const std::string& results, ProgressLine& progress) {
  const auto status = [&](const std::string& text) {
    progress.status(fmt::format("{}: {}", application.name, text));
  };
  report::D13Application made{.name = application.name,
                              .messages = application.messages,
                              .size = application.size,
                              .size_b = collective::parse_size(application.size),
                              .nodes = application.nodes,
                              .processes_per_node = application.processes_per_node,
                              .calibrated_nodes = {application.calibrated_nodes.begin(),
                                                   application.calibrated_nodes.end()},
                              .simulated_messages = application.simulated_messages,
                              .published_least = application.published_least};
  for (const std::size_t size_b : application.calibrated_b)
    made.calibrated_sizes.push_back(collective::size_text(size_b));
  const Kept kept(machine, results, application, status);
  const auto calibration = kept.get("calibration", plan_for(application));
  estimate_all(made, application, calibration);
  tell_copying(made, calibration);
  simulate_all(made, application, kept, calibration.switch_power.value_or(Watts{}));
  progress.step(fmt::format("{}: estimated and simulated", application.name));
  return made;
}

} // namespace

int reproduce_d13(const D13Options& options) {
  const tune::SimulatedMachine machine{
      .platform = load_named_platform(platform_name),
      .platform_name = platform_name,
      .installation = find_installation(),
      .program_folder = program_folder(),
      .waiting = simulate::Waiting::spinning,
      .simgrid_options = options.smpi_factors ? std::vector<std::string>{} : network_options,
      .jobs = options.jobs};
  report::D13Report report{.platform = platform_name, .simgrid_options = machine.simgrid_options};
  const auto& only = options.applications;
  {
    const auto lock = sweep::ResultsFolder(options.results).lock(sweep::FileLock::Kind::alone);
    const simulate::Interruption interruption;
    ProgressLine progress(options.quiet);
    for (const Application& application : applications())
      if (only.empty() || std::ranges::find(only, application.name) != only.end())
        report.applications.push_back(make(application, machine, options.results, progress));
  }
  print_result(options.json ? report::d13_json(report) : report::print_d13(report));
  return static_cast<int>(ExitCode::success);
}

} // namespace hypermile::cli
