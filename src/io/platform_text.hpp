#pragma once

#include "model/platform.hpp"

#include <string>

namespace hypermile::io {

/// The platform in the schema `hypermile/platform/1`, with all figures written out:
/// parse_platform() makes the same platform of it, but for the names of its components.
std::string platform_text(const model::Platform& platform);

} // namespace hypermile::io
