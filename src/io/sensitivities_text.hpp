#pragma once

#include "model/call_sensitivities.hpp"

#include <string>
#include <string_view>

namespace hypermile::io {

/// A number from 0 to 1. Throws Error{config} for anything else.
double parse_sensitivity(const std::string& text);

/// A number for all calls; or entries on lines, or with commas between them: a function of MPI
/// without "MPI_", or one of the places that call it (counted from 1 in the order of their first
/// calls), and its number; a number alone is that of everything else. What follows a # on a line is
/// no entry.
///
///     0.9            # of everything else
///     Allreduce 0.3
///     Sendrecv/2 0.5
///
/// `source`: is named in errors. Throws Error{config} for anything else, and for an entry that is
/// there twice.
model::CallSensitivities parse_sensitivities(std::string_view text, const std::string& source);

/// The entries, with commas, as parse_sensitivities() reads them.
std::string print_sensitivities(const model::CallSensitivities& sensitivities);

/// Of a number, or a file with entries. Throws Error{config} where it is neither.
model::CallSensitivities read_sensitivities(const std::string& number_or_file);

} // namespace hypermile::io
