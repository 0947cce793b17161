#pragma once

#include <fmt/ranges.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermile::select {

// For tables whose rows have an enumerator and a name: of objectives, and of methods.

/// Whether the value of each enumerator is the position of its row.
template <class Rows, class Member>
constexpr bool in_order_of_enumerators(const Rows& rows, Member enumerator) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (static_cast<std::size_t>(rows[i].*enumerator) != i)
      return false;
  return true;
}

template <class Rows, class Member>
auto enumerator_named(const Rows& rows, std::string_view name, Member enumerator) {
  for (const auto& row : rows)
    if (row.name == name)
      return std::optional(row.*enumerator);
  return decltype(std::optional(rows[0].*enumerator))();
}

/// "a, b, c", of the rows that `fits` takes.
template <class Rows, class Fits> std::string names_of(const Rows& rows, Fits fits) {
  std::vector<std::string_view> names;
  for (const auto& row : rows)
    if (fits(row))
      names.push_back(row.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace hypermile::select
