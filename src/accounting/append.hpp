#pragma once

#include <string>

namespace hypermile::accounting {

/// Adds a line, which ends with a newline, to a file that many processes add to at once: with
/// O_APPEND and a single write, so that lines neither mix nor get lost on a file system of this
/// node. (NFS does not promise that: there each node needs a file of its own.) The file is made if
/// need be, for all to read and this user to write. A symbolic link is not followed, and nothing
/// but a regular file is written to. Throws control::FileError with the system's reason.
void append_line(const std::string& file, const std::string& line);

} // namespace hypermile::accounting
