#include "doctor/examination.hpp"

#include "backend/powercap/meter.hpp"
#include "doctor/permissions.hpp"

#include <utility>

namespace hypermile::doctor {
namespace {

Energy examine_energy(const Places& places) {
  namespace powercap = backend::powercap;
  const std::string& sysfs = places.node.sysfs;
  Energy energy;
  energy.folder = powercap::zones_folder(sysfs);
  energy.zones = powercap::find_zones(sysfs);
  energy.why_not = powercap::why_not(energy.zones, sysfs);
  if (energy.why_not.empty())
    energy.measures = powercap::summary(energy.zones);
  return energy;
}

} // namespace

Examination examine(const Places& places) {
  Examination examination;
  examination.host = examine_host(places);
  examination.pinning = examine_pinning(places);
  examination.energy = examine_energy(places);
  examination.gears = cpufreq::inspect(places.node.sysfs, {});
  examination.node = examine_node(places);
  examination.guard = find_guard(places);
  examination.mpi = examine_mpi(places);
  examination.simulator = examine_simulator(places);
  examination.administrator_runs = commands_to_permit(examination, places);
  return examination;
}

} // namespace hypermile::doctor
