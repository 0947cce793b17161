#include "io/power_cap.hpp"

#include "units/error.hpp"
#include "units/parse.hpp"

#include <fmt/format.h>

namespace hypermile::io {
namespace {

constexpr const char* example = "2kW, peak:2kW, or 2kW,peak:3kW";

void add(PowerCaps& caps, std::string_view text) {
  const auto [peak, power] = parse_power_cap(text);
  if (power <= Watts{})
    throw Error(ErrorKind::config, fmt::format("'{}' is not more than 0", text), example);
  std::optional<Watts>& cap = peak ? caps.peak : caps.average;
  if (cap)
    throw Error(
        ErrorKind::config,
        fmt::format("'{}' is a second cap on the {} power", text, peak ? "peak" : "average"),
        example);
  cap = power;
}

} // namespace

PowerCap parse_power_cap(std::string_view text) {
  constexpr std::string_view peak = "peak:";
  constexpr std::string_view average = "average:";
  const std::string_view all = text;
  const bool is_peak = text.starts_with(peak);
  if (is_peak)
    text.remove_prefix(peak.size());
  else if (text.starts_with(average))
    text.remove_prefix(average.size());
  const Watts power = parse_watts(text);
  if (power < Watts{})
    throw Error(ErrorKind::config, fmt::format("'{}' is negative", all));
  return {is_peak, power};
}

PowerCaps parse_power_caps(std::string_view text) {
  PowerCaps caps;
  for (std::string_view rest = text;;) {
    const auto end = rest.find(',');
    const std::string_view cap = rest.substr(0, end);
    if (cap.empty() && cap.size() < text.size())
      throw Error(ErrorKind::config, fmt::format("'{}' has a comma too many", text), example);
    add(caps, cap);
    if (end == std::string_view::npos)
      return caps;
    rest.remove_prefix(end + 1);
  }
}

std::string print_power_caps(const PowerCaps& caps) {
  std::string text;
  if (caps.average)
    text = fmt::format("{}W", caps.average->value());
  if (caps.peak)
    text += fmt::format("{}peak:{}W", text.empty() ? "" : ",", caps.peak->value());
  return text;
}

} // namespace hypermile::io
