#include "session/machine.hpp"

#include "backend/cpufreq/actuator.hpp"
#include "backend/cpufreq/take.hpp"
#include "backend/powercap/meter.hpp"
#include "backend/process/duty_cycle_actuator.hpp"
#include "backend/process/emulated_meter.hpp"
#include "backend/topology/topology.hpp"
#include "control/no_meter.hpp"
#include "control/owner.hpp"
#include "control/place.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>

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

Node node_of(const control::CpuSet& allowed, const model::GearTable& gears, bool take_time) {
  const topology::Topology machine = topology::read_topology();
  return {.space = steer::all_configurations(shape_of(machine, allowed, gears)),
          .linear = topology::cores_in_order(machine, allowed, Placement::linear),
          .interleaved = topology::cores_in_order(machine, allowed, Placement::interleaved),
          .gears_take_time = take_time};
}

/// Where none are set there is one, of a frequency that nobody knows.
Node without_gears(const control::CpuSet& allowed) {
  return node_of(allowed, model::GearTable({Hertz{1}}), false);
}

} // namespace

struct Machine::State {
  explicit State(const control::CpuSet& allowed) : node(without_gears(allowed)) {}

  Node node;
  std::string backend = "cores";
  std::string measures;
  std::vector<std::string> remarks;
  std::unique_ptr<control::Lease> lease; ///< outlives what sets gears through it
  std::unique_ptr<control::Actuator> gears;
  std::unique_ptr<control::Meter> meter = std::make_unique<control::NoMeter>();

  std::optional<model::NodeType> emulated;

  void emulate(const MachineOptions& options, const control::CpuSet& allowed);
  void take_cpufreq(const MachineOptions& options, const control::CpuSet& allowed,
                    const std::string& program);
  void open_meter(const MachineOptions& options);
};

void Machine::State::emulate(const MachineOptions& options, const control::CpuSet& allowed) {
  const std::size_t cores = topology::read_topology().cores(allowed);
  emulated = options.emulated.value_or(assumed_node(cores));
  emulated->cores = cores;
  node = node_of(allowed, emulated->gears, true);
  backend = "emulated";
  measures = "emulated";
}

void Machine::State::take_cpufreq(const MachineOptions& options, const control::CpuSet& allowed,
                                  const std::string& program) {
  const std::vector<int> cpus(allowed.begin(), allowed.end());
  try {
    cpufreq::Taken taken = cpufreq::take(control::this_place(), cpus, options.guard,
                                         control::this_process("", program));
    if (!taken.lease)
      throw Error(ErrorKind::unsupported, taken.machine.obstacle, taken.machine.advice);
    const model::GearTable table = taken.machine.gears.value();
    gears = std::make_unique<cpufreq::FrequencyActuator>(std::move(taken.machine), *taken.lease);
    lease = std::move(taken.lease);
    node = node_of(allowed, table, false);
    backend = "cpufreq";
  } catch (const Error& error) {
    if (options.backend == "cpufreq") // what was asked for by its name must be there
      throw;
    remarks.push_back(fmt::format("no gears are set: {}", error.what()));
  }
}

void Machine::State::open_meter(const MachineOptions& options) {
  if (options.meter == "model")
    return;
  auto counters = std::make_unique<backend::powercap::PowercapMeter>(control::this_place().sysfs);
  if (const std::string why = counters->why_not(); !why.empty()) {
    if (options.meter == "powercap")
      throw Error(ErrorKind::unsupported, why);
    remarks.push_back(fmt::format("power is not measured: {}", why));
    return;
  }
  measures = counters->measures();
  meter = std::move(counters);
}

Machine::Machine(const MachineOptions& options, const control::CpuSet& allowed,
                 const std::string& program)
    : state_(std::make_unique<State>(allowed)) {
  if (options.backend == "emulated") {
    state_->emulate(options, allowed);
    return;
  }
  if (options.backend != "cores")
    state_->take_cpufreq(options, allowed, program);
  state_->open_meter(options);
}

void Machine::attach(process::Supervisor& supervisor, const control::Clock& clock) {
  if (!state_->emulated)
    return;
  auto actuator =
      std::make_unique<process::DutyCycleActuator>(state_->emulated->gears, supervisor, clock);
  state_->meter = std::make_unique<process::EmulatedMeter>(*state_->emulated, *actuator);
  state_->gears = std::move(actuator);
}

std::vector<std::string> Machine::release() {
  state_->gears.reset();
  return state_->lease ? state_->lease->release() : std::vector<std::string>{};
}

Machine::~Machine() = default;

const Node& Machine::node() const { return state_->node; }
control::Actuator* Machine::gears() { return state_->gears.get(); }
control::Meter& Machine::meter() { return *state_->meter; }
const std::string& Machine::backend() const { return state_->backend; }
const std::string& Machine::measures() const { return state_->measures; }
const std::vector<std::string>& Machine::remarks() const { return state_->remarks; }

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
