#pragma once

#include "model/gear.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hypermile::io {

/// Reads the gears of a plan, one per node, as `hypermile select --json` prints it (schema
/// `hypermile/plan/1`, docs/selection.md); of each plan where it prints an array of them. `file` is
/// used in messages only. Throws Error{config} with file and key, or line and column, for anything
/// else.
std::vector<std::vector<model::Gear>> parse_plans(std::string_view text, const std::string& file);

} // namespace hypermile::io
