#include "doctor/permissions.hpp"

#include "control/small_file.hpp"
#include "doctor/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

namespace hypermile::doctor {
namespace {

using backend::powercap::Zone;
using Lines = std::vector<std::string>;

constexpr const char* group = "hypermile";

bool is_permission(int error) { return error == EACCES || error == EPERM; }

bool energy_is_closed(const Examination& examination) {
  return std::ranges::any_of(examination.energy.zones,
                             [](const Zone& zone) { return is_permission(zone.error); });
}

/// The files by which gears are set, as far as this machine has them.
Lines files_of_gears(const Examination& examination) {
  const bool userspace = std::ranges::any_of(examination.gears.policies, [](const auto& policy) {
    const auto governors = read_if_there(policy.folder + "/scaling_available_governors");
    return governors && governors->find("userspace") != std::string::npos;
  });
  Lines files{"scaling_max_freq", "scaling_min_freq"};
  if (userspace) {
    files.emplace_back("scaling_governor");
    files.emplace_back("scaling_setspeed");
  }
  return files;
}

bool gears_are_closed(const Examination& examination) {
  for (const auto& policy : examination.gears.policies)
    for (const std::string& file : files_of_gears(examination))
      if (policy.online && is_permission(control::why_not_writable(policy.folder + "/" + file)))
        return true;
  return false;
}

/// The processor has counters, but their driver is not there.
bool driver_is_missing(const Examination& examination) {
  const Host& host = examination.host;
  return examination.energy.zones.empty() && !host.is_virtual && host.container.empty() &&
         (host.processor_vendor == "GenuineIntel" || host.processor_vendor == "AuthenticAMD");
}

Lines tmpfiles(const Examination& examination, const Places& places) {
  Lines lines;
  if (energy_is_closed(examination) || driver_is_missing(examination))
    lines.push_back(fmt::format("z {}/intel-rapl*:*/energy_uj 0440 root {} -",
                                backend::powercap::zones_folder(places.node.sysfs), group));
  if (gears_are_closed(examination))
    for (const std::string& file : files_of_gears(examination))
      lines.push_back(fmt::format("z {}/devices/system/cpu/cpufreq/policy*/{} 0664 root {} -",
                                  places.node.sysfs, file, group));
  return lines;
}

void append(Lines& lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

} // namespace

Lines commands_to_permit(const Examination& examination, const Places& places) {
  const Lines permissions = tmpfiles(examination, places);
  if (permissions.empty())
    return {};
  Lines lines;
  if (driver_is_missing(examination))
    append(lines,
           {"echo intel_rapl_msr > /etc/modules-load.d/hypermile.conf", "modprobe intel_rapl_msr"});
  append(lines, {fmt::format("groupadd --system --force {}", group),
                 fmt::format("usermod --append --groups {} {}", group,
                             examination.host.is_root ? "USER" : examination.host.user),
                 "cat > /etc/tmpfiles.d/hypermile.conf << 'END'"});
  append(lines, permissions);
  // After the rules that load the drivers of a CPU (80-drivers.rules).
  append(lines, {"END", "cat > /etc/udev/rules.d/90-hypermile.rules << 'END'",
                 R"(SUBSYSTEM=="cpu|powercap", ACTION=="add|online", \)",
                 R"(  RUN+="/usr/bin/systemd-tmpfiles --create hypermile.conf")", "END",
                 "systemd-tmpfiles --create hypermile.conf", "udevadm control --reload"});
  return lines;
}

} // namespace hypermile::doctor
