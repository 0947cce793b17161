#include "report/simulation_text.hpp"

#include <fmt/format.h>

#include <sstream>
#include <vector>

namespace hypermile::report {
namespace {

constexpr std::size_t longest = 25;

/// "0,0,3" as "2x0,3".
std::string counted(const std::string& list) {
  std::vector<std::pair<std::string, std::size_t>> groups;
  std::istringstream items(list);
  for (std::string item; std::getline(items, item, ',');)
    if (!groups.empty() && groups.back().first == item)
      ++groups.back().second;
    else
      groups.emplace_back(item, 1);
  std::string text;
  for (const auto& [item, count] : groups)
    text += (text.empty() ? "" : ",") + (count == 1 ? item : fmt::format("{}x{}", count, item));
  return text;
}

} // namespace

std::string short_method(const std::string& method) {
  const auto colon = method.find(':');
  if (method.size() <= longest || colon == std::string::npos)
    return method;
  const std::string text = method.substr(0, colon + 1) + counted(method.substr(colon + 1));
  return text.size() <= longest ? text : text.substr(0, longest - 3) + "...";
}

} // namespace hypermile::report
