#pragma once

#include "model/recording.hpp"

#include <string>

namespace hypermile::io {

/// A recording as text, schema `hypermile/computation/1`: a line with the schema, "ranks N",
/// then for each rank "rank R calls M" and M lines "<MPI function> <work>", where work is a
/// whole number in the platform's unit.
std::string print_recording(const model::Recording& recording);

/// Reads what print_recording() writes. `file` is used in messages only. Throws Error{config}
/// with file and line for anything else.
model::Recording parse_recording(std::string_view text, const std::string& file);

} // namespace hypermile::io
