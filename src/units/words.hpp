#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hypermile {

/// The words of a command line. Blanks separate them; '...' and "..." keep them together, and
/// \ keeps the next character. Nothing else has a meaning: no variable, no *, no ;. Throws
/// Error{config} for quotes that do not end, and where there is no word.
std::vector<std::string> split_words(const std::string& text);

/// Without what is around it of these characters; else spaces, tabs and the \r of Windows's lines.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r");

/// What split_words() makes these words of.
std::string join_words(const std::vector<std::string>& words);

/// What a shell makes exactly these words of.
std::string shell_words(const std::vector<std::string>& words);

} // namespace hypermile
