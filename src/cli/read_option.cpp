#include "cli/read_option.hpp"

#include "govern/governors.hpp"

namespace hypermile::cli {
namespace {

template <class Row> std::string line_of(const Row& row) {
  return fmt::format("  {:<12}  {}\n", row.name, row.help);
}

void replace_line(std::string& text, std::string_view line, const std::string& by) {
  if (const auto at = text.find(line); at != std::string::npos)
    text.replace(at, line.size(), by);
}

} // namespace

std::string with_lists(std::string text,
                       const std::function<bool(const select::MethodRow&)>& lists) {
  std::string methods;
  for (const select::MethodRow& row : select::methods())
    if (lists(row))
      methods += line_of(row);
  std::string objectives;
  for (const select::ObjectiveRow& row : select::objectives())
    objectives += line_of(row);
  replace_line(text, "{methods}\n", methods);
  std::string governors;
  for (const govern::GovernorRow& row : govern::governors())
    governors += line_of(row);
  replace_line(text, "{objectives}\n", objectives);
  replace_line(text, "{governors}\n", governors);
  return text;
}

} // namespace hypermile::cli
