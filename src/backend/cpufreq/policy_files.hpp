#pragma once

#include "backend/cpufreq/inspection.hpp"

#include <string>

namespace hypermile::cpufreq {

// The files of a policy. All throw control::FileError, and Error{hardware} for what is no number.

std::string read_text(const Policy& policy, const char* file);
Hertz read_frequency(const Policy& policy, const char* file);
std::string path_of(const Policy& policy, const char* file);

/// As sysfs has frequencies: in kHz.
std::string in_khz(Hertz frequency);
/// Throws Error{hardware} for what is none.
Hertz parse_khz(const std::string& text);

/// Whether any of its CPUs is online. Does not throw.
bool is_online(const Policy& policy);

} // namespace hypermile::cpufreq
