#include "runtime/pmpi/real/node_connection.hpp"

#include "backend/emulated/computation.hpp"
#include "control/kept_gear.hpp"
#include "control/no_meter.hpp"
#include "io/platform_text.hpp"
#include "io/platform_yaml.hpp"
#include "machine/registry.hpp"
#include "runtime/exchange/messages.hpp"
#include "runtime/pmpi/functions.hpp"
#include "runtime/pmpi/real/real_node.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hypermile::runtime::pmpi {
namespace {

using backend::emulated::EmulatedComputation;

/// Read by rank 0 alone: other nodes need not have the file, nor its components. None: no platform
/// was given.
std::optional<model::Platform> shared_platform(const std::string& file, const std::string& bundled,
                                               const JobCommunicators& job) {
  if (file.empty())
    return std::nullopt;
  std::string text;
  std::string failure;
  try {
    if (job.rank() == 0)
      text = io::platform_text(io::load_platform(file, {.platform_folder = bundled, .swaps = {}}));
  } catch (const Error& error) {
    failure = error.what();
  }
  failure = job.from_first(failure);
  if (!failure.empty())
    throw Error(ErrorKind::config, failure);
  return io::parse_platform(job.from_first(text), file);
}

Speed fastest(const model::Platform& platform) {
  Speed speed;
  for (const auto& group : platform.groups)
    speed = std::max(speed, group.type.speed);
  return speed;
}

/// Ranks share cores where there are more of them on the machine than CPUs that they may use.
EmulatedComputation::Pause pause_on(const JobCommunicators& job) {
  const auto leader = static_cast<std::size_t>(job.leader_of(job.rank()));
  const auto ranks = std::ranges::count(job.leaders(), leader);
  return static_cast<std::size_t>(ranks) > cpus_of_ranks(job).size()
             ? EmulatedComputation::Pause::asleep
             : EmulatedComputation::Pause::awake;
}

/// Ranks fill the platform's nodes one after the other, as they do in a simulation.
NodeConnection connect_emulated_node(const Settings& settings, const model::Platform& platform,
                                     const JobCommunicators& job) {
  const auto nodes = model::place(platform, static_cast<std::size_t>(job.ranks()));
  const auto names = model::names_of(nodes);
  std::size_t node = 0;
  auto core = static_cast<std::size_t>(job.rank());
  for (; core >= nodes[node]->cores; ++node)
    core -= nodes[node]->cores;
  const model::NodeType& type = *nodes[node];
  NodeConnection connection{.node = {names[node], type}, .known = true, .speed = type.speed};
  if (settings.dry_run)
    connection.actuator = std::make_unique<NoActuator>();
  else
    connection.actuator = std::make_unique<control::KeptGear>();
  connection.sets_gears = !settings.dry_run;
  connection.meter = std::make_unique<control::NoMeter>();
  connection.computation = std::make_unique<EmulatedComputation>(
      type, fastest(platform), *connection.actuator, pause_on(job),
      [all = settings.sensitivities, of_type = type.sensitivity](std::uint16_t f,
                                                                 std::uint32_t place) {
        return all.before(name(static_cast<Function>(f)), place, of_type);
      });
  if (core == 0)
    connection.access = NodeAccess{.backend = settings.backend, .meter = ""};
  return connection;
}

void refuse(const char* variable, const std::string& what_is_wrong) {
  if (!what_is_wrong.empty())
    throw Error(ErrorKind::config, fmt::format("{}: {}", variable, what_is_wrong));
}

/// What is wrong with the type that hosts are assumed to be of; empty: nothing.
std::string wrong_type(const std::string& type, const std::optional<model::Platform>& platform) {
  if (type.empty() || (platform && model::type_named(*platform, type) != nullptr))
    return "";
  if (!platform)
    return "there is no platform whose type it could name";
  return fmt::format("the platform {} has no type '{}', only {}", platform->name, type,
                     fmt::join(type_names(*platform), ", "));
}

} // namespace

namespace {

NodeConnection connect(const Settings& settings, const JobCommunicators& job) {
  refuse("HYPERMILE_BACKEND", machine::check_backend(settings.backend));
  refuse("HYPERMILE_METER", machine::check_meter(settings.meter));
  const auto platform = shared_platform(settings.platform, settings.platform_folder, job);
  refuse("HYPERMILE_ASSUME", wrong_type(settings.assume, platform));
  const machine::Backend* const backend = machine::find_backend(settings.backend);
  if (backend == nullptr || !backend->emulates)
    return connect_real_node(
        settings, job,
        {.platform = platform,
         .assumed =
             settings.assume.empty() ? nullptr : model::type_named(*platform, settings.assume),
         .generic = shared_platform(settings.generic_platform, settings.platform_folder, job)});
  if (!platform)
    throw Error(ErrorKind::config,
                fmt::format("backend '{}' needs to know what to emulate", backend->name),
                "HYPERMILE_PLATFORM, or --platform of hypermile run");
  return connect_emulated_node(settings, *platform, job);
}

} // namespace

NodeConnection connect_node(const Settings& settings, const JobCommunicators& job) {
  NodeConnection connection = connect(settings, job);
  if (!settings.waits_spinning)
    return connection;
  const auto ranks = std::ranges::count(job.from_all(connection.node.name), connection.node.name);
  connection.node.type.power =
      model::spinning(connection.node.type, static_cast<std::size_t>(ranks));
  return connection;
}

std::vector<RankNode> nodes_of_ranks(const JobCommunicators& job, const RankNode& own) {
  const Bytes bytes = encode(RankReport{.rank = job.rank(), .node = own});
  std::vector<RankNode> nodes;
  for (const std::string& text : job.from_all({bytes.begin(), bytes.end()}))
    nodes.push_back(std::get<RankReport>(decode({text.begin(), text.end()})).node);
  return nodes;
}

void give_back(NodeConnection& connection, const control::Actuator& actuator,
               const control::Meter& meter) {
  if (!connection.access)
    return;
  auto& remarks = connection.access->remarks;
  if (std::string reason = meter.why_not(); !reason.empty())
    remarks.push_back(std::move(reason));
  if (!connection.lease)
    return;
  if (std::string problem = actuator.verify(); !problem.empty())
    remarks.push_back(std::move(problem));
  for (std::string& failure : connection.lease->release())
    remarks.push_back(std::move(failure));
  connection.lease.reset();
}

} // namespace hypermile::runtime::pmpi
