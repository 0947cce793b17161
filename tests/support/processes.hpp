#pragma once

#include <string>
#include <vector>

namespace hypermile::test {

/// The command lines of the processes with this text in it, as a null character ends each word.
std::vector<std::string> processes_with(const std::string& text);

/// The command lines of the caller's processes whose environment had this text in it when they
/// began.
std::vector<std::string> processes_started_with(const std::string& text);

} // namespace hypermile::test
