#include "doctor/examination.hpp"

#include "doctor/files.hpp"

#include <algorithm>
#include <filesystem>

#include <pwd.h>
#include <unistd.h>

namespace hypermile::doctor {
namespace {

namespace fs = std::filesystem;

std::string user_name() {
  const passwd* const entry = ::getpwuid(::geteuid());
  return entry == nullptr ? std::to_string(::geteuid()) : entry->pw_name;
}

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool has_flag(const std::string& cpuinfo, std::string_view wanted) {
  const auto flags = split(value_of(cpuinfo, "flags").value_or(""), ' ');
  return std::ranges::find(flags, wanted) != flags.end();
}

/// Who made the machine that the firmware shows: of a guest that is the hypervisor.
std::string product(const std::string& sysfs) {
  if (const auto type = read_if_there(sysfs + "/hypervisor/type"))
    return *type;
  const auto vendor = read_if_there(sysfs + "/class/dmi/id/sys_vendor");
  const auto name = read_if_there(sysfs + "/class/dmi/id/product_name");
  return vendor && name ? *vendor + " " + *name : name.value_or(vendor.value_or(""));
}

std::string container_kind(const std::string& root) {
  if (const auto kind = read_if_there(root + "/run/systemd/container"); kind && !kind->empty())
    return *kind;
  if (is_there(root + "/.dockerenv"))
    return "docker";
  if (is_there(root + "/run/.containerenv"))
    return "podman";
  if (is_there(root + "/.singularity.d"))
    return "apptainer";
  const std::string groups = read_if_there(root + "/proc/1/cgroup").value_or("");
  for (const char* kind : {"kubepods", "docker", "lxc"})
    if (groups.find(kind) != std::string::npos)
      return kind;
  return "";
}

} // namespace

Host examine_host(const Places& places) {
  Host host;
  host.name = control::node_name();
  host.kernel = read_if_there(places.root + "/proc/sys/kernel/osrelease").value_or("");
  host.user = user_name();
  host.is_root = ::geteuid() == 0;
  const std::string cpuinfo = read_if_there(places.root + "/proc/cpuinfo").value_or("");
  host.processor_vendor = value_of(cpuinfo, "vendor_id").value_or("");
  host.is_virtual =
      has_flag(cpuinfo, "hypervisor") || is_there(places.node.sysfs + "/hypervisor/type");
  if (host.is_virtual)
    host.hypervisor = product(places.node.sysfs);
  host.container = container_kind(places.root);
  return host;
}

} // namespace hypermile::doctor
