#include "units/csv.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hypermile {
namespace {

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

bool contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

} // namespace

CsvReader::CsvReader(std::string_view text, const std::string& file, const Columns& columns)
    : rest_(text), file_(file) {
  read_header(columns);
}

void CsvReader::read_header(const Columns& columns) {
  const std::string advice = fmt::format("a first line such as '{}'", columns.example);
  const auto header = take_line();
  if (!header) {
    line_ = 1;
    fail("the file is empty", advice);
  }
  for (const auto name : fields_of(*header)) {
    if (!contains(columns.needed, name) && !contains(columns.optional, name))
      fail(fmt::format("'{}' is not a column", name), advice);
    if (contains(names_, name))
      fail(fmt::format("the column {} is there twice", name), advice);
    names_.push_back(name);
  }
  for (const auto name : columns.needed)
    if (!contains(names_, name))
      fail(fmt::format("there is no column {}", name), advice);
}

std::optional<std::string_view> CsvReader::take_line() {
  if (rest_.empty())
    return std::nullopt;
  ++line_;
  const auto end = rest_.find('\n');
  auto line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

bool CsvReader::next() {
  const auto line = take_line();
  if (!line)
    return false;
  fields_ = fields_of(*line);
  if (fields_.size() != names_.size())
    fail(fmt::format("{} fields instead of {}", fields_.size(), names_.size()));
  return true;
}

std::optional<std::size_t> CsvReader::place_of(std::string_view column) const {
  const auto found = std::ranges::find(names_, column);
  if (found == names_.end())
    return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

std::string_view CsvReader::field(std::string_view column) const {
  return fields_.at(place_of(column).value());
}

double CsvReader::number(std::string_view column, std::string_view what) const {
  const auto text = field(column);
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    fail(fmt::format("'{}' is not {}", text, what), "a plain number such as 231.5");
  return value;
}

std::size_t CsvReader::count(std::string_view column, std::string_view what) const {
  const auto text = field(column);
  std::size_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size())
    fail(fmt::format("'{}' is not {}", text, what), "a whole number");
  return value;
}

void CsvReader::fail(const std::string& what, const std::string& advice) const {
  throw Error(ErrorKind::config, fmt::format("{}:{}: {}", file_, line_, what), advice);
}

} // namespace hypermile
