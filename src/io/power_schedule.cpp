#include "io/power_schedule.hpp"

#include "units/csv.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace hypermile::io {
namespace {

/// Two digits below `limit` at the begin of the text, which are taken from it.
std::optional<int> take_two_digits(std::string_view& text, int limit) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1]))
    return std::nullopt;
  const int number = 10 * (text[0] - '0') + (text[1] - '0');
  text.remove_prefix(2);
  return number < limit ? std::optional(number) : std::nullopt;
}

/// "06:00", "06:00:30"
std::optional<Seconds> time_of_day(std::string_view text) {
  constexpr std::array limits{24, 60, 60};
  constexpr std::array seconds{3600, 60, 1};
  int total = 0;
  std::size_t parts = 0;
  for (; parts < limits.size() && !(parts == 2 && text.empty()); ++parts) {
    if (parts > 0) {
      if (!text.starts_with(':'))
        return std::nullopt;
      text.remove_prefix(1);
    }
    const auto number = take_two_digits(text, limits.at(parts));
    if (!number)
      return std::nullopt;
    total += *number * seconds.at(parts);
  }
  return text.empty() ? std::optional(Seconds{static_cast<double>(total)}) : std::nullopt;
}

} // namespace

steer::PowerSchedule parse_power_schedule(std::string_view text, const std::string& file) {
  CsvReader csv(text, file, {.needed = {"time", "power_w"}, .example = "time,power_w"});
  steer::PowerSchedule schedule;
  while (csv.next()) {
    const auto from = time_of_day(csv.field("time"));
    if (!from)
      csv.fail(fmt::format("'{}' is not a time of the day", csv.field("time")),
               "06:00 or 23:59:59");
    const double watts = csv.number("power_w", "a power in watts");
    if (watts <= 0)
      csv.fail(fmt::format("a bound of {} W cannot be kept", csv.field("power_w")));
    if (!schedule.entries.empty() && *from <= schedule.entries.back().from)
      csv.fail("the time is not after the one above", "entries in the order of the day");
    schedule.entries.push_back({*from, Watts{watts}});
  }
  if (schedule.entries.empty())
    csv.fail("there is no bound", "at least one line with a time and a power");
  return schedule;
}

} // namespace hypermile::io
