#include "cli/calibrate_node.hpp"

#include "cli/installation.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"

#include "backend/topology/topology.hpp"
#include "calibrate/node_gears.hpp"
#include "calibrate/node_workbench.hpp"
#include "control/place.hpp"
#include "control/small_file.hpp"
#include "machine/open.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

namespace hypermile::cli {
namespace {

namespace topology = backend::topology;
using calibrate::Calibration;
using calibrate::Course;
using calibrate::Load;
using calibrate::PowerSource;

std::string machine_root() {
  const char* const value = std::getenv("HYPERMILE_ROOT");
  return value == nullptr ? "" : value;
}

std::string guard() {
  const std::string file = program_folder() + "/hypermile-guard";
  return std::filesystem::exists(file) ? file : "";
}

control::Access access_of(const CalibrateOptions& options) {
  return {.place = control::this_place(),
          .guard = guard(),
          .owner = control::this_process("", "hypermile calibrate-power"),
          .options = options.own};
}

PowerSource live_source(const std::string& meter, const control::Access& access) {
  machine::OpenedMeter opened = machine::open_meter(meter, access);
  if (!opened.problem)
    return {.counter = std::move(opened.meter),
            .measures = fmt::format("{} ({})", opened.measures, opened.name)};
  const std::string why =
      fmt::format("{}; or --meter wattmeter:FILE, or --assume with the figures of a data sheet",
                  opened.problem->what());
  if (opened.not_permitted)
    throw NotPermitted(ErrorKind::unsupported, why);
  throw Error(ErrorKind::unsupported, why);
}

PowerSource log_source(const std::string& meter, const std::string& file) {
  PowerSource source;
  source.log = meter;
  source.node = control::node_name();
  source.measures = fmt::format("{} ({})", machine::find_meter(meter)->name,
                                std::filesystem::path(file).filename().string());
  (void)calibrate::has_come_to(source, Seconds{}); // a log that cannot be read is found out now
  return source;
}

std::optional<PowerSource> choose_source(const CalibrateOptions& options,
                                         const control::Access& access) {
  if (options.assumed)
    return std::nullopt;
  const auto log = machine::log_file(options.meter);
  return log ? log_source(options.meter, *log) : live_source(options.meter, access);
}

/// At most eight, from the first to the last.
std::vector<model::Gear> spread(std::size_t gears) {
  const std::size_t count = std::min<std::size_t>(gears, 8);
  std::vector<model::Gear> some;
  for (std::size_t i = 0; i < count; ++i)
    some.push_back(count == 1 ? 0 : (i * (gears - 1) + (count - 1) / 2) / (count - 1));
  return some;
}

/// `all`: where nothing is chosen. `first`: gear 0 must be among them.
std::vector<model::Gear> choose_gears(const CalibrateOptions& options, std::size_t gears, bool all,
                                      bool first) {
  for (const model::Gear gear : options.gears)
    if (gear >= gears)
      throw Error(ErrorKind::config, fmt::format("this node has no gear {}", gear),
                  fmt::format("gears from 0 to {}", gears - 1));
  if (!options.gears.empty()) {
    if (first && std::ranges::find(options.gears, 0U) == options.gears.end())
      throw Error(ErrorKind::config,
                  "--gears leaves out gear 0, with which the others are compared here",
                  "--gears with 0");
    return options.gears;
  }
  if (!all && !options.all_gears)
    return spread(gears);
  std::vector<model::Gear> every;
  for (model::Gear gear = 0; gear < gears; ++gear)
    every.push_back(gear);
  return every;
}

/// Other programs make figures too large.
void remark_on_load(std::vector<std::string>& remarks) {
  try {
    const std::string load = control::read_small_file(machine_root() + "/proc/loadavg");
    if (std::atof(load.c_str()) >= 0.5)
      remarks.push_back(fmt::format("other programs were running before it began (load average {})",
                                    load.substr(0, load.find(' '))));
  } catch (const control::FileError&) { // not told
  }
}

class Run {
public:
  Run(const CalibrateOptions& options, const control::Access& access)
      : options_(options), source_(choose_source(options, access)),
        topology_(topology::read_topology()),
        cpus_(topology_.one_per_core(topology::allowed_cpus())),
        gears_(options.backend, access, machine_root()), progress_(options.quiet) {
    if (has_measured_gears_only() && options.assumed)
      throw Error(
          ErrorKind::config,
          "--assume tells nothing of power limits and uncore frequencies: what a node draws "
          "with them is measured",
          "--meter, or gears that are frequencies alone");
  }

  Calibration calibrate() {
    std::vector<std::string> remarks;
    remark_on_load(remarks);
    calibrate::NodeWorkbench bench(cpus_);
    const Course course{options_.seconds, gears_to_measure(bench, remarks)};
    announce(course);
    const model::GearTable table = table_of(bench);
    auto measurements = measure(course, bench);
    measurements.remarks.insert(measurements.remarks.begin(), remarks.begin(), remarks.end());
    auto calibration =
        calibrate::conclude({control::node_name(), cpus_.size(), table, gears_.frequencies_known(),
                             gears_.power_limits(), gears_.uncore()},
                            std::move(measurements), course, options_.assumed);
    calibration.date = fmt::format("{:%Y-%m-%d %H:%M} UTC",
                                   fmt::gmtime(static_cast<std::time_t>(bench.now().value())));
    calibration.meter = source_ ? source_->measures : "";
    return calibration;
  }

private:
  /// Whatever happens, the gears are restored, and it is said where they are not.
  calibrate::Measurements measure(const Course& course, calibrate::NodeWorkbench& bench) {
    try {
      auto measurements = calibrate::measure(
          course, bench, gears_.actuator(), source_ ? &*source_ : nullptr,
          [this](model::Gear gear, Load load, double done) { show(gear, load, done); });
      restore();
      return measurements;
    } catch (...) {
      restore();
      throw;
    }
  }

  std::vector<model::Gear> gears_to_measure(calibrate::NodeWorkbench& bench,
                                            std::vector<std::string>& remarks) {
    const std::size_t cores = topology_.cores(topology_.all());
    if (cpus_.size() < cores)
      remarks.push_back(fmt::format("{} of {} cores may be used here, and only these were loaded",
                                    cpus_.size(), cores));
    if (gears_.actuator() != nullptr)
      return choose_gears(options_, gears_.count(), !gears_.power_limits().empty(),
                          has_measured_gears_only());
    bench.put(Load::computing);
    bench.wait(options_.seconds * 0.1);
    const model::Gear present = gears_.present();
    bench.put(Load::idle);
    remarks.push_back(
        fmt::format("gears cannot be set ({}); only the present one, gear {}, is measured",
                    gears_.why_not(), present));
    return {present};
  }

  /// Those that were not measured do not follow from the others.
  [[nodiscard]] bool has_measured_gears_only() const {
    return !gears_.power_limits().empty() || !gears_.uncore().empty();
  }

  /// Where gears are power limits: the frequency in gear 0, in which the node is still.
  model::GearTable table_of(calibrate::NodeWorkbench& bench) {
    if (gears_.power_limits().empty())
      return gears_.table();
    bench.put(Load::computing);
    bench.wait(std::min(options_.seconds * 0.1, Seconds{1}));
    const auto present = gears_.present_frequency();
    bench.put(Load::idle);
    return present ? model::GearTable({*present}) : gears_.table();
  }

  void announce(const Course& course) {
    const double parts = source_ ? 3 : 1;
    const Seconds part = course.seconds + calibrate::settling(course, gears_.actuator());
    const double time = parts * part.value() * static_cast<double>(course.gears.size());
    progress_.step(fmt::format("measuring {} gear{} on {} core{}: {:.3g} s", course.gears.size(),
                               course.gears.size() == 1 ? "" : "s", cpus_.size(),
                               cpus_.size() == 1 ? "" : "s", time));
  }

  void show(model::Gear gear, Load load, double done) {
    progress_.status(fmt::format("{:3.0f} %  gear {}, {}, {}", 100 * done, gear, gears_.name(gear),
                                 calibrate::name_of(load)));
  }

  void restore() {
    for (const std::string& failure : gears_.restore())
      print_remark(failure);
  }

  const CalibrateOptions& options_;
  std::optional<PowerSource> source_;
  topology::Topology topology_;
  topology::CpuSet cpus_;
  calibrate::NodeGears gears_;
  ProgressLine progress_;
};

} // namespace

Calibration calibrate_node(const CalibrateOptions& options) {
  return Run(options, access_of(options)).calibrate();
}

} // namespace hypermile::cli
