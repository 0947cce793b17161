#include "backend/simgrid/host.hpp"

#include "units/error.hpp"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/plugins/energy.h>
#include <smpi/smpi.h>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace hypermile::backend::simgrid {
namespace {

/// What hypermile wrote next to the pstates; a host of the user's own has no such property.
template <class Q>
std::vector<Q> stated(const ::simgrid::s4u::Host& host, const char* property, double unit) {
  const char* text = host.get_property(property);
  std::vector<Q> values;
  std::istringstream list(text == nullptr ? "" : text);
  for (std::string value; std::getline(list, value, ',');)
    values.emplace_back(std::stod(value) * unit);
  return values;
}

std::vector<Hertz> relative_speeds(const ::simgrid::s4u::Host& host) {
  std::vector<Hertz> speeds;
  for (unsigned long p = 0; p < host.get_pstate_count(); ++p)
    speeds.emplace_back(host.get_pstate_speed(p));
  return speeds;
}

std::vector<model::GearPower> stated_power(const ::simgrid::s4u::Host& host) {
  if (host.get_property("wattage_per_state") == nullptr)
    throw Error(ErrorKind::config, "it states no power",
                "give it the property wattage_per_state=\"idle:epsilon:all_cores,...\", one entry "
                "per speed");
  std::vector<model::GearPower> power;
  for (unsigned long p = 0; p < host.get_pstate_count(); ++p) {
    const int state = static_cast<int>(p);
    const Watts idle{sg_host_get_idle_consumption_at(&host, state)};
    power.push_back({Watts{sg_host_get_wattmax_at(&host, state)}, idle, idle});
  }
  return power;
}

} // namespace

model::NodeType describe(const ::simgrid::s4u::Host& host) {
  auto frequencies = stated<Hertz>(host, frequencies_property, 1e9);
  const bool known = frequencies.size() == host.get_pstate_count();
  if (!known)
    frequencies = relative_speeds(host);
  const char* type = host.get_property(type_property);
  const char* site = host.get_property(site_property);
  try {
    model::GearTable gears{std::move(frequencies)};
    auto power = stated_power(host);
    return {.name = type == nullptr ? host.get_name() : type,
            .cores = static_cast<std::size_t>(host.get_core_count()),
            .speed = Speed{host.get_pstate_speed(0)},
            .gears = std::move(gears),
            .power = std::move(power),
            .frequencies_known = known,
            .site = site == nullptr ? "" : site,
            .power_limits = stated<Watts>(host, limits_property, 1),
            .uncore = stated<Hertz>(host, uncore_property, 1e9)};
  } catch (const Error& error) {
    throw Error(ErrorKind::config, fmt::format("host '{}': {}", host.get_cname(), error.what()));
  }
}

double sensitivity_of(const ::simgrid::s4u::Host& host) {
  const char* const stated = host.get_property(sensitivity_property);
  return stated == nullptr ? 1 : std::stod(stated);
}

double scale_of(const ::simgrid::s4u::Host& host) {
  return host.get_pstate_speed(0) / host.get_pstate_speed(host.get_pstate());
}

std::vector<std::string> hosts_of_ranks(std::size_t ranks) {
  std::vector<std::string> hosts(ranks);
  for (const auto& actor : ::simgrid::s4u::Engine::get_instance()->get_all_actors()) {
    const char* const rank = actor->get_property("rank"); // SMPI's
    if (rank != nullptr && std::stoul(rank) < ranks)
      hosts[std::stoul(rank)] = actor->get_host()->get_name();
  }
  for (std::size_t rank = 0; rank < ranks; ++rank)
    if (hosts[rank].empty())
      throw Error(ErrorKind::config, fmt::format("rank {} ended without calling MPI_Init", rank));
  return hosts;
}

void idle(Seconds time) {
  constexpr double moment = 20e-6; // less than a message takes on most networks
  ::simgrid::s4u::this_actor::sleep_for(std::max(time.value(), moment));
}

Seconds SimulatedClock::now() const { return Seconds{simgrid_get_clock()}; }

std::size_t HostActuator::gear() const { return host_.get_pstate(); }

void HostActuator::set_gear(std::size_t gear) {
  // Without the bracket, computation still pending would be charged at the new speed.
  smpi_bench_end();
  host_.set_pstate(gear);
  smpi_bench_begin();
}

std::optional<Joules> HostMeter::consumed() const {
  return Joules{sg_host_get_consumed_energy(&host_)};
}

} // namespace hypermile::backend::simgrid
