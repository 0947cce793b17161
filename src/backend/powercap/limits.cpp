#include "backend/powercap/limits.hpp"

#include "backend/powercap/zones.hpp"
#include "control/small_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>

namespace hypermile::backend::powercap {
namespace {

using control::FileError;

/// Empty: there is no such file.
std::string read_if_there(const std::string& path) {
  try {
    return control::read_small_file(path);
  } catch (const FileError& error) {
    if (error.number() != ENOENT)
      throw;
    return "";
  }
}

std::uint64_t parse_number(const std::string& text, const std::string& path) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc{} || stop != end)
    throw Error(ErrorKind::hardware,
                fmt::format("{} says '{}', which is no number", path, text.substr(0, 32)));
  return value;
}

/// In watts or seconds of a file in millionths. Linux lists 0, or fails, where a processor does not
/// tell.
std::optional<double> read_if_told(const std::string& path) {
  try {
    const std::uint64_t millionths = parse_number(control::read_small_file(path), path);
    return millionths == 0 ? std::nullopt : std::optional(static_cast<double>(millionths) * 1e-6);
  } catch (const FileError&) {
    return std::nullopt;
  }
}

std::optional<Watts> read_power_if_told(const std::string& path) {
  const auto watts = read_if_told(path);
  return watts ? std::optional(Watts{*watts}) : std::nullopt;
}

/// "constraint_0", whose limit is the one over the longest time; empty: the zone has none.
std::string long_term_of(const std::string& folder) {
  constexpr int most = 8;
  for (int i = 0; i < most; ++i)
    if (std::string constraint = fmt::format("constraint_{}", i);
        read_if_there(fmt::format("{}/{}_name", folder, constraint)) == "long_term")
      return constraint;
  return "";
}

PowerLimit read_limit(const Zone& zone, const std::string& constraint) {
  PowerLimit limit{
      .name = zone.name, .folder = zone.folder, .file = constraint + "_power_limit_uw"};
  const std::string prefix = zone.folder + "/" + constraint;
  limit.present = read_watts(limit, limit.file);
  limit.enabled = read_enabled(limit);
  limit.most = read_power_if_told(prefix + "_max_power_uw");
  limit.least = read_power_if_told(prefix + "_min_power_uw");
  limit.window = Seconds{read_if_told(prefix + "_time_window_us").value_or(0)};
  return limit;
}

/// "package-1", "package-1-die-0" -> 1.
std::uint64_t number_of(const Zone& zone) {
  constexpr std::string_view prefix = "package-";
  std::uint64_t number = 0;
  const char* const end = zone.name.data() + zone.name.size();
  if (!zone.name.starts_with(prefix) ||
      std::from_chars(zone.name.data() + prefix.size(), end, number).ec != std::errc{})
    throw Error(ErrorKind::hardware, "it is not known which processor is that of " + zone.folder);
  return number;
}

/// The processors that have these CPUs; none: that cannot be told.
std::optional<std::set<std::uint64_t>> processors_of(const std::string& sysfs,
                                                     const std::vector<int>& cpus) {
  std::set<std::uint64_t> numbers;
  for (const int cpu : cpus) {
    const std::string path =
        fmt::format("{}/devices/system/cpu/cpu{}/topology/physical_package_id", sysfs, cpu);
    const std::string text = read_if_there(path);
    if (text.empty() || text.find_first_not_of("0123456789") != text.npos)
      return std::nullopt;
    numbers.insert(parse_number(text, path));
  }
  return numbers.empty() ? std::nullopt : std::optional(numbers);
}

void check_permission(LimitInspection& found) {
  for (const PowerLimit& limit : found.limits)
    for (const std::string& file : files_to_write(limit)) {
      const std::string path = limit.folder + "/" + file;
      const int why = control::why_not_writable(path);
      if (why == 0)
        continue;
      found.closed = why == EACCES || why == EPERM;
      found.obstacle = fmt::format("cannot set the power limit of {}: {}: {}", limit.name, path,
                                   control::reason(why));
      if (found.closed)
        found.advice = "run 'hypermile doctor'";
      return;
    }
}

/// One zone per processor: that of the first driver that takes limits.
void read_limits(LimitInspection& found, const std::string& sysfs, const std::vector<int>& cpus) {
  const auto wanted = processors_of(sysfs, cpus);
  std::map<std::string, PowerLimit> by_name;
  for (const Zone& zone : all_zones(sysfs)) {
    if (zone.domain != Domain::package || by_name.contains(zone.name))
      continue;
    if (const std::uint64_t number = number_of(zone); wanted && !wanted->contains(number))
      continue;
    if (const std::string constraint = long_term_of(zone.folder); !constraint.empty())
      by_name.emplace(zone.name, read_limit(zone, constraint));
  }
  for (auto& [name, limit] : by_name)
    found.limits.push_back(std::move(limit));
}

} // namespace

LimitInspection inspect_limits(const std::string& sysfs, const std::vector<int>& cpus) {
  LimitInspection found;
  found.absent = all_zones(sysfs).empty();
  try {
    read_limits(found, sysfs, cpus);
    if (!found.limits.empty())
      check_permission(found);
    else if (found.absent)
      found.obstacle = "Linux limits no processor's power in " + zones_folder(sysfs);
    else
      found.obstacle = "no processor in " + zones_folder(sysfs) + " takes a limit 'long_term'";
  } catch (const Error& error) {
    found.obstacle = error.what();
  }
  return found;
}

std::optional<Watts> allowed_now(const PowerLimit& limit) {
  if (!limit.enabled || limit.present == Watts{})
    return limit.most;
  return limit.most ? std::min(limit.present, *limit.most) : limit.present;
}

std::vector<std::string> files_to_write(const PowerLimit& limit) {
  if (limit.enabled)
    return {limit.file};
  return {limit.file, "enabled"};
}

Watts read_watts(const PowerLimit& limit, const std::string& file) {
  const std::string path = limit.folder + "/" + file;
  return Watts{static_cast<double>(parse_number(control::read_small_file(path), path)) * 1e-6};
}

bool read_enabled(const PowerLimit& limit) {
  const std::string path = limit.folder + "/enabled";
  const std::uint64_t value = parse_number(control::read_small_file(path), path);
  if (value > 1)
    throw Error(ErrorKind::hardware, fmt::format("{} says {}, not 0 or 1", path, value));
  return value == 1;
}

std::string in_microwatts(Watts power) { return std::to_string(std::llround(power.value() * 1e6)); }

} // namespace hypermile::backend::powercap
