#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace hypermile::report {

/// "0.775", or "0.775..0.81" where the ranks' values differ as printed. There is at least one.
template <class Value>
std::string over_ranks(const std::vector<Value>& values, fmt::format_string<const Value&> print) {
  const auto [least, most] = std::ranges::minmax(values);
  const std::string first = fmt::format(print, least);
  const std::string last = fmt::format(print, most);
  return first == last ? first : first + ".." + last;
}

} // namespace hypermile::report
