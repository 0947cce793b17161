#pragma once

#include <string>
#include <vector>

namespace hypermile::cpufreq {

/// Reads "0-3,8" or "0 1 2 3 8", as sysfs has them. Throws Error{hardware} for anything else.
std::vector<int> parse_cpu_list(const std::string& text);

/// "cpu 3", "cpus 0-3,8".
std::string print_cpus(const std::vector<int>& cpus);

} // namespace hypermile::cpufreq
