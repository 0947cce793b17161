#include "doctor/text.hpp"

#include <nlohmann/json.hpp>

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

ordered_json gears_json(const std::vector<control::GearSetting>& gears) {
  ordered_json json = ordered_json::array();
  for (const control::GearSetting& gear : gears) {
    json.push_back({{"name", gear.name}, {"frequency_ghz", nullptr}});
    if (gear.frequency)
      json.back()["frequency_ghz"] = gear.frequency->value() / 1e9;
  }
  return json;
}

ordered_json capability_json(const Capability& one) {
  const control::Finding& finding = one.finding;
  ordered_json parts = ordered_json::array();
  for (const control::Part& part : finding.parts)
    parts.push_back({{"name", part.name},
                     {"what", text_or_null(part.what)},
                     {"path", part.path},
                     {"why_not", text_or_null(part.why_not)}});
  return {{"name", one.name},
          {"automatic", one.automatic},
          {"usable", one.usable()},
          {"what", text_or_null(finding.what)},
          {"why_not", text_or_null(finding.why_not)},
          {"advice", text_or_null(finding.advice)},
          {"gears", gears_json(finding.gears)},
          {"parts", std::move(parts)}};
}

ordered_json capabilities_json(const std::vector<Capability>& all) {
  ordered_json json = ordered_json::array();
  for (const Capability& one : all)
    json.push_back(capability_json(one));
  return json;
}

ordered_json node_json(const NodeUse& node) {
  const char* const state = node.state == NodeUse::State::free          ? "free"
                            : node.state == NodeUse::State::in_use      ? "in_use"
                            : node.state == NodeUse::State::left_behind ? "left_behind"
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
  const ordered_json json{{"schema", "hypermile/doctor/2"},
                          {"host", host_json(e.host)},
                          {"cpus", cpus_json(e.pinning)},
                          {"measures_energy", e.measures_energy()},
                          {"meters", capabilities_json(e.meters)},
                          {"sets_gears", e.sets_gears()},
                          {"backends", capabilities_json(e.backends)},
                          {"guard", text_or_null(e.guard)},
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
