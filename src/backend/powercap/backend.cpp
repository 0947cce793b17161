#include "backend/powercap/meter.hpp"

#include <algorithm>
#include <cerrno>

namespace hypermile::backend::powercap {
namespace {

const char* name_of(Domain domain) {
  return domain == Domain::package ? "package" : domain == Domain::dram ? "dram" : "platform";
}

bool is_closed(const Zone& zone) { return zone.error == EACCES || zone.error == EPERM; }

} // namespace

control::Finding probe(const control::Access& access) {
  const std::string& sysfs = access.place.sysfs;
  const auto zones = find_zones(sysfs);
  control::Finding finding{.why_not = why_not(zones, sysfs), .absent = zones.empty()};
  if (finding.why_not.empty()) {
    const bool platform = std::ranges::any_of(
        zones, [](const Zone& zone) { return zone.domain == Domain::platform && zone.error == 0; });
    finding.what = summary(zones) + (platform ? "; the platform (psys), where that is more" : "");
  } else {
    finding.advice = "hypermile doctor";
  }
  for (const Zone& zone : zones)
    finding.parts.push_back({.name = zone.name,
                             .what = name_of(zone.domain),
                             .path = zone.folder,
                             .why_not = zone.error == 0 ? "" : why_unreadable(zone.error)});
  if (zones.empty() || std::ranges::any_of(zones, is_closed))
    finding.closed.push_back({zones_folder(sysfs) + "/intel-rapl*:*/energy_uj", "0440"});
  if (zones.empty())
    finding.kernel_module = "intel_rapl_msr";
  return finding;
}

control::OpenMeter open(const control::Access& access) {
  auto meter = std::make_unique<PowercapMeter>(access.place.sysfs);
  control::OpenMeter open{.measures = meter->measures(), .why_not = meter->why_not()};
  if (open.why_not.empty())
    open.meter = std::move(meter);
  return open;
}

} // namespace hypermile::backend::powercap
