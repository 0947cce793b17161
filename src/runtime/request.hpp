#pragma once

#include "runtime/settings.hpp"
#include "select/selector.hpp"

#include <optional>

namespace hypermile::runtime {

/// What the settings ask to optimise; none for the method "none".
/// Throws Error{config} for a method or objective that does not exist.
std::optional<select::Request> to_request(const Settings& settings);

} // namespace hypermile::runtime
