#pragma once

#include <string>

namespace hypermile::cli {

/// From now on signals that end this process remove this file or folder first. There may be a few.
void remove_when_ended(const std::string& path);

} // namespace hypermile::cli
