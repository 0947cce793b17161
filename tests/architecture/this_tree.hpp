#pragma once

#include <filesystem>

namespace hypermile::architecture {

inline const std::filesystem::path this_tree = HYPERMILE_SOURCE_DIR;

} // namespace hypermile::architecture
