#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::doctor {

/// A small file that may be missing or closed; then none.
std::optional<std::string> read_if_there(const std::string& path);

/// The text after "KEY<blanks>:<blanks>" in the first line that begins so, as in /proc/cpuinfo.
std::optional<std::string> value_of(std::string_view text, std::string_view key);

/// The parts of a text between a character: "a:b" -> a, b.
std::vector<std::string> split(std::string_view text, char at);

} // namespace hypermile::doctor
