#pragma once

#include "model/problem.hpp"

#include <string>
#include <string_view>

namespace hypermile::io {

/// Reads a gear selection problem (docs/selection.md, "PROBLEM.json"). Keys at the top that are
/// not its own are ignored; inside a node they are errors. `file` is used in messages only.
/// Throws Error{config} with file and key, or line and column, for anything not understood, and
/// with file for what no model can use.
model::Problem parse_problem(std::string_view text, const std::string& file);

} // namespace hypermile::io
