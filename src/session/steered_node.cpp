#include "session/steered_node.hpp"

#include "backend/process/duty_cycle_actuator.hpp"
#include "backend/process/emulated_meter.hpp"
#include "backend/topology/topology.hpp"
#include "control/no_meter.hpp"
#include "machine/open.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace hypermile::session {
namespace {

namespace topology = backend::topology;
namespace process = backend::process;
using model::Placement;

/// Sockets of equal size, or one: a node whose sockets differ has no shape that models know.
steer::NodeShape shape_of(const topology::Topology& machine, const control::CpuSet& allowed,
                          const model::GearTable& gears) {
  const std::size_t cores = machine.cores(allowed);
  const std::size_t packages = std::max<std::size_t>(machine.packages(allowed), 1);
  const std::size_t sockets = cores % packages == 0 ? packages : 1;
  return {.sockets = sockets, .cores_per_socket = cores / sockets, .gears = gears};
}

NodeLayout node_of(const control::CpuSet& allowed, const model::GearTable& gears, bool take_time) {
  const topology::Topology machine = topology::read_topology();
  return {.space = steer::all_configurations(shape_of(machine, allowed, gears)),
          .linear = topology::cores_in_order(machine, allowed, Placement::linear),
          .interleaved = topology::cores_in_order(machine, allowed, Placement::interleaved),
          .gears_take_time = take_time};
}

/// A processor that draws as the cube of its frequency.
model::GearTable by_cube_root(const std::vector<Watts>& limits) {
  std::vector<Hertz> speeds;
  for (const Watts limit : limits)
    speeds.emplace_back(1e9 * std::cbrt(limit / limits.front()));
  return model::GearTable(std::move(speeds));
}

std::vector<std::string> names_of(const std::vector<control::GearSetting>& gears) {
  std::vector<std::string> names;
  for (const control::GearSetting& gear : gears)
    names.push_back(gear.name);
  return names;
}

/// Where none are set there is one, of a frequency that nobody knows.
NodeLayout without_gears(const control::CpuSet& allowed) {
  return node_of(allowed, model::GearTable({Hertz{1}}), false);
}

} // namespace

struct SteeredNode::State {
  explicit State(const control::CpuSet& allowed) : node(without_gears(allowed)) {}

  NodeLayout node;
  std::string backend = "cores";
  std::string measures;
  std::vector<std::string> remarks;
  machine::Gears gears;
  std::unique_ptr<control::Meter> meter = std::make_unique<control::NoMeter>();

  std::optional<model::NodeType> emulated;

  void emulate(const SteeredNodeOptions& options, const control::CpuSet& allowed);
  void open_gears(const SteeredNodeOptions& options, const control::CpuSet& allowed,
                  const control::Access& access);
  void open_meter(const std::string& meter, const control::Access& access);
};

void SteeredNode::State::emulate(const SteeredNodeOptions& options,
                                 const control::CpuSet& allowed) {
  const std::size_t cores = topology::read_topology().cores(allowed);
  emulated = options.emulated.value_or(assumed_node(cores));
  emulated->cores = cores;
  node = node_of(allowed, emulated->gears, true);
  backend = options.backend;
  measures = "emulated";
}

void SteeredNode::State::open_gears(const SteeredNodeOptions& options,
                                    const control::CpuSet& allowed, const control::Access& access) {
  gears = machine::open_gears(options.backend, access);
  const auto limits = control::power_limits_of(gears.settings);
  if (gears.actuator && !limits.empty()) {
    node = node_of(allowed, options.limited ? options.limited->gears : by_cube_root(limits), false);
    node.space.node.frequencies_known = false;
    node.space.node.settings = names_of(gears.settings);
    backend = gears.backend->name;
    std::ranges::copy(gears.remarks, std::back_inserter(remarks));
    if (!options.limited)
      remarks.emplace_back("how fast the node is under its power limits is not known, and is "
                           "expected to fall as their cube root until it is seen; --platform with "
                           "what 'hypermile calibrate-power --backend power-limit' writes tells");
  } else if (gears.actuator && gears.table) {
    node = node_of(allowed, *gears.table, false);
    if (!gears.uncore.empty())
      node.space.node.settings = names_of(gears.settings);
    backend = gears.backend->name;
  } else if (gears.problem && options.backend != "auto") { // what was asked for must be there
    throw Error(*gears.problem);
  } else if (gears.problem) {
    remarks.push_back(fmt::format("no gears are set: {}", gears.problem->what()));
  }
}

void SteeredNode::State::open_meter(const std::string& name, const control::Access& access) {
  machine::OpenedMeter opened = machine::open_meter(name, access);
  if (opened.problem && name != "auto")
    throw Error(*opened.problem);
  if (opened.problem)
    remarks.push_back(fmt::format("power is not measured: {}", opened.problem->what()));
  measures = std::move(opened.measures);
  meter = std::move(opened.meter);
}

SteeredNode::SteeredNode(const SteeredNodeOptions& options, const control::CpuSet& allowed,
                         const std::string& program)
    : state_(std::make_unique<State>(allowed)) {
  if (const machine::Backend* const row = machine::find_backend(options.backend);
      row != nullptr && row->emulates) {
    state_->emulate(options, allowed);
    return;
  }
  const control::Access access{.place = control::this_place(),
                               .cpus = {allowed.begin(), allowed.end()},
                               .guard = options.guard,
                               .owner = control::this_process("", program),
                               .gears = options.limited ? machine::settings_of(*options.limited)
                                                        : std::vector<control::GearSetting>{},
                               .options = options.options};
  state_->open_gears(options, allowed, access);
  state_->open_meter(options.meter, access);
}

void SteeredNode::attach(process::Supervisor& supervisor, const control::Clock& clock) {
  if (!state_->emulated)
    return;
  auto actuator =
      std::make_unique<process::DutyCycleActuator>(state_->emulated->gears, supervisor, clock);
  state_->meter = std::make_unique<process::EmulatedMeter>(*state_->emulated, *actuator);
  state_->gears.actuator = std::move(actuator);
}

std::vector<std::string> SteeredNode::release() {
  state_->gears.actuator.reset();
  return state_->gears.lease ? state_->gears.lease->release() : std::vector<std::string>{};
}

SteeredNode::~SteeredNode() = default;

const NodeLayout& SteeredNode::node() const { return state_->node; }
control::Actuator* SteeredNode::gears() { return state_->gears.actuator.get(); }
control::Meter& SteeredNode::meter() { return *state_->meter; }
const std::string& SteeredNode::backend() const { return state_->backend; }
const std::string& SteeredNode::measures() const { return state_->measures; }
const std::vector<std::string>& SteeredNode::remarks() const { return state_->remarks; }

model::NodeType assumed_node(std::size_t cores) {
  model::GearTable gears = model::gear_grid(Hertz{2.4e9}, Hertz{1.2e9}, Hertz{0.2e9});
  auto power = model::cubic_power(gears, Watts{80}, Watts{20});
  return {.name = "emulated",
          .cores = cores,
          .speed = Speed{1},
          .gears = std::move(gears),
          .power = std::move(power)};
}

} // namespace hypermile::session
