#pragma once

#include "model/platform.hpp"

#include <string>

namespace hypermile::report {

/// The platform for a reader: its types of nodes with their parts and power, and its network.
std::string print_platform(const model::Platform& platform);

/// The platform as a graph in the language of Graphviz: types of nodes, switches, and the links
/// between them.
std::string platform_dot(const model::Platform& platform);

/// Its figures, hypermile/platform-figures/1 (docs/platform.md).
std::string platform_json(const model::Platform& platform);

} // namespace hypermile::report
