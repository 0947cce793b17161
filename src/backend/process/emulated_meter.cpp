#include "backend/process/emulated_meter.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hypermile::backend::process {

Joules emulated_energy(const model::NodeType& node, const std::vector<GearUse>& use) {
  Joules energy;
  for (std::size_t gear = 0; gear < use.size(); ++gear) {
    if (use[gear].time <= Seconds{})
      continue;
    const double busy_cores = node.gears.scale(gear) * (use[gear].cpu_time / use[gear].time);
    const double share = std::min(1.0, busy_cores / static_cast<double>(node.cores));
    const auto& power = node.power[gear];
    energy += (power.idle + share * (power.computing - power.idle)) * use[gear].time;
  }
  return energy;
}

EmulatedMeter::EmulatedMeter(model::NodeType node, const DutyCycleActuator& actuator)
    : node_(std::move(node)), actuator_(actuator) {
  if (node_.power.size() != node_.gears.size() || node_.gears.size() != actuator_.gears().size())
    throw Error(ErrorKind::config,
                fmt::format("a node of type {} has {} gears with a power, but {} are emulated",
                            node_.name, node_.power.size(), actuator_.gears().size()));
}

std::optional<Joules> EmulatedMeter::consumed() const {
  return emulated_energy(node_, actuator_.use());
}

std::string EmulatedMeter::why_not() const {
  return fmt::format(
      "nothing is measured: the energy is estimated from the program's CPU time and the "
      "power of a node of type {}",
      node_.name);
}

} // namespace hypermile::backend::process
