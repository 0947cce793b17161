#include "units/parse.hpp"

#include "units/error.hpp"
#include "units/words.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string>

namespace hypermile {
namespace {

struct UnitName {
  std::string_view name;
  double factor;
};

struct Dimension {
  std::string_view what;
  std::span<const UnitName> units;
  std::string_view example;
};

constexpr std::string_view blanks = " \t";

struct Split {
  double number;
  std::string_view rest;
};

std::optional<Split> split_number(std::string_view text) {
  double number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc{} || !std::isfinite(number))
    return std::nullopt;
  return Split{number, trimmed(text.substr(static_cast<std::size_t>(end - text.data())), blanks)};
}

std::optional<double> prefix_factor(std::string_view prefix) {
  static constexpr std::array<UnitName, 8> prefixes{{{"", 1},
                                                     {"n", 1e-9},
                                                     {"u", 1e-6},
                                                     {"m", 1e-3},
                                                     {"k", 1e3},
                                                     {"M", 1e6},
                                                     {"G", 1e9},
                                                     {"T", 1e12}}};
  for (const auto& [name, factor] : prefixes)
    if (name == prefix)
      return factor;
  return std::nullopt;
}

std::optional<double> unit_factor(std::string_view unit, const Dimension& dimension) {
  // Whole names first: "min" is a minute, not a milli-"in".
  for (const auto& [name, factor] : dimension.units)
    if (unit == name)
      return factor;
  for (const auto& [name, factor] : dimension.units)
    if (unit.ends_with(name))
      if (const auto prefix = prefix_factor(unit.substr(0, unit.size() - name.size())))
        return *prefix * factor;
  return std::nullopt;
}

/// Wide enough for every machine, narrow enough that products and cubes of such numbers and of
/// their ratios stay finite.
double in_range(double value, std::string_view text) {
  constexpr double smallest = 1e-30;
  constexpr double largest = 1e30;
  const double size = std::abs(value);
  if (size != 0 && !(size >= smallest && size <= largest))
    throw Error(ErrorKind::config, fmt::format("'{}' is out of range", text),
                fmt::format("0, or a size from {} to {} in SI units", smallest, largest));
  return value;
}

double parse(std::string_view text, const Dimension& dimension) {
  const auto split = split_number(trimmed(text, blanks));
  if (split && !split->rest.empty())
    if (const auto factor = unit_factor(split->rest, dimension))
      return in_range(split->number * *factor, text);
  throw Error(ErrorKind::config, fmt::format("'{}' is not {}", text, dimension.what),
              fmt::format("a number with its unit, e.g. {}", dimension.example));
}

constexpr std::array<UnitName, 4> seconds{{{"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}};
constexpr std::array<UnitName, 2> joules{{{"J", 1}, {"Wh", 3600}}};
constexpr std::array<UnitName, 1> watts{{{"W", 1}}};
constexpr std::array<UnitName, 1> hertz{{{"Hz", 1}}};
constexpr std::array<UnitName, 1> speed{{{"f", 1}}};
constexpr std::array<UnitName, 4> bandwidth{
    {{"bps", 0.125}, {"bit/s", 0.125}, {"Bps", 1}, {"B/s", 1}}};
constexpr std::array<UnitName, 4> rates{
    {{"/s", 1}, {"/min", 1.0 / 60}, {"/h", 1.0 / 3600}, {"/d", 1.0 / 86400}}};

} // namespace

Seconds parse_seconds(std::string_view text) {
  return Seconds{parse(text, {"a duration", seconds, "50us, 1.5s, 2h"})};
}
Joules parse_joules(std::string_view text) {
  return Joules{parse(text, {"an energy", joules, "500J, 5kJ, 1kWh"})};
}
Watts parse_watts(std::string_view text) {
  return Watts{parse(text, {"a power", watts, "90W, 2kW"})};
}
Hertz parse_hertz(std::string_view text) {
  return Hertz{parse(text, {"a frequency", hertz, "2.5GHz, 800MHz"})};
}
Speed parse_speed(std::string_view text) { return Speed{parse(text, {"a speed", speed, "40Gf"})}; }
Bandwidth parse_bandwidth(std::string_view text) {
  return Bandwidth{parse(text, {"a bandwidth", bandwidth, "1Gbps, 125MBps"})};
}

Rate parse_rate(std::string_view text) {
  return Rate{parse(text, {"a rate", rates, "200/s, 5k/min"})};
}

double parse_ratio(std::string_view text) {
  if (const auto split = split_number(trimmed(text, blanks))) {
    if (split->rest.empty())
      return split->number;
    if (split->rest == "%")
      return split->number / 100;
  }
  throw Error(ErrorKind::config, fmt::format("'{}' is not a ratio", text),
              "a percentage such as 5%, or a plain number such as 0.05");
}

double parse_slowdown(std::string_view text) {
  const double slowdown = parse_ratio(text);
  if (slowdown < 0)
    throw Error(ErrorKind::config, fmt::format("'{}' is negative", text), "5%");
  if (slowdown >= 1 && !trimmed(text, blanks).ends_with('%'))
    throw Error(ErrorKind::config, fmt::format("'{}' means {:.6g} %", text, 100 * slowdown),
                fmt::format("{:.6g}% or {:.6g}; {:.6g}% if that is meant", slowdown, slowdown / 100,
                            100 * slowdown));
  return slowdown;
}

} // namespace hypermile
