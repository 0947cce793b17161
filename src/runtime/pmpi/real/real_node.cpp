#include "runtime/pmpi/real/real_node.hpp"

#include "backend/cpufreq/actuator.hpp"
#include "backend/cpufreq/take.hpp"
#include "backend/powercap/meter.hpp"
#include "backend/topology/topology.hpp"
#include "control/kept_gear.hpp"
#include "control/no_meter.hpp"
#include "control/owner.hpp"
#include "control/place.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <utility>

namespace hypermile::runtime::pmpi {
namespace {

namespace topology = backend::topology;

/// Where no platform tells: a node that computes draws five times as much as one that does not,
/// as the nodes of [F16] Table 2.1 and 3.1 do. The watts mean nothing, their ratios something.
constexpr Watts assumed_dynamic{80};
constexpr Watts assumed_static{20};

/// Frequencies of one gear differ by less than this.
constexpr double same_frequency = 0.01;

/// The program that restores what was set, found from where this library is.
std::string guard_program() {
  Dl_info info{};
  static const char here = 0;
  if (dladdr(&here, &info) == 0)
    return "hypermile-guard";
  auto folder = std::filesystem::absolute(info.dli_fname).parent_path();
  for ([[maybe_unused]] const auto& part : std::filesystem::path(HYPERMILE_LIBDIR) / "hypermile")
    folder = folder.parent_path();
  return folder / HYPERMILE_LIBEXECDIR / "hypermile/hypermile-guard";
}

/// By the variables of Slurm, PBS and others; empty: none.
std::string job_name() {
  for (const char* const name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"})
    if (const char* const value = std::getenv(name))
      return value;
  return "";
}

/// Whether gears are to be set at all.
bool sets_gears(const Settings& settings) {
  return !settings.dry_run && settings.backend != "none" && settings.method != "none";
}

cpufreq::Taken take(const Settings& settings, const std::vector<int>& cpus, NodeAccess& access) {
  const control::Place place = control::this_place();
  if (sets_gears(settings))
    try {
      cpufreq::Taken taken = cpufreq::take(
          place, cpus, guard_program(),
          control::this_process(job_name(), std::filesystem::read_symlink("/proc/self/exe")));
      const cpufreq::Machine& machine = taken.machine;
      if (taken.lease)
        access.backend = "cpufreq";
      else
        access.remarks.emplace_back(
            Error(ErrorKind::unsupported, machine.obstacle, machine.advice).what());
      return taken;
    } catch (const std::exception& error) {
      access.remarks.push_back(fmt::format("no gear is set: {}", error.what()));
    }
  return {cpufreq::inspect(place.sysfs, cpus), nullptr};
}

std::vector<double> in_hertz(const std::optional<model::GearTable>& gears) {
  std::vector<double> frequencies;
  for (model::Gear g = 0; gears && g < gears->size(); ++g)
    frequencies.push_back(gears->frequency(g).value());
  return frequencies;
}

model::NodeType assumed_type(const std::vector<double>& hertz, std::size_t cores) {
  std::vector<Hertz> frequencies;
  for (const double frequency : hertz)
    frequencies.emplace_back(frequency);
  const bool known = !frequencies.empty();
  std::string name = known ? fmt::format("{:.3g}GHz", frequencies[0].value() / 1e9) : "unknown";
  if (!known)
    frequencies.emplace_back(1);
  model::GearTable gears{std::move(frequencies)};
  auto power = known ? model::cubic_power(gears, assumed_dynamic, assumed_static)
                     : std::vector{model::GearPower{}};
  return {.name = std::move(name),
          .cores = cores,
          .speed = Speed{1},
          .gears = std::move(gears),
          .power = std::move(power),
          .frequencies_known = known};
}

std::string fits(const model::NodeType& type, const model::GearTable& real) {
  const Hertz wanted = type.gears.frequency(0);
  const Hertz fastest = real.frequency(0);
  if (std::abs(wanted / fastest - 1) < same_frequency)
    return "";
  return fmt::format("the platform gives type {} {:.3g} GHz at most, the host has {:.3g} GHz",
                     type.name, wanted.value() / 1e9, fastest.value() / 1e9);
}

std::unique_ptr<control::Meter> open_meter(const Settings& settings, NodeAccess& access) {
  if (settings.meter != "auto" && settings.meter != "powercap")
    return std::make_unique<control::NoMeter>();
  auto meter = std::make_unique<backend::powercap::PowercapMeter>(control::this_place().sysfs);
  access.meter = meter->measures();
  if (meter->why_not().empty())
    return meter;
  access.remarks.push_back(meter->why_not());
  return std::make_unique<control::NoMeter>();
}

/// The actuator, and what is remarkable about it.
std::unique_ptr<control::Actuator> open_actuator(const model::NodeType& type, cpufreq::Taken& taken,
                                                 NodeAccess& access) {
  if (!taken.lease)
    return std::make_unique<NoActuator>();
  const std::string misfit = fits(type, *taken.machine.gears);
  if (!misfit.empty())
    access.remarks.push_back(misfit);
  taken.machine.gears = type.gears;
  return std::make_unique<cpufreq::FrequencyActuator>(std::move(taken.machine), *taken.lease);
}

} // namespace

std::vector<int> cpus_of_ranks(const JobCommunicators& job) {
  std::vector<int> own;
  for (const std::size_t cpu : topology::allowed_cpus())
    own.push_back(static_cast<int>(cpu));
  return job.united(own);
}

Machine real_machine(const Settings& settings, const JobCommunicators& job,
                     const std::optional<model::Platform>& platform) {
  const auto cpus = cpus_of_ranks(job);
  NodeAccess access{.backend = "", .meter = ""};
  cpufreq::Taken taken;
  if (job.leads())
    taken = take(settings, cpus, access);
  // Everybody on the host has to know its gears, and whether they are set.
  const auto frequencies = job.from_leader(in_hertz(taken.machine.gears));
  const bool set = !job.from_leader(taken.lease ? std::vector{1.0} : std::vector<double>{}).empty();

  const model::NodeType* const described =
      platform ? model::type_of_host(*platform, job.host()) : nullptr;
  if (platform && described == nullptr)
    access.remarks.push_back(
        fmt::format("platform {} knows no host of this name; its power is assumed; try: 'hosts' in "
                    "the platform's file",
                    platform->name));
  const std::size_t cores = topology::read_topology().cores({cpus.begin(), cpus.end()});
  model::NodeType type = described != nullptr ? *described : assumed_type(frequencies, cores);
  access.power_assumed = described == nullptr;

  Machine machine{.node = {job.host(), type},
                  .known = described != nullptr || !frequencies.empty()};
  if (!job.leads()) {
    machine.actuator =
        set ? std::unique_ptr<control::Actuator>(std::make_unique<control::KeptGear>())
            : std::make_unique<NoActuator>();
    machine.meter = std::make_unique<control::NoMeter>();
    return machine;
  }
  machine.actuator = open_actuator(type, taken, access);
  machine.meter = open_meter(settings, access);
  machine.lease = std::move(taken.lease);
  machine.access = std::move(access);
  return machine;
}

} // namespace hypermile::runtime::pmpi
