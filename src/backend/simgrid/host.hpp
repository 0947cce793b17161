#pragma once

#include "control/ports.hpp"
#include "model/platform.hpp"

#include <simgrid/s4u.hpp>

#include <string>
#include <vector>

/// The machine as SimGrid simulates it. Everything here runs inside a simulation only.
namespace hypermile::backend::simgrid {

/// Property of a host that hypermile generated: the frequency of each pstate, "2.5,2.4,..." in GHz.
inline constexpr const char* frequencies_property = "frequencies_ghz";
inline constexpr const char* limits_property = "power_limits_w";
inline constexpr const char* uncore_property = "uncore_ghz";
/// Property of a host that hypermile generated: the name of its node type.
inline constexpr const char* type_property = "node_type";
/// Likewise: where the host is, see model::NodeType::site; a platform of one site has none.
inline constexpr const char* site_property = "site";
/// Likewise: model::NodeType::sensitivity, where it is not 1. It is not told by describe().
inline constexpr const char* sensitivity_property = "sensitivity";

/// A host as a node type: gears are its pstates, power what its `wattage_per_state` says
/// (a rank that waits in MPI draws idle power). Throws Error{config} for a host whose pstates
/// are not fastest first or that states no power.
model::NodeType describe(const ::simgrid::s4u::Host& host);

/// How much computation on it reacts to gears, as far as its platform says.
double sensitivity_of(const ::simgrid::s4u::Host& host);

/// S of its present gear.
double scale_of(const ::simgrid::s4u::Host& host);

/// Names of the hosts that the ranks run on, by rank. Throws Error{config} for a rank that ended
/// without MPI.
std::vector<std::string> hosts_of_ranks(std::size_t ranks);

/// Lets so much simulated time pass for the calling rank, in which messages may arrive; a little at
/// least.
void idle(Seconds time);

class SimulatedClock final : public control::Clock {
public:
  [[nodiscard]] Seconds now() const override;
};

class HostActuator final : public control::Actuator {
public:
  explicit HostActuator(::simgrid::s4u::Host& host) : host_(host) {}
  [[nodiscard]] std::size_t gear() const override;
  /// Exact also in the middle of what other ranks of the host compute.
  void set_gear(std::size_t gear) override;

private:
  ::simgrid::s4u::Host& host_;
};

/// The energy that SimGrid's host_energy plugin has counted for the host.
class HostMeter final : public control::Meter {
public:
  explicit HostMeter(const ::simgrid::s4u::Host& host) : host_(host) {}
  [[nodiscard]] std::optional<Joules> consumed() const override;

private:
  const ::simgrid::s4u::Host& host_;
};

} // namespace hypermile::backend::simgrid
