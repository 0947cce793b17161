#pragma once

#include "io/components.hpp"
#include "model/platform.hpp"

#include <string>
#include <vector>

namespace hypermile::io {

/// Reads a platform in the schema `hypermile/platform/1` (docs/platform.md describes every key).
/// `file` is used in messages, and for its folder, which may have components. Throws Error{config}
/// with file, line and key for anything that is not understood: an unknown key, a negative power,
/// gears that are not fastest first, a component that does not exist.
model::Platform parse_platform(const std::string& text, const std::string& file,
                               const ComponentSource& source = {});

/// The same from a file. Throws Error{config} if it cannot be read.
model::Platform load_platform(const std::string& path, const ComponentSource& source = {});

/// The file of a platform: `name` itself if it is one, else a bundled platform of that name in
/// `folder`. Throws Error{config} if there is none, naming those that there are.
std::string find_platform(const std::string& name, const std::string& folder);

/// Names of the platforms in a folder, sorted; none if it does not exist.
std::vector<std::string> bundled_platforms(const std::string& folder);

} // namespace hypermile::io
