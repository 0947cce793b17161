#include "machine/open.hpp"

#include "control/no_meter.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::machine {
namespace {

/// None: not known, or not of frequencies alone.
std::optional<model::GearTable> table_of(const std::vector<control::GearSetting>& gears) {
  auto frequencies = control::frequencies_of(gears);
  return frequencies.empty() ? std::nullopt
                             : std::optional(model::GearTable(std::move(frequencies)));
}

template <class Row> struct Found {
  const Row* row;
  control::Finding finding;
};

control::Access with_listed_gears(const Backend* backend, control::Access access) {
  if (backend != nullptr && !backend->automatic && !backend->emulates && !backend->needs_speeds &&
      access.gears.empty())
    for (const Backend& other : backends())
      if (other.automatic && access.gears.empty())
        access.gears = other.probe(access).gears;
  return access;
}

/// The row of that name; for "auto" the first that can be used, else the first. Null: "none" and
/// the like; its finding is then what "auto" would take.
template <class Row>
Found<Row> choose(std::span<const Row> rows, const Row* named, const control::Access& access) {
  if (named != nullptr)
    return {named, named->probe(access)};
  std::optional<Found<Row>> first;
  for (const Row& row : rows)
    if (row.automatic) {
      Found<Row> found{&row, row.probe(access)};
      if (found.finding.why_not.empty())
        return found;
      if (!first)
        first = std::move(found);
    }
  return first ? std::move(*first) : Found<Row>{nullptr, {}};
}

/// Null: any.
const Backend* backend_named(const std::string& name, const control::Access& access) {
  const bool limited = !control::power_limits_of(access.gears).empty();
  return find_backend(name == "auto" && limited ? "power-limit" : name);
}

void open_by(const Backend& backend, Gears& gears, const control::Access& access) {
  control::OpenGears open = backend.open(access);
  if (auto table = table_of(open.gears))
    gears.table = std::move(table);
  if (!open.actuator) {
    gears.problem = Error(ErrorKind::unsupported, open.why_not, open.advice);
    return;
  }
  gears.backend = &backend;
  gears.settings = std::move(open.gears);
  gears.uncore = std::move(open.uncore);
  gears.remarks = std::move(open.remarks);
  gears.lease = std::move(open.lease);
  gears.actuator = std::move(open.actuator);
}

} // namespace

control::Finding probe(const Backend& backend, const control::Access& access) {
  return backend.probe(with_listed_gears(&backend, access));
}

Gears look_at_gears(const std::string& backend, const control::Access& access) {
  const Backend* const named = backend_named(backend, access);
  Gears gears;
  gears.table = table_of(choose(backends(), named, with_listed_gears(named, access)).finding.gears);
  return gears;
}

Gears open_gears(const std::string& backend, const control::Access& asked) {
  const Backend* const named = backend_named(backend, asked);
  const control::Access access = with_listed_gears(named, asked);
  const auto [row, finding] = choose(backends(), named, access);
  Gears gears;
  gears.table = table_of(finding.gears);
  if (row == nullptr || (row != named && backend != "auto"))
    return gears;
  // What else is wrong may be what somebody set who was killed: to open it restores that.
  if (finding.absent || (!finding.why_not.empty() && !finding.closed.empty())) {
    gears.problem = Error(ErrorKind::unsupported, finding.why_not, finding.advice);
    return gears;
  }
  if (access.guard.empty() && !row->emulates) {
    gears.problem =
        Error(ErrorKind::unsupported, "hypermile-guard, which restores gears, is not installed");
    return gears;
  }
  try {
    open_by(*row, gears, access);
  } catch (const Error& error) {
    gears.problem = error;
    gears.in_use = error.kind() == ErrorKind::unsupported; // which Lease::acquire() throws then
  }
  return gears;
}

OpenedMeter open_meter(const std::string& spec, const control::Access& access) {
  OpenedMeter opened{.meter = std::make_unique<control::NoMeter>()};
  const Meter* const named = find_meter(spec);
  if (named == nullptr && spec != "auto")
    return opened;
  const auto [row, finding] = choose(meters(), named, access);
  if (row == nullptr || row->open == nullptr)
    return opened;
  control::OpenMeter open = row->open(access);
  if (!open.meter) {
    opened.problem = Error(ErrorKind::unsupported, open.why_not);
    opened.not_permitted = !finding.absent && !finding.closed.empty();
    return opened;
  }
  opened.name = row->name;
  opened.measures = open.measures;
  opened.meter = std::move(open.meter);
  return opened;
}

std::vector<control::GearSetting> settings_of(const model::NodeType& type) {
  std::vector<control::GearSetting> gears;
  for (model::Gear gear = 0; gear < type.gears.size(); ++gear)
    if (!type.power_limits.empty())
      gears.push_back(control::gear_below(type.power_limits[gear]));
    else
      gears.push_back(
          control::gear_at(type.gears.frequency(gear),
                           type.uncore.empty() ? std::nullopt : std::optional(type.uncore[gear])));
  return gears;
}

} // namespace hypermile::machine
