#include "backend/wattmeter/power_log.hpp"

#include "backend/wattmeter/timestamp.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace hypermile::backend::wattmeter {
namespace {

constexpr const char* header_advice = "a first line such as 'time,power_w' or 'time,power_w,node'";

[[noreturn]] void fail(const std::string& file, std::size_t line, const std::string& what,
                       const std::string& advice = "") {
  throw Error(ErrorKind::config, fmt::format("{}:{}: {}", file, line, what), advice);
}

/// The lines of a text, without their ends; counted from 1.
class Rows {
public:
  explicit Rows(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> next() {
    if (rest_.empty())
      return std::nullopt;
    ++number_;
    const auto end = rest_.find('\n');
    auto line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    return line;
  }
  [[nodiscard]] std::size_t number() const { return number_; }

private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const auto comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos)
      return fields;
    line.remove_prefix(comma + 1);
  }
}

/// Which field is what.
struct Columns {
  std::size_t time;
  std::size_t power;
  std::optional<std::size_t> node;
  std::size_t count;
};

Columns read_header(std::string_view line, const std::string& file) {
  constexpr std::array<std::string_view, 3> known{"time", "power_w", "node"};
  std::array<std::optional<std::size_t>, known.size()> places;
  const auto fields = fields_of(line);
  for (std::size_t field = 0; field < fields.size(); ++field) {
    const auto name = std::ranges::find(known, fields[field]);
    if (name == known.end())
      fail(file, 1, fmt::format("'{}' is not a column", fields[field]), header_advice);
    auto& place = places.at(static_cast<std::size_t>(name - known.begin()));
    if (place)
      fail(file, 1, fmt::format("the column {} is there twice", fields[field]), header_advice);
    place = field;
  }
  for (const std::size_t needed : {0U, 1U})
    if (!places.at(needed))
      fail(file, 1, fmt::format("there is no column {}", known.at(needed)), header_advice);
  return {*places[0], *places[1], places[2], fields.size()};
}

Watts read_power(std::string_view text, const std::string& file, std::size_t line) {
  constexpr double most = 1e9;
  double watts = 0;
  const char* const last = text.data() + text.size();
  const auto [end, status] = std::from_chars(text.data(), last, watts);
  if (status != std::errc{} || end != last || !std::isfinite(watts))
    fail(file, line, fmt::format("'{}' is not a power in watts", text), "a number such as 231.5");
  if (watts < 0)
    fail(file, line, fmt::format("the power '{}' is negative", text),
         "swap the meter's wires, or leave the sample out");
  if (watts > most)
    fail(file, line, fmt::format("the power '{}' is above a gigawatt", text), "power_w in watts");
  return Watts{watts};
}

Seconds read_time(std::string_view text, const std::string& file, std::size_t line) {
  try {
    return parse_timestamp(text);
  } catch (const Error& error) {
    fail(file, line, error.what());
  }
}

std::string read_node(std::string_view text, const std::string& file, std::size_t line) {
  const bool plain = std::ranges::all_of(
      text, [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '\''; });
  if (text.empty() || !plain)
    fail(file, line, "the name of the node is empty, or has blanks, quotes or other characters",
         "the host name without quotes");
  return std::string(text);
}

} // namespace

PowerLog parse_power_log(std::string_view text, const std::string& file) {
  Rows rows(text);
  const auto header = rows.next();
  if (!header)
    fail(file, 1, "the file is empty", header_advice);
  const Columns columns = read_header(*header, file);
  PowerLog log;
  while (const auto row = rows.next()) {
    const auto fields = fields_of(*row);
    if (fields.size() != columns.count)
      fail(file, rows.number(),
           fmt::format("{} fields instead of {}", fields.size(), columns.count));
    const Seconds time = read_time(fields[columns.time], file, rows.number());
    const Watts power = read_power(fields[columns.power], file, rows.number());
    auto& samples = log[columns.node ? read_node(fields[*columns.node], file, rows.number()) : ""];
    if (!samples.empty() && time < samples.back().time)
      fail(file, rows.number(),
           fmt::format("the time '{}' is before the sample above", fields[columns.time]),
           "samples in the order of time");
    samples.push_back({time, power});
  }
  if (log.empty())
    fail(file, 1, "there is no sample", "a log that covers the run");
  return log;
}

std::string_view complete_lines(std::string_view text) {
  const auto end = text.rfind('\n');
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end + 1);
}

const std::vector<Sample>& samples_of(const PowerLog& log, std::string_view node,
                                      const std::string& file) {
  if (const auto unnamed = log.find(""); unnamed != log.end())
    return unnamed->second;
  const auto found = log.find(node);
  if (found != log.end())
    return found->second;
  std::vector<std::string_view> names;
  for (const auto& [name, samples] : log)
    names.emplace_back(name);
  throw Error(
      ErrorKind::config, fmt::format("{}: there is no sample of node '{}'", file, node),
      fmt::format("a log with the node's host name; this one has {}", fmt::join(names, ", ")));
}

} // namespace hypermile::backend::wattmeter
