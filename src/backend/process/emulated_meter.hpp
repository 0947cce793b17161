#pragma once

#include "backend/process/duty_cycle_actuator.hpp"
#include "control/ports.hpp"
#include "model/platform.hpp"

#include <string>
#include <vector>

namespace hypermile::backend::process {

/// What a node would draw that does what a program did. A core that computes all the time uses 1/S
/// of it as CPU time under a duty cycle: with the CPU time c in a gear for a time t the share of
/// the node's cores that compute is S·c/(cores·t), at most 1. It draws its idle power, and that
/// share of what computing on all its cores adds; with cubic_power() that is the static power, and
/// that share of the dynamic power / S^3. [F16] Eq. 1.14
Joules emulated_energy(const model::NodeType& node, const std::vector<GearUse>& use);

/// Estimates the energy of a node that is not there. It measures nothing, and why_not() says so.
class EmulatedMeter final : public control::Meter {
public:
  /// `actuator` must outlive this. Throws Error{config} where its gears are not those of the node.
  EmulatedMeter(model::NodeType node, const DutyCycleActuator& actuator);

  /// Since the actuator was made; an estimate, never none.
  [[nodiscard]] std::optional<Joules> consumed() const override;
  [[nodiscard]] std::string why_not() const override;

private:
  model::NodeType node_;
  const DutyCycleActuator& actuator_;
};

} // namespace hypermile::backend::process
