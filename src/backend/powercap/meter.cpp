#include "backend/powercap/meter.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace hypermile::backend::powercap {
namespace {

std::ptrdiff_t readable(const std::vector<Zone>& zones, Domain domain) {
  return std::ranges::count_if(
      zones, [=](const Zone& zone) { return zone.domain == domain && zone.error == 0; });
}

} // namespace

std::string why_not(const std::vector<Zone>& zones, const std::string& sysfs) {
  const bool any_package =
      std::ranges::any_of(zones, [](const Zone& z) { return z.domain == Domain::package; });
  if (!any_package)
    return "there is no energy counter of a processor in " + zones_folder(sysfs);
  const auto closed = std::ranges::find_if(
      zones, [](const Zone& zone) { return zone.domain == Domain::package && zone.error != 0; });
  if (closed == zones.end())
    return "";
  return fmt::format("cannot read {}/energy_uj of {}: {}", closed->folder, closed->name,
                     why_unreadable(closed->error));
}

std::string summary(const std::vector<Zone>& zones) {
  const auto packages = readable(zones, Domain::package);
  const auto memories = readable(zones, Domain::dram);
  std::string text = fmt::format("{} package{}", packages, packages == 1 ? "" : "s");
  if (memories > 0)
    text += fmt::format(", {} DRAM", memories);
  const bool left_out = std::ranges::any_of(
      zones, [](const Zone& zone) { return zone.domain == Domain::dram && zone.error != 0; });
  return text + (left_out ? " (not all DRAM can be read)" : "");
}

PowercapMeter::PowercapMeter(const std::string& sysfs) {
  const std::vector<Zone> zones = find_zones(sysfs);
  parts_ = summary(zones);
  const std::string obstacle = powercap::why_not(zones, sysfs);
  if (obstacle.empty())
    watch(zones);
  else
    why_not_ = obstacle + "; try: hypermile doctor";
}

void PowercapMeter::watch(const std::vector<Zone>& zones) {
  limit_ = Watts{};
  for (const Zone& zone : zones) {
    const auto of_zone = zone.domain == Domain::package ? limit_of(zone) : std::optional(Watts{});
    limit_ = limit_ && of_zone ? std::optional(*limit_ + *of_zone) : std::nullopt;
  }
  try {
    for (const Zone& zone : zones)
      if (zone.error == 0)
        watched_.push_back({zone, Counter(zone.folder)});
  } catch (const Error& error) {
    why_not_ = error.what();
  }
}

std::optional<Joules> PowercapMeter::consumed() const {
  if (!why_not_.empty())
    return std::nullopt;
  std::uint64_t parts = 0;
  std::uint64_t platform = 0;
  for (auto& [zone, counter] : watched_)
    try {
      if (zone.domain == Domain::platform)
        platform = std::max(platform, counter.counted());
      else
        parts += counter.counted();
    } catch (const Error& error) {
      why_not_ = fmt::format("{} cannot be counted any more: {}", zone.name, error.what());
      return std::nullopt;
    }
  platform_is_larger_ = platform > parts;
  return Joules{static_cast<double>(std::max(platform, parts)) * 1e-6};
}

std::optional<Watts> PowercapMeter::limit() const {
  const bool has_platform = std::ranges::any_of(
      watched_, [](const Watched& w) { return w.zone.domain == Domain::platform; });
  return has_platform || !why_not_.empty() ? std::nullopt : limit_;
}

std::string PowercapMeter::measures() const {
  if (!why_not_.empty())
    return "";
  return platform_is_larger_ ? "platform (psys)" : parts_;
}

} // namespace hypermile::backend::powercap
