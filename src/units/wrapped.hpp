#pragma once

#include <cstddef>
#include <string>

namespace hypermile {

/// The words of a text in lines that fit a terminal, all but the first indented.
std::string wrapped(const std::string& text);

/// The same beside a label that has a column of its own, of that width.
std::string labelled(const std::string& label, const std::string& text, std::size_t width = 10);

} // namespace hypermile
