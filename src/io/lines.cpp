#include "io/lines.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hypermile::io {

std::string_view Lines::next() {
  ++number_;
  const auto end = rest_.find('\n');
  if (end == std::string_view::npos)
    fail(rest_.empty() ? "the file ends too early" : "the last line is not complete");
  const auto line = rest_.substr(0, end);
  rest_.remove_prefix(end + 1);
  return line;
}

void Lines::fail(std::string_view what) const {
  throw Error(ErrorKind::config, fmt::format("{}:{}: {}", file_, number_, what),
              "a file that 'hypermile simulate --report DIR' wrote");
}

std::optional<std::uint64_t> number_after(std::string_view line, std::string_view prefix) {
  if (!line.starts_with(prefix))
    return std::nullopt;
  line.remove_prefix(prefix.size());
  std::uint64_t number = 0;
  const auto [end, status] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (line.empty() || status != std::errc{} || end != line.data() + line.size())
    return std::nullopt;
  return number;
}

} // namespace hypermile::io
