#include "cli/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace hypermile::cli {

Check whole_number(std::size_t least, std::size_t most) {
  return [=](const std::string& text) -> std::string {
    std::size_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, status] = std::from_chars(text.data(), end, value);
    if (status == std::errc{} && stop == end && value >= least && value <= most)
      return "";
    return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  };
}

Check one_of(std::vector<std::string> values) {
  return [values = std::move(values)](const std::string& text) -> std::string {
    if (std::ranges::find(values, text) != values.end())
      return "";
    return fmt::format("'{}' is none of {}", text, fmt::join(values, ", "));
  };
}

Check not_empty() {
  return [](const std::string& text) -> std::string {
    if (text == "--")
      return "its value is missing before '--'";
    return text.empty() ? "its value is empty" : "";
  };
}

} // namespace hypermile::cli
