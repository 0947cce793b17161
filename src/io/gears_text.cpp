#include "io/gears_text.hpp"

#include "units/error.hpp"
#include "units/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace hypermile::io {
namespace {

/// What stands between the separators, at least one element.
std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

model::Gear parse_gear(std::string_view text) {
  model::Gear gear = 0;
  const auto* const last = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), last, gear);
  if (text.empty() || status != std::errc{} || end != last)
    throw Error(ErrorKind::config, fmt::format("'{}' is not a gear", text),
                "0,3,5 with a whole number per node, 3 for all nodes, or type1=2,type3=1");
  return gear;
}

GearsOfTypes parse_types(const std::vector<std::string_view>& parts) {
  GearsOfTypes gears;
  for (const auto part : parts) {
    const auto equals = part.rfind('=');
    if (equals == std::string_view::npos)
      throw Error(ErrorKind::config, fmt::format("'{}' names no node type", part),
                  "type1=2,type3=1, or gears without any type");
    const std::string type{trimmed(part.substr(0, equals))};
    if (type.empty())
      throw Error(ErrorKind::config, fmt::format("'{}' has no node type before the =", part));
    if (!gears.emplace(type, parse_gear(trimmed(part.substr(equals + 1)))).second)
      throw Error(ErrorKind::config, fmt::format("node type '{}' is given twice", type));
  }
  return gears;
}

} // namespace

std::vector<model::Gear> parse_gears(std::string_view text) {
  std::vector<model::Gear> gears;
  for (const auto part : split(text, ','))
    gears.push_back(parse_gear(part));
  return gears;
}

GearChoice parse_gear_choice(std::string_view text) {
  if (text.find('=') != std::string_view::npos)
    return parse_types(split(text, ','));
  auto gears = parse_gears(text);
  if (gears.size() == 1)
    return gears.front();
  return gears;
}

std::vector<GearLine> parse_gear_lines(std::string_view text, const std::string& file) {
  std::vector<GearLine> choices;
  std::size_t number = 0;
  for (const auto line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.front() == '#')
      continue;
    try {
      choices.push_back({number, parse_gear_choice(line)});
    } catch (const Error& error) {
      throw Error(ErrorKind::config, fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }
  if (choices.empty())
    throw Error(ErrorKind::config, fmt::format("{}: there are no gears in it", file),
                "a line like 0,3,5 for each run");
  return choices;
}

std::string print_gears(std::span<const model::Gear> gears) {
  return fmt::format("{}", fmt::join(gears, ","));
}

} // namespace hypermile::io
