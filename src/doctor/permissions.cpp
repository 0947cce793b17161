#include "doctor/permissions.hpp"

#include <fmt/format.h>

namespace hypermile::doctor {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* group = "hypermile";

/// Drivers help where there is hardware of our own that they drive.
bool can_load_drivers(const Host& host) {
  return !host.is_virtual && host.container.empty() &&
         (host.processor_vendor == "GenuineIntel" || host.processor_vendor == "AuthenticAMD");
}

void append(Lines& lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

/// Of tmpfiles.d.
Lines rules(const std::vector<control::ClosedFiles>& closed) {
  Lines lines;
  for (const control::ClosedFiles& files : closed)
    lines.push_back(fmt::format("z {} {} root {} -", files.pattern, files.mode, group));
  return lines;
}

struct Needed {
  Lines modules;
  Lines rules; ///< of tmpfiles.d
};

Needed needed(const Examination& examination) {
  Needed all;
  for (const auto* kind : {&examination.meters, &examination.backends})
    for (const Capability& one : *kind) {
      const std::string& module = one.finding.kernel_module;
      if (!module.empty() && !can_load_drivers(examination.host))
        continue; // its files will never be there
      if (!module.empty())
        all.modules.push_back(module);
      if (!one.automatic && !one.finding.closed.empty()) // a user may do without
        all.rules.push_back(fmt::format("# for {} only", one.name));
      append(all.rules, rules(one.finding.closed));
      if (!one.finding.closed_options.empty())
        all.rules.push_back(fmt::format("# for options of {} only", one.name));
      append(all.rules, rules(one.finding.closed_options));
    }
  return all;
}

} // namespace

Lines commands_to_permit(const Examination& examination) {
  const auto [modules, permissions] = needed(examination);
  if (permissions.empty())
    return {};
  Lines lines;
  for (const std::string& module : modules)
    append(lines, {fmt::format("echo {} >> /etc/modules-load.d/hypermile.conf", module),
                   "modprobe " + module});
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
