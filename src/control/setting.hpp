#pragma once

#include "control/journal.hpp"

#include <string>

#include <sys/types.h>

namespace hypermile::control {

/// Whether hypermile makes this setting: a governor or frequency of a CPU below `sysfs`, an uncore
/// frequency, or the power limit of a processor and whether it holds. Users write journals and root
/// acts upon them, so they must not lead root to write anything else.
bool is_setting(const std::string& path, const std::string& sysfs);

/// What may be written to a setting in place of the value in an entry: a frequency is brought into
/// the range from cpuinfo_min_freq to cpuinfo_max_freq, a governor must be one of
/// scaling_available_governors, an uncore frequency is brought into the range from
/// initial_min_freq_khz to initial_max_freq_khz, a power limit is a number. Throws Error{hardware}
/// for what is no setting or no value of it, FileError where the hardware does not tell its limits.
std::string allowed_value(const Entry& entry, const std::string& sysfs);

/// Whether owner, group and mode of a file let this user write to it.
bool may_write(uid_t user, const std::string& path);

/// Whether may_write() is true for any setting of the node: whose journals count.
bool may_set_gears(uid_t user, const std::string& sysfs);

/// The name of a user; a number where it has none.
std::string name_of_user(uid_t user);

} // namespace hypermile::control
