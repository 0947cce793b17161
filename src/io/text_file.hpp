#pragma once

#include <string>

namespace hypermile::io {

/// The whole file. Throws Error{config} with the system's reason if it cannot be read.
std::string read_text_file(const std::string& path);

/// Writes the file as a whole or not at all: to a temporary beside it, then renamed. What is there
/// and no file (a device, a pipe) is written to.
/// Throws Error{hardware} with the system's reason (a full disk, say) and leaves nothing behind.
void write_text_file(const std::string& path, const std::string& text);

} // namespace hypermile::io
