#include "doctor/text.hpp"

#include <nlohmann/json.hpp>

#include <cstring>

namespace hypermile::doctor {
namespace {

using nlohmann::ordered_json;

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json host_json(const Host& host) {
  return {{"name", host.name},
          {"kernel", text_or_null(host.kernel)},
          {"user", host.user},
          {"root", host.is_root},
          {"virtual", host.is_virtual},
          {"hypervisor", text_or_null(host.hypervisor)},
          {"container", text_or_null(host.container)}};
}

ordered_json cpus_json(const Pinning& pinning) {
  ordered_json json{{"packages", pinning.packages},
                    {"cores", pinning.cores},
                    {"online", pinning.online},
                    {"allowed", pinning.allowed},
                    {"cpuset", text_or_null(pinning.cpuset)},
                    {"quota_cpus", nullptr},
                    {"why_not", text_or_null(pinning.why_not)}};
  if (pinning.quota)
    json["quota_cpus"] = *pinning.quota;
  return json;
}

const char* name_of(backend::powercap::Domain domain) {
  using backend::powercap::Domain;
  return domain == Domain::package ? "package" : domain == Domain::dram ? "dram" : "platform";
}

ordered_json energy_json(const Examination& e) {
  ordered_json zones = ordered_json::array();
  for (const auto& zone : e.energy.zones)
    zones.push_back(
        {{"name", zone.name},
         {"domain", name_of(zone.domain)},
         {"folder", zone.folder},
         {"readable", zone.error == 0},
         {"error", zone.error == 0 ? ordered_json() : ordered_json(std::strerror(zone.error))}});
  return {{"measured", e.measures_energy()},
          {"measures", text_or_null(e.energy.measures)},
          {"why_not", text_or_null(e.energy.why_not)},
          {"zones", std::move(zones)}};
}

ordered_json policy_json(const cpufreq::Policy& policy) {
  return {{"folder", policy.folder},
          {"cpus", policy.cpus},
          {"online", policy.online},
          {"governor", text_or_null(policy.governor)}};
}

ordered_json gears_json(const Examination& e) {
  ordered_json frequencies = ordered_json::array();
  if (e.gears.gears)
    for (std::size_t gear = 0; gear < e.gears.gears->size(); ++gear)
      frequencies.push_back(e.gears.gears->frequency(gear).value() / 1e9);
  ordered_json policies = ordered_json::array();
  for (const auto& policy : e.gears.policies)
    policies.push_back(policy_json(policy));
  ordered_json json{{"settable", e.sets_gears()},
                    {"driver", text_or_null(e.gears.driver)},
                    {"frequencies_ghz", std::move(frequencies)},
                    {"turbo", nullptr},
                    {"why_not", text_or_null(e.gears.obstacle)},
                    {"advice", text_or_null(e.gears.advice)},
                    {"guard", text_or_null(e.guard)},
                    {"policies", std::move(policies)}};
  if (e.gears.turbo)
    json["turbo"] = *e.gears.turbo;
  return json;
}

ordered_json node_json(const Node& node) {
  const char* const state = node.state == Node::State::free          ? "free"
                            : node.state == Node::State::in_use      ? "in_use"
                            : node.state == Node::State::left_behind ? "left_behind"
                                                                     : "unknown";
  return {{"state", state}, {"what", text_or_null(node.what)}};
}

ordered_json mpi_json(const std::vector<Mpi>& flavours) {
  ordered_json json = ordered_json::array();
  for (const Mpi& mpi : flavours)
    json.push_back({{"flavour", mpi.flavour},
                    {"version", text_or_null(mpi.version)},
                    {"launcher", mpi.launcher},
                    {"library", text_or_null(mpi.library)},
                    {"library_installed", mpi.library_installed}});
  return json;
}

} // namespace

std::string examination_json(const Examination& e) {
  const ordered_json json{{"schema", "hypermile/doctor/1"},
                          {"host", host_json(e.host)},
                          {"cpus", cpus_json(e.pinning)},
                          {"energy", energy_json(e)},
                          {"gears", gears_json(e)},
                          {"node", node_json(e.node)},
                          {"mpi", mpi_json(e.mpi)},
                          {"simgrid",
                           {{"version", text_or_null(e.simulator.version)},
                            {"library", e.simulator.library},
                            {"library_installed", e.simulator.library_installed}}},
                          {"administrator_runs", e.administrator_runs}};
  // What files and programs of the machine say need not be UTF-8.
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

} // namespace hypermile::doctor
