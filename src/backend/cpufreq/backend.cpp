#include "backend/cpufreq/backend.hpp"

#include "backend/cpufreq/actuator.hpp"
#include "backend/cpufreq/cpu_list.hpp"
#include "backend/cpufreq/policy_files.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <set>

namespace hypermile::cpufreq {
namespace {

std::vector<control::GearSetting> settings_of(const std::optional<model::GearTable>& table) {
  std::vector<control::GearSetting> gears;
  for (model::Gear gear = 0; table && gear < table->size(); ++gear)
    gears.push_back(control::gear_at(table->frequency(gear)));
  return gears;
}

bool offers_userspace(const Policy& policy) {
  try {
    return read_text(policy, "scaling_available_governors").find("userspace") != std::string::npos;
  } catch (const control::FileError&) {
    return false;
  }
}

/// The files by which gears are set, as far as this machine has them.
std::vector<std::string> files_of(const Inspection& found) {
  std::vector<std::string> files{"scaling_max_freq", "scaling_min_freq"};
  if (std::ranges::any_of(found.policies, offers_userspace))
    files.insert(files.end(), {"scaling_governor", "scaling_setspeed"});
  return files;
}

bool is_closed(const Policy& policy, const std::string& file) {
  const int why = policy.online ? control::why_not_writable(path_of(policy, file.c_str())) : 0;
  return why == EACCES || why == EPERM;
}

std::vector<control::ClosedFiles> closed_files(const Inspection& found, const std::string& sysfs) {
  const auto files = files_of(found);
  std::vector<control::ClosedFiles> closed;
  for (const Policy& policy : found.policies)
    for (const std::string& file : files)
      if (closed.empty() && is_closed(policy, file))
        for (const std::string& all : files)
          closed.push_back(
              {fmt::format("{}/devices/system/cpu/cpufreq/policy*/{}", sysfs, all), "0664"});
  return closed;
}

std::string describe(const Inspection& found) {
  std::vector<std::string> parts;
  if (!found.driver.empty())
    parts.push_back(found.driver);
  if (found.gears) {
    const auto& gears = *found.gears;
    const double fastest = gears.frequency(0).value() / 1e9;
    parts.push_back(gears.size() == 1
                        ? fmt::format("1 gear, {:.4g} GHz", fastest)
                        : fmt::format("{} gears, {:.4g} to {:.4g} GHz", gears.size(), fastest,
                                      gears.frequency(gears.size() - 1).value() / 1e9));
  }
  std::set<std::string> governors;
  for (const Policy& policy : found.policies)
    if (policy.online)
      governors.insert(policy.governor);
  if (!governors.empty())
    parts.push_back(fmt::format("governor {}", fmt::join(governors, ", ")));
  if (found.turbo)
    parts.emplace_back(*found.turbo ? "turbo on" : "turbo off");
  return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace

control::Finding probe(const control::Access& access) {
  const std::string& sysfs = access.place.sysfs;
  const Inspection found = inspect(sysfs, access.cpus);
  control::Finding finding{.what = describe(found),
                           .why_not = found.obstacle,
                           .advice = found.advice,
                           .absent = found.driver.empty(),
                           .gears = settings_of(found.gears),
                           .closed = closed_files(found, sysfs)};
  for (const Policy& policy : found.policies)
    finding.parts.push_back({.name = print_cpus(policy.cpus),
                             .what = policy.governor,
                             .path = policy.folder,
                             .why_not = policy.online ? "" : "offline"});
  return finding;
}

control::OpenGears open(const control::Access& access) {
  auto lease = std::make_unique<control::Lease>(
      control::Lease::acquire(access.place, access.guard, access.owner));
  Inspection found = inspect(access.place.sysfs, access.cpus); // without what somebody left behind
  control::OpenGears open{
      .gears = settings_of(found.gears), .why_not = found.obstacle, .advice = found.advice};
  if (!open.why_not.empty())
    return open;
  if (auto wanted = control::frequencies_of(access.gears); !wanted.empty())
    found.gears = model::GearTable(std::move(wanted));
  open.actuator = std::make_unique<FrequencyActuator>(std::move(found), *lease);
  open.lease = std::move(lease);
  return open;
}

std::optional<Hertz> present_frequency(const control::Access& access) {
  std::optional<Hertz> fastest;
  for (const Policy& policy : inspect(access.place.sysfs, access.cpus).policies)
    try {
      const Hertz present = read_frequency(policy, "scaling_cur_freq");
      fastest = std::max(present, fastest.value_or(present));
    } catch (const Error&) { // offline, or not told
    }
  return fastest;
}

} // namespace hypermile::cpufreq
