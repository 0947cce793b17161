#pragma once

#include "control/owner.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::control {

/// What a file held before hypermile wrote to it first.
struct Entry {
  std::string path;
  std::string value;

  bool operator==(const Entry&) const = default;
};

/// What was changed on a node and by whom. As text it is a file that only grows, line by line, so
/// that whatever is killed in the middle of a line leaves all lines before it readable:
///
///     hypermile/journal/1
///     boot 2b4cbd5e-...
///     owner 99 123456 1763726580 4711 anna cg        (pid, start, since, job, user, program)
///     was 2400000 /sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq
///     restored /sys/devices/system/cpu/cpufreq/policy0/scaling_max_freq
///
/// A line is written before what it tells of is done; one without its end was never acted upon. A
/// line that is none of these is reported and passed over.
struct Journal {
  std::string boot; ///< of the system: sysfs forgets everything when it starts anew
  std::optional<Owner> owner;
  std::vector<Entry> entries;   ///< not yet restored, in the order of the first writes
  std::vector<std::string> bad; ///< the lines that were passed over, with file and number

  bool operator==(const Journal&) const = default;
};

/// Throws Error{config} with file and line where one of the first two lines is not as above: the
/// others could mean anything. An empty text is an empty journal. Of a journal that is not of the
/// boot `only` (empty: of any) no more is read than that: a power failure may have damaged the
/// rest.
Journal parse_journal(std::string_view text, const std::string& file, std::string_view only = "");

// The lines of a journal. White space in a job's or user's name becomes '_'.

std::string begin_line(const std::string& boot); ///< the first two
std::string owner_line(const Owner& owner);
std::string was_line(const Entry& entry);
std::string restored_line(const std::string& path);

/// Whether a value or path can be a part of a line.
bool can_be_journaled(const Entry& entry);

/// The system's, which is another one after each boot. Throws FileError.
std::string boot_id();

} // namespace hypermile::control
