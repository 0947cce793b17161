#include "runtime/pmpi/real/real_node.hpp"

#include "backend/topology/topology.hpp"
#include "control/kept_gear.hpp"
#include "control/no_meter.hpp"
#include "machine/open.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <iterator>
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
  return !settings.dry_run && (settings.method != "none" || settings.wait_gear != WaitGear::off);
}

control::Access access_of(const std::vector<int>& cpus, const model::NodeType* described) {
  std::error_code ignored;
  control::Access access{.place = control::this_place(),
                         .cpus = cpus,
                         .guard = guard_program(),
                         .owner = control::this_process(
                             job_name(), std::filesystem::read_symlink("/proc/self/exe", ignored)),
                         .options = machine::options_in(own_environment)};
  if (described != nullptr)
    access.gears = machine::settings_of(*described);
  return access;
}

std::vector<double> in_hertz(const std::vector<Hertz>& all) {
  std::vector<double> frequencies;
  for (const Hertz frequency : all)
    frequencies.push_back(frequency.value());
  return frequencies;
}

std::vector<Hertz> from_hertz(const std::vector<double>& all) {
  std::vector<Hertz> frequencies;
  for (const double frequency : all)
    frequencies.emplace_back(frequency);
  return frequencies;
}

std::vector<double> in_hertz(const std::optional<model::GearTable>& gears) {
  std::vector<double> frequencies;
  for (model::Gear g = 0; gears && g < gears->size(); ++g)
    frequencies.push_back(gears->frequency(g).value());
  return frequencies;
}

model::NodeType assumed_type(const std::vector<double>& hertz, std::size_t cores) {
  std::vector<Hertz> frequencies = from_hertz(hertz);
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

/// What the leader of the node does: what it cannot is told in `told`.
machine::Gears open_gears(const Settings& settings, const control::Access& access,
                          NodeAccess& told) {
  if (!sets_gears(settings))
    return machine::look_at_gears(settings.backend, access);
  machine::Gears gears = machine::open_gears(settings.backend, access);
  if (gears.backend != nullptr && gears.backend->needs_speeds && access.gears.empty()) {
    told.remarks.push_back(
        fmt::format("no gear is set: how fast the node is in the gears of backend '{}' is not "
                    "known; try: hypermile calibrate-power --backend {} --output node.yaml, then "
                    "--platform node.yaml",
                    gears.backend->name, gears.backend->name));
    return {};
  }
  if (gears.backend != nullptr)
    told.backend = gears.backend->name;
  std::ranges::move(gears.remarks, std::back_inserter(told.remarks));
  if (gears.problem)
    told.remarks.push_back(fmt::format("no gear is set: {}", gears.problem->what()));
  return gears;
}

std::unique_ptr<control::Meter> open_meter(const Settings& settings, const control::Access& access,
                                           NodeAccess& told) {
  machine::OpenedMeter opened = machine::open_meter(settings.meter, access);
  told.meter = opened.measures;
  if (opened.problem)
    told.remarks.emplace_back(opened.problem->what());
  return std::move(opened.meter);
}

} // namespace

std::vector<int> cpus_of_ranks(const JobCommunicators& job) {
  std::vector<int> own;
  for (const std::size_t cpu : topology::allowed_cpus())
    own.push_back(static_cast<int>(cpu));
  return job.united(own);
}

std::vector<std::string> type_names(const model::Platform& platform) {
  std::vector<std::string> names;
  for (const auto& group : platform.groups)
    names.push_back(group.type.name);
  return names;
}

namespace {

/// What a host is, as far as that is known or assumed.
struct Described {
  model::NodeType type;
  bool known = true; ///< its gears
};

/// Of a host whose type nobody has named. `frequencies`: of its gears, as the hardware tells.
Described undescribed(const Knowledge& knowledge, const std::vector<double>& frequencies,
                      std::size_t cores, NodeAccess& told) {
  told.power_assumed = true;
  if (!frequencies.empty() || !knowledge.generic)
    return {assumed_type(frequencies, cores), !frequencies.empty()};
  model::NodeType type = knowledge.generic->groups.front().type;
  type.cores = cores;
  told.assumed = NodeAccess::generic;
  told.remarks.push_back(fmt::format(
      "nothing is known of the node, so the frequencies and the power of {} were assumed (assumed: "
      "generic), and nothing is set; try: --platform, which 'hypermile calibrate-power' makes",
      knowledge.generic->description));
  return {std::move(type)};
}

std::string unnamed_host(const model::Platform& platform) {
  const auto types = type_names(platform);
  return fmt::format(
      "platform {} knows no host of this name; its power is assumed; try: 'hosts' in "
      "the platform's file, or --assume {}",
      platform.name, fmt::join(types, ", or --assume "));
}

} // namespace

NodeConnection connect_real_node(const Settings& settings, const JobCommunicators& job,
                                 const Knowledge& knowledge) {
  const auto cpus = cpus_of_ranks(job);
  const auto& platform = knowledge.platform;
  const model::NodeType* described =
      platform ? model::type_of_host(*platform, job.host()) : nullptr;
  NodeAccess told{.backend = "", .meter = ""};
  if (described == nullptr && knowledge.assumed != nullptr) {
    described = knowledge.assumed;
    told.power_assumed = true;
    told.assumed = described->name;
  }
  const control::Access access = access_of(cpus, described);
  machine::Gears gears;
  if (job.leads())
    gears = open_gears(settings, access, told);
  // Everybody on the host has to know its gears, and whether they are set.
  const auto frequencies = job.from_leader(in_hertz(gears.table));
  const auto uncore = job.from_leader(in_hertz(gears.uncore));
  const bool set =
      !job.from_leader(gears.actuator ? std::vector{1.0} : std::vector<double>{}).empty();

  const std::size_t cores = topology::read_topology().cores({cpus.begin(), cpus.end()});
  Described host = described != nullptr ? Described{*described}
                                        : undescribed(knowledge, frequencies, cores, told);
  NodeConnection connection{.node = {job.host(), std::move(host.type), told.power_assumed},
                            .known = host.known};
  if (described != nullptr)
    connection.speed = described->speed;
  if (uncore.size() == connection.node.type.gears.size()) // as they are set
    connection.node.type.uncore = from_hertz(uncore);
  const bool sets = set && told.assumed != NodeAccess::generic;
  connection.sets_gears = sets;
  if (!job.leads()) {
    connection.actuator =
        sets ? std::unique_ptr<control::Actuator>(std::make_unique<control::KeptGear>())
             : std::make_unique<NoActuator>();
    connection.meter = std::make_unique<control::NoMeter>();
    connection.metered = !job.from_leader({}).empty();
    return connection;
  }
  if (platform && described == nullptr)
    told.remarks.push_back(unnamed_host(*platform));
  if (const std::string misfit = set && gears.table ? fits(connection.node.type, *gears.table) : "";
      !misfit.empty())
    told.remarks.push_back(misfit);
  connection.actuator = sets ? std::move(gears.actuator) : std::make_unique<NoActuator>();
  connection.meter = open_meter(settings, access, told);
  connection.metered =
      !job.from_leader(connection.meter->consumed() ? std::vector{1.0} : std::vector<double>{})
           .empty();
  connection.lease = std::move(gears.lease);
  connection.access = std::move(told);
  return connection;
}

} // namespace hypermile::runtime::pmpi
