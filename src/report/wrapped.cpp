#include "report/wrapped.hpp"

#include <sstream>

namespace hypermile::report {

std::string wrapped(const std::string& text) {
  constexpr std::size_t width = 79;
  std::string lines;
  std::size_t column = 0;
  std::istringstream words(text);
  for (std::string word; words >> word; column += word.size()) {
    if (column > 0 && column + 1 + word.size() > width) {
      lines += "\n  ";
      column = 2;
    } else if (column > 0) {
      lines += ' ';
      ++column;
    }
    lines += word;
  }
  return lines + "\n";
}

} // namespace hypermile::report
