#pragma once

#include "model/component.hpp"

#include <string>
#include <string_view>

namespace hypermile::io {

/// Reads a component in the schema `hypermile/component/1` (docs/components.md describes every
/// key). `file` is used in messages only. Throws Error{config} with file, line and key for anything
/// that is not understood: an unknown key, a negative figure, a figure that does not say where it
/// comes from.
model::Component parse_component(const std::string& text, const std::string& file);

/// Whether a component may have this name: letters, digits, '.', '+', '_' and '-', not first, and
/// no kind of components.
bool is_component_name(std::string_view name);

} // namespace hypermile::io
