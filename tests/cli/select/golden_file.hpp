#pragma once

#include <string>

namespace hypermile::test {

/// Path of an instance of tests/golden.
inline std::string golden_file(const std::string& name) {
  return HYPERMILE_SOURCE_DIR "/tests/golden/" + name + ".json";
}

} // namespace hypermile::test
