#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace hypermile::backend::process {

/// The entries of a folder of procfs that are numbers, ascending; none where there is no folder.
std::vector<pid_t> numbers_in(const std::string& folder);

} // namespace hypermile::backend::process
