#include "backend/powercap/limit_backend.hpp"

#include "backend/powercap/limit_actuator.hpp"
#include "backend/powercap/zones.hpp"
#include "units/error.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hypermile::backend::powercap {
namespace {

using control::Access;
using control::GearSetting;

constexpr const char* option_name = "power-limits";
constexpr double tolerance = 0.01; ///< of limits that should be the same

/// What the processor that may draw the most may draw now; none: not known of any.
std::optional<Watts> highest(const LimitInspection& found) {
  std::optional<Watts> most;
  for (const PowerLimit& limit : found.limits)
    if (const auto allowed = allowed_now(limit))
      most = std::max(*allowed, most.value_or(*allowed));
  return most;
}

/// Whole watts, from 90 % of the highest limit down to 40 %, as far as all processors take them.
std::vector<Watts> steps_down(const LimitInspection& found, Watts from) {
  Watts least{};
  for (const PowerLimit& limit : found.limits)
    least = std::max(least, limit.least.value_or(Watts{}));
  std::vector<Watts> steps;
  for (int percent = 90; percent >= 40; percent -= 10) {
    const Watts step{std::round(from.value() * percent / 100)};
    if (step >= least && step > Watts{} && step < (steps.empty() ? from : steps.back()))
      steps.push_back(step);
  }
  return steps;
}

/// Those that a user names, without the present one. Throws Error{config} for one above it.
std::vector<Watts> below(Watts present, std::vector<Watts> named) {
  std::erase_if(named, [&](Watts limit) { return std::abs(limit / present - 1) <= tolerance; });
  if (!named.empty() && named.front() > present)
    throw Error(ErrorKind::config,
                fmt::format("--{}: {:.4g} W is above the present limit of {:.4g} W", option_name,
                            named.front().value(), present.value()),
                "lower ones: no processor is given more than it had");
  return named;
}

/// Those of the platform. Throws likewise.
std::vector<Watts> described(const Access& access, bool is_named) {
  auto limits = control::power_limits_of(access.gears);
  if (limits.empty())
    throw Error(ErrorKind::config, "the gears that the platform gives this node are frequencies",
                "a platform of 'hypermile calibrate-power --backend power-limit'");
  if (is_named)
    throw Error(ErrorKind::config,
                fmt::format("the platform lists the power limits; leave out --{}", option_name));
  return limits;
}

/// By gear. Throws Error{config} for what the user asks for and cannot have.
std::vector<Watts> limits_of(const Access& access, const LimitInspection& found) {
  const auto named = access.options.find(option_name);
  const bool is_named = named != access.options.end();
  if (!access.gears.empty())
    return described(access, is_named);
  const auto present = highest(found);
  if (!present)
    throw Error(ErrorKind::config,
                "no limit holds now, and the processors do not say what they are made for",
                "a limit, and 1 in the file 'enabled' beside it");
  auto limits =
      is_named ? below(*present, parse_power_limits(named->second)) : steps_down(found, *present);
  if (limits.empty())
    throw Error(
        ErrorKind::config,
        fmt::format("there is no limit below the present one of {:.4g} W", present->value()),
        fmt::format("--{} 120W,100W", option_name));
  limits.insert(limits.begin(), *present);
  return limits;
}

/// What a platform says of gear 0 is only true where the node may draw as much.
std::vector<std::string> misfit(const Access& access, const LimitInspection& found) {
  const auto limits = control::power_limits_of(access.gears);
  const auto present = highest(found);
  if (limits.empty() || !present || *present > limits.front() * (1 - tolerance))
    return {};
  return {fmt::format("the platform gives a processor {:.4g} W in gear 0, but it may draw {:.4g} W "
                      "now: gears above that are no faster, and predictions for them are wrong",
                      limits.front().value(), present->value())};
}

std::vector<GearSetting> settings_of(const std::vector<Watts>& limits) {
  std::vector<GearSetting> gears;
  for (const Watts limit : limits)
    gears.push_back(control::gear_below(limit));
  return gears;
}

std::string describe(const LimitInspection& found) {
  if (found.limits.empty())
    return "";
  const PowerLimit& first = found.limits.front();
  std::string text = fmt::format("{} processor{} limited to {:.4g} W", found.limits.size(),
                                 found.limits.size() == 1 ? "" : "s", first.present.value());
  if (first.window > Seconds{})
    text += fmt::format(" over {:.3g} s", first.window.value());
  return text + (first.enabled ? "" : " (which does not hold now)");
}

control::Finding finding_of(const LimitInspection& found, const Access& access) {
  control::Finding finding{.what = describe(found),
                           .why_not = found.obstacle,
                           .advice = found.advice,
                           .absent = found.absent};
  for (const PowerLimit& limit : found.limits)
    finding.parts.push_back({.name = limit.name,
                             .what = fmt::format("{:.4g} W", limit.present.value()),
                             .path = limit.folder,
                             .why_not = limit.enabled ? "" : "does not hold now"});
  for (const PowerLimit& limit : found.limits)
    if (found.closed)
      for (const std::string& file : files_to_write(limit))
        finding.closed.push_back({limit.folder + "/" + file, "0664"});
  if (found.limits.empty())
    return finding;
  try {
    finding.gears = settings_of(limits_of(access, found));
  } catch (const Error& error) {
    if (finding.why_not.empty())
      finding.why_not = error.what();
  }
  return finding;
}

} // namespace

std::vector<Watts> parse_power_limits(const std::string& text) {
  std::vector<Watts> limits;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    const Watts limit = hypermile::parse_watts(part);
    if (limit < Watts{0.001} || limit > Watts{1e5})
      throw Error(ErrorKind::config, fmt::format("'{}' is no limit on a processor", part),
                  "from 1mW to 100kW");
    if (!limits.empty() && limit >= limits.back())
      throw Error(ErrorKind::config, fmt::format("limit '{}' is not below those before", part),
                  "the highest first");
    limits.push_back(limit);
    begin = end + 1;
  }
  return limits;
}

std::string check_power_limits(const std::string& text) {
  try {
    (void)parse_power_limits(text);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

control::Finding probe_limits(const Access& access) {
  return finding_of(inspect_limits(access.place.sysfs, access.cpus), access);
}

control::OpenGears open_limits(const Access& access) {
  auto lease = std::make_unique<control::Lease>(
      control::Lease::acquire(access.place, access.guard, access.owner));
  LimitInspection found = inspect_limits(access.place.sysfs, access.cpus); // as nobody left it
  const control::Finding finding = finding_of(found, access);
  control::OpenGears open{.gears = finding.gears,
                          .remarks = misfit(access, found),
                          .why_not = finding.why_not,
                          .advice = finding.advice};
  if (!open.why_not.empty())
    return open;
  open.actuator = std::make_unique<PowerLimitActuator>(
      std::move(found.limits), control::power_limits_of(open.gears), *lease);
  open.lease = std::move(lease);
  return open;
}

} // namespace hypermile::backend::powercap
