#include "doctor/examination.hpp"

#include "doctor/permissions.hpp"
#include "machine/open.hpp"

#include <algorithm>

namespace hypermile::doctor {
namespace {

bool any_usable(const std::vector<Capability>& capabilities) {
  return std::ranges::any_of(capabilities,
                             [](const Capability& c) { return c.automatic && c.usable(); });
}

} // namespace

bool Examination::measures_energy() const { return any_usable(meters); }
bool Examination::sets_gears() const { return any_usable(backends) && !guard.empty(); }

Examination examine(const Places& places) {
  Examination examination;
  examination.host = examine_host(places);
  examination.pinning = examine_pinning(places);
  examination.guard = find_guard(places);
  const control::Access access{
      .place = places.node, .guard = examination.guard, .options = places.options};
  for (const machine::Meter& row : machine::meters())
    examination.meters.push_back({std::string(row.name), row.automatic, row.probe(access)});
  for (const machine::Backend& row : machine::backends())
    examination.backends.push_back(
        {std::string(row.name), row.automatic, machine::probe(row, access)});
  examination.node = examine_node(places);
  examination.mpi = examine_mpi(places);
  examination.simulator = examine_simulator(places);
  examination.administrator_runs = commands_to_permit(examination);
  return examination;
}

} // namespace hypermile::doctor
