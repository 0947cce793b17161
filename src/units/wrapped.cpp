#include "units/wrapped.hpp"

#include <sstream>

namespace hypermile {
namespace {

/// Words in lines that begin in a column, the first of them perhaps in another one.
std::string in_lines(const std::string& text, std::size_t first_column, std::size_t begin) {
  constexpr std::size_t width = 79;
  std::string lines;
  std::size_t column = first_column;
  bool first = true;
  std::istringstream words(text);
  for (std::string word; words >> word; column += word.size()) {
    if (!first && column + 1 + word.size() > width) {
      lines += '\n' + std::string(begin, ' ');
      column = begin;
    } else if (!first) {
      lines += ' ';
      ++column;
    }
    lines += word;
    first = false;
  }
  return lines + "\n";
}

} // namespace

std::string wrapped(const std::string& text) { return in_lines(text, 0, 2); }

std::string labelled(const std::string& label, const std::string& text, std::size_t width) {
  std::string padded = label;
  padded.resize(width, ' ');
  return padded + in_lines(text, width, width);
}

} // namespace hypermile
