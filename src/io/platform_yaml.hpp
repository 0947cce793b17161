#pragma once

#include "model/platform.hpp"

#include <string>

namespace hypermile::io {

/// Reads a platform in the schema `hypermile/platform/1` (docs/platform.md describes every key).
/// `file` is used in messages only. Throws Error{config} with file, line and key for anything
/// that is not understood: an unknown key, a negative power, gears that are not fastest first.
model::Platform parse_platform(const std::string& text, const std::string& file);

/// The same from a file. Throws Error{config} if it cannot be read.
model::Platform load_platform(const std::string& path);

} // namespace hypermile::io
