#pragma once

#include <string>

namespace hypermile::cli {

/// Opens the standard streams that are closed, such that there is nothing to read and writing still
/// fails: else the next file that is opened gets their number, and what is printed.
void occupy_standard_streams();

/// Prints results on stdout. Throws Error{hardware} if not all of it can be written.
void print_result(const std::string& text);

/// Prints "hypermile: TEXT" on stderr, as far as that can be written.
void print_remark(const std::string& text);

/// The same with "error: " before the text.
void print_error(const std::string& text);

} // namespace hypermile::cli
