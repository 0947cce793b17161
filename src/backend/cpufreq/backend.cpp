#include "backend/cpufreq/backend.hpp"

#include "backend/cpufreq/actuator.hpp"
#include "backend/cpufreq/cpu_list.hpp"
#include "backend/cpufreq/policy_files.hpp"
#include "backend/cpufreq/uncore_gears.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

namespace hypermile::cpufreq {
namespace {

constexpr const char* for_power_limits = "--backend power-limit";

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

std::string describe(const UncoreInspection& uncore) {
  if (uncore.domains.empty())
    return "";
  return fmt::format("; uncore up to {:.3g} GHz{}", highest_uncore(uncore.domains).value() / 1e9,
                     uncore.obstacle.empty() ? "" : ", which may not be set");
}

std::vector<control::ClosedFiles> closed_files(const UncoreInspection& uncore,
                                               const std::string& sysfs) {
  std::vector<control::ClosedFiles> closed;
  for (const char* const file : {"max_freq_khz", "min_freq_khz"})
    if (uncore.closed)
      closed.push_back(
          {fmt::format("{}/devices/system/cpu/intel_uncore_frequency/*/{}", sysfs, file), "0664"});
  return closed;
}

/// The gears that were found, or those of the platform, with their uncore frequencies; what is
/// wrong with these goes to `why_not`.
template <class Outcome>
std::vector<control::GearSetting> with_uncore(const UncoreInspection& uncore,
                                              const control::Access& access, Outcome& outcome) {
  auto gears = access.gears.empty() ? outcome.gears : access.gears;
  try {
    if (gears.empty() || !add_uncore(gears, access))
      return gears;
    outcome.why_not = uncore.obstacle;
    outcome.advice = uncore.advice;
  } catch (const Error& error) {
    outcome.why_not = error.what();
  }
  return gears;
}

std::vector<Hertz> limits_of(const std::vector<control::GearSetting>& gears, Hertz highest) {
  std::vector<Hertz> limits;
  for (const control::GearSetting& gear : gears)
    limits.push_back(gear.uncore.value_or(highest));
  return limits;
}

} // namespace

control::Finding probe(const control::Access& access) {
  const std::string& sysfs = access.place.sysfs;
  const Inspection found = inspect(sysfs, access.cpus);
  const UncoreInspection uncore = inspect_uncore(sysfs);
  control::Finding finding{.what = describe(found) + describe(uncore),
                           .why_not = found.obstacle,
                           .advice = found.advice,
                           .absent = found.driver.empty(),
                           .gears = settings_of(found.gears),
                           .closed = closed_files(found, sysfs),
                           .closed_options = closed_files(uncore, sysfs)};
  if (finding.why_not.empty()) {
    const auto gears = with_uncore(uncore, access, finding);
    if (access.gears.empty())
      finding.gears = gears;
  }
  if (std::string wrong = control::why_no_frequencies(access.gears); !wrong.empty()) {
    finding.why_not = std::move(wrong);
    finding.advice = for_power_limits;
  }
  for (const Policy& policy : found.policies)
    finding.parts.push_back({.name = print_cpus(policy.cpus),
                             .what = policy.governor,
                             .path = policy.folder,
                             .why_not = policy.online ? "" : "offline"});
  return finding;
}

control::OpenGears open(const control::Access& access) {
  if (std::string wrong = control::why_no_frequencies(access.gears); !wrong.empty())
    return {.why_not = std::move(wrong), .advice = for_power_limits};
  auto lease = std::make_unique<control::Lease>(
      control::Lease::acquire(access.place, access.guard, access.owner));
  Inspection found = inspect(access.place.sysfs, access.cpus); // without what somebody left behind
  const UncoreInspection uncore = inspect_uncore(access.place.sysfs);
  control::OpenGears open{
      .gears = settings_of(found.gears), .why_not = found.obstacle, .advice = found.advice};
  if (!open.why_not.empty())
    return open;
  auto gears = with_uncore(uncore, access, open);
  if (!open.why_not.empty())
    return open;
  const bool limits = std::ranges::any_of(
      gears, [](const control::GearSetting& gear) { return gear.uncore.has_value(); });
  if (auto wanted = control::frequencies_of(access.gears); !wanted.empty())
    found.gears = model::GearTable(std::move(wanted));
  open.actuator = std::make_unique<FrequencyActuator>(std::move(found), *lease);
  if (limits) {
    const Hertz highest = highest_uncore(uncore.domains);
    open.actuator = std::make_unique<UncoreActuator>(
        std::move(open.actuator), UncoreLimits(uncore.domains, *lease), limits_of(gears, highest));
    gears.front() = control::gear_at(*gears.front().frequency, highest);
    open.uncore = limits_of(gears, highest);
    if (access.gears.empty())
      open.gears = std::move(gears);
  }
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
