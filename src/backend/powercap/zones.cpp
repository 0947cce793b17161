#include "backend/powercap/zones.hpp"

#include "control/small_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace hypermile::backend::powercap {
namespace {

namespace fs = std::filesystem;

/// Empty where the zone has no name, or just vanished. Throws FileError where it cannot be read.
std::string read_name(const std::string& folder) {
  try {
    return control::read_small_file(folder + "/name");
  } catch (const control::FileError& error) {
    if (error.number() != ENOENT && error.number() != ENODEV)
      throw;
    return "";
  }
}

/// Empty where it cannot be read, either.
std::string name_of(const std::string& folder) {
  try {
    return read_name(folder);
  } catch (const control::FileError&) {
    return "";
  }
}

/// errno of reading the zone's counter, 0 if it can be read.
int error_of(const std::string& folder) {
  try {
    (void)control::read_small_file(folder + "/energy_uj");
    return 0;
  } catch (const control::FileError& error) {
    return error.number();
  }
}

/// "intel-rapl:0" for "intel-rapl:0:1"; a top-level zone has no parent.
std::optional<std::string> parent_of(const std::string& entry) {
  const auto last = entry.rfind(':');
  if (last == std::string::npos || entry.find(':') == last)
    return std::nullopt;
  return entry.substr(0, last);
}

/// The zone in the entry of the class, if its counter belongs to what a node draws.
std::optional<Zone> zone_at(const std::string& classes, const std::string& entry) {
  const std::string folder = classes + "/" + entry;
  std::string name;
  try {
    name = read_name(folder);
  } catch (const control::FileError& error) { // one that is not known must not be forgotten
    return parent_of(entry) ? std::nullopt
                            : std::optional(Zone{Domain::package, entry, folder, error.number()});
  }
  Domain domain = Domain::package;
  if (name == "dram") {
    domain = Domain::dram;
    if (const auto parent = parent_of(entry))
      name = name_of(classes + "/" + *parent) + " dram";
  } else if (name.starts_with("psys")) { // "psys-1" where each package shows one
    domain = Domain::platform;
  } else if (!name.starts_with("package-")) {
    return std::nullopt;
  }
  const int error = error_of(folder);
  return Zone{domain, std::move(name), folder, error};
}

/// Entries of the class, those of the processor's own registers before those that show the same
/// counters by another way ("intel-rapl:0" < "intel-rapl-mmio:0").
std::vector<std::string> entries_of(const std::string& classes) {
  std::vector<std::string> entries;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(classes, ignored))
    if (std::string name = entry.path().filename(); name.find(':') != std::string::npos)
      entries.push_back(std::move(name));
  std::ranges::sort(entries, {}, [](const std::string& name) {
    const auto driver = name.substr(0, name.find(':'));
    return std::tuple(driver.size(), driver, name.size(), name);
  });
  return entries;
}

} // namespace

std::string why_unreadable(int error) {
  return control::reason(error) +
         (error == EINVAL ? ", which stands for any failure of the driver" : "");
}

std::optional<Watts> limit_of(const Zone& zone) {
  constexpr int most_constraints = 8;
  std::optional<Watts> limit;
  for (int constraint = 0; constraint < most_constraints; ++constraint)
    try {
      const std::string text = control::read_small_file(
          fmt::format("{}/constraint_{}_max_power_uw", zone.folder, constraint));
      std::uint64_t microwatts = 0;
      const char* const end = text.data() + text.size();
      const auto [read, status] = std::from_chars(text.data(), end, microwatts);
      if (status == std::errc{} && read == end && microwatts > 0) // 0: not known
        limit = std::max(limit.value_or(Watts{}), Watts{static_cast<double>(microwatts) * 1e-6});
    } catch (const control::FileError&) { // the zone has no more, or this one says nothing
    }
  return limit;
}

std::string zones_folder(const std::string& sysfs) { return sysfs + "/class/powercap"; }

std::vector<Zone> all_zones(const std::string& sysfs) {
  const std::string classes = zones_folder(sysfs);
  std::vector<Zone> zones;
  for (const std::string& entry : entries_of(classes))
    if (auto zone = zone_at(classes, entry))
      zones.push_back(std::move(*zone));
  return zones;
}

std::vector<Zone> find_zones(const std::string& sysfs) {
  std::map<std::pair<Domain, std::string>, Zone> by_name;
  for (Zone& zone : all_zones(sysfs)) {
    const auto key = std::pair(zone.domain, zone.name);
    const auto known = by_name.find(key);
    if (known == by_name.end())
      by_name.emplace(key, std::move(zone));
    else if (known->second.error != 0 && zone.error == 0)
      known->second = std::move(zone);
  }
  std::vector<Zone> zones;
  for (auto& [key, zone] : by_name)
    zones.push_back(std::move(zone));
  return zones;
}

} // namespace hypermile::backend::powercap
