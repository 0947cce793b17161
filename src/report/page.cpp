#include "report/page.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

namespace hypermile::report {

std::string inside_script(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json)
    if (c == '<') // outside of texts JSON has none
      safe += "\\u003c";
    else
      safe += c;
  return safe;
}

std::string fill_page(std::string_view page, const std::string& json, const std::string& file) {
  const std::size_t at = page.find(page_marker);
  if (at == std::string_view::npos || page.find(page_marker, at + 1) != std::string_view::npos)
    throw Error(
        ErrorKind::unsupported,
        fmt::format("{} is not the page of a report, as {} is not once in it", file, page_marker),
        "install hypermile again");
  std::string filled(page.substr(0, at));
  filled += inside_script(json);
  filled += page.substr(at + page_marker.size());
  return filled;
}

} // namespace hypermile::report
