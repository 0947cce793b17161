#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hypermile::io {

/// The whole file. Throws Error{config} with the system's reason if it cannot be read.
std::string read_text_file(const std::string& path);

/// Writes the file as a whole or not at all: to a temporary beside it, then renamed. What is there
/// and no file (a device, a pipe) is written to.
/// Throws Error{hardware} with the system's reason (a full disk, say) and leaves nothing behind.
void write_text_file(const std::string& path, const std::string& text);

/// The names, without the ending, of what a folder has with this ending (".yaml"), sorted. None if
/// there is no such folder.
std::vector<std::string> names_in(const std::string& folder, std::string_view ending);

} // namespace hypermile::io
