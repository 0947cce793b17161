#pragma once

#include "control/journal.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::control {

/// A kind of file of sysfs that hypermile writes to. Users write journals and root acts upon them,
/// so a kind takes no more paths and values than it must.
struct SettingKind {
  /// Whether this is such a file below `sysfs`. The path has no "." or ".." in it.
  bool (*has)(std::string_view path, std::string_view sysfs);
  /// As allowed_value() of control/setting.hpp.
  std::string (*allowed_value)(const Entry& entry);
  /// All such files of this machine.
  std::vector<std::string> (*files)(const std::string& sysfs);
};

std::span<const SettingKind> setting_kinds();

} // namespace hypermile::control
