#pragma once

#include "units/quantity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hypermile::doctor {

/// What a program prints on stdout and stderr, at most 64 KiB of it; none if it cannot be started
/// or does not end within `patience`, after which it is killed.
std::optional<std::string> output_of(const std::vector<std::string>& words, Seconds patience);

} // namespace hypermile::doctor
