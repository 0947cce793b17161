#include "doctor/examination.hpp"

#include "doctor/files.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <charconv>

namespace hypermile::doctor {
namespace {

using backend::topology::Topology;

/// The path of this process within the hierarchy of a controller ("" is the unified one), as
/// /proc/self/cgroup says: "0::/user.slice" or "5:cpuset:/job".
std::optional<std::string> group_path(const std::string& groups, std::string_view controller) {
  for (const std::string& line : split(groups, '\n')) {
    const auto fields = split(line, ':');
    if (fields.size() < 3)
      continue;
    const auto controllers = split(fields[1], ',');
    if (std::ranges::find(controllers, controller) != controllers.end())
      return line.substr(fields[0].size() + fields[1].size() + 2);
  }
  return std::nullopt;
}

/// The folders of a group and of those around it, innermost first.
std::vector<std::string> group_folders(const std::string& hierarchy, std::string path) {
  std::vector<std::string> folders;
  while (path.size() > 1) {
    folders.push_back(hierarchy + path);
    path.erase(path.rfind('/'));
  }
  folders.push_back(hierarchy);
  return folders;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || !(value > 0))
    return std::nullopt;
  return value;
}

/// The quota of one group: "200000 100000" are microseconds of computing in so many of time.
std::optional<double> quota_of(const std::string& folder) {
  std::string text = read_if_there(folder + "/cpu.max").value_or("");
  if (text.empty())
    text = read_if_there(folder + "/cpu.cfs_quota_us").value_or("") + " " +
           read_if_there(folder + "/cpu.cfs_period_us").value_or("");
  const auto fields = split(text, ' ');
  if (fields.size() != 2)
    return std::nullopt;
  const auto quota = number(fields[0]); // "max" and "-1": none
  const auto period = number(fields[1]);
  return quota && period ? std::optional(*quota / *period) : std::nullopt;
}

std::vector<std::string> folders_of(const Places& places, std::string_view controller) {
  const std::string groups = read_if_there(places.root + "/proc/self/cgroup").value_or("");
  const std::string base = places.node.sysfs + "/fs/cgroup";
  std::vector<std::string> folders;
  if (const auto path = group_path(groups, controller))
    folders = group_folders(base + "/" + std::string(controller), *path);
  if (const auto path = group_path(groups, ""))
    for (std::string& folder : group_folders(base, *path))
      folders.push_back(std::move(folder));
  return folders;
}

std::string cpuset_of(const Places& places) {
  for (const std::string& folder : folders_of(places, "cpuset"))
    for (const char* file : {"/cpuset.cpus.effective", "/cpuset.effective_cpus"})
      if (auto cpus = read_if_there(folder + file); cpus && !cpus->empty())
        return *cpus;
  return "";
}

std::optional<double> smallest_quota(const Places& places) {
  std::optional<double> smallest;
  for (const std::string& folder : folders_of(places, "cpu"))
    if (const auto quota = quota_of(folder))
      smallest = std::min(*quota, smallest.value_or(*quota));
  return smallest;
}

} // namespace

Pinning examine_pinning(const Places& places) {
  Pinning pinning;
  try {
    const Topology machine = backend::topology::read_topology();
    pinning.online = machine.all();
    pinning.packages = machine.packages(pinning.online);
    pinning.cores = machine.cores(pinning.online);
    pinning.allowed = backend::topology::allowed_cpus();
  } catch (const Error& error) {
    pinning.why_not = error.what();
  }
  pinning.cpuset = cpuset_of(places);
  pinning.quota = smallest_quota(places);
  return pinning;
}

} // namespace hypermile::doctor
