#include "backend/wattmeter/power_log.hpp"

#include "backend/wattmeter/timestamp.hpp"
#include "units/csv.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hypermile::backend::wattmeter {
namespace {

Watts read_power(const CsvReader& csv) {
  constexpr double most = 1e9;
  const double watts = csv.number("power_w", "a power in watts");
  if (watts < 0)
    csv.fail(fmt::format("the power '{}' is negative", csv.field("power_w")),
             "swap the meter's wires, or leave the sample out");
  if (watts > most)
    csv.fail(fmt::format("the power '{}' is above a gigawatt", csv.field("power_w")),
             "power_w in watts");
  return Watts{watts};
}

Seconds read_time(const CsvReader& csv) {
  try {
    return parse_timestamp(csv.field("time"));
  } catch (const Error& error) {
    csv.fail(error.what());
  }
}

std::string read_node(const CsvReader& csv) {
  if (!csv.has("node"))
    return "";
  const auto text = csv.field("node");
  const bool plain = std::ranges::all_of(
      text, [](char c) { return c > ' ' && c <= '~' && c != '"' && c != '\''; });
  if (text.empty() || !plain)
    csv.fail("the name of the node is empty, or has blanks, quotes or other characters",
             "the host name without quotes");
  return std::string(text);
}

} // namespace

PowerLog parse_power_log(std::string_view text, const std::string& file) {
  CsvReader csv(text, file,
                {.needed = {"time", "power_w"},
                 .optional = {"node"},
                 .example = "time,power_w' or 'time,power_w,node"});
  PowerLog log;
  while (csv.next()) {
    const Seconds time = read_time(csv);
    const Watts power = read_power(csv);
    auto& samples = log[read_node(csv)];
    if (!samples.empty() && time < samples.back().time)
      csv.fail(fmt::format("the time '{}' is before the sample above", csv.field("time")),
               "samples in the order of time");
    samples.push_back({time, power});
  }
  if (log.empty())
    csv.fail("there is no sample", "a log that covers the run");
  return log;
}

control::Finding probe(const control::Access&) {
  return {.what = "reads the log of an external meter: --meter wattmeter:FILE"};
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
