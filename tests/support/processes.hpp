#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace hypermile::test {

/// The command lines of the processes with this text in it, as a null character ends each word.
std::vector<std::string> processes_with(const std::string& text);

/// The command lines of the caller's processes whose environment had this text in it when they
/// began.
std::vector<std::string> processes_started_with(const std::string& text);

/// Those that run the program of this path and whose environment had this text in it when they
/// began.
std::vector<pid_t> processes_of(const std::string& path, const std::string& text);

} // namespace hypermile::test
