#include "backend/wattmeter/timestamp.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

namespace hypermile::backend::wattmeter {
namespace {

constexpr double end_of_year_9999 = 253402300800;

/// Reads a text from the left; once something does not fit, nothing fits any more.
class Cursor {
public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  /// Exactly so many digits, within a range.
  int digits(std::size_t count, int least, int most) {
    int value = 0;
    if (rest_.size() < count)
      return fail();
    for (const char digit : rest_.substr(0, count)) {
      if (digit < '0' || digit > '9')
        return fail();
      value = 10 * value + (digit - '0');
    }
    rest_.remove_prefix(count);
    return value >= least && value <= most ? value : fail();
  }
  /// One of these characters; which one.
  char one_of(std::string_view characters) {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos)
      return static_cast<char>(fail());
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }
  bool take(char character) {
    if (!rest_.starts_with(character))
      return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// ".25" or ",25", if there is one.
  double fraction() {
    if (!take('.') && !take(','))
      return 0;
    double value = 0;
    double place = 0.1;
    if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9')
      return fail();
    for (; !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; place /= 10) {
      value += place * (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  [[nodiscard]] bool read_all() const { return fits_ && rest_.empty(); }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

private:
  int fail() {
    fits_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool fits_ = true;
};

/// Minutes that the zone is ahead of UTC: "Z", "+02:00", "-0530", "+02".
int zone(Cursor& at) {
  const char sign = at.one_of("Z+-");
  if (sign != '+' && sign != '-')
    return 0;
  const int hours = at.digits(2, 0, 14);
  at.take(':');
  const int minutes = at.at_end() ? 0 : at.digits(2, 0, 59);
  return (sign == '-' ? -1 : 1) * (60 * hours + minutes);
}

std::optional<double> iso_8601(std::string_view text) {
  using namespace std::chrono;
  Cursor at(text);
  const int y = at.digits(4, 1970, 9999);
  at.one_of("-");
  const int m = at.digits(2, 1, 12);
  at.one_of("-");
  const int d = at.digits(2, 1, 31);
  at.one_of("T ");
  const int hour = at.digits(2, 0, 23);
  at.one_of(":");
  const int minute = at.digits(2, 0, 59);
  at.one_of(":");
  const int second = at.digits(2, 0, 60); // 60: a leap second
  const double fraction = at.fraction();
  const int ahead = zone(at);
  const year_month_day date{year{y}, month{static_cast<unsigned>(m)},
                            day{static_cast<unsigned>(d)}};
  if (!at.read_all() || !date.ok())
    return std::nullopt;
  const auto days = sys_days{date}.time_since_epoch().count();
  return 86400.0 * static_cast<double>(days) + 3600.0 * hour + 60.0 * (minute - ahead) + second +
         fraction;
}

std::optional<double> unix_seconds(std::string_view text) {
  double value = 0;
  const auto [end, status] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

} // namespace

Seconds parse_timestamp(std::string_view text) {
  auto value = unix_seconds(text);
  if (!value)
    value = iso_8601(text);
  if (!value)
    throw Error(ErrorKind::config, fmt::format("'{}' is not a time", text),
                "seconds since 1970 such as 1714564800.25, or 2024-05-01T12:00:00Z with its zone");
  if (!(*value >= 0 && *value < end_of_year_9999))
    throw Error(ErrorKind::config,
                fmt::format("the time '{}' is not in the years 1970 to 9999", text),
                "seconds since 1970, not milliseconds");
  return Seconds{*value};
}

} // namespace hypermile::backend::wattmeter
