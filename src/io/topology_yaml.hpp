#pragma once

#include "io/yaml_reader.hpp"

#include "model/topology.hpp"

#include <string>

namespace hypermile::io {

/// `{fat_tree: {down: [4, 4], up: [1, 2], parallel: [1, 2]}}`, `{torus: [4, 4]}` or
/// `{dragonfly: {...}}` (docs/platform.md). Throws Error{config} with file, line and key.
model::Topology read_topology(const YamlReader& at);

/// What read_topology() makes this topology of, in one line; empty for a star.
std::string topology_text(const model::Topology& topology);

} // namespace hypermile::io
