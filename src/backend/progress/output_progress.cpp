#include "backend/progress/output_progress.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace hypermile::backend::progress {
namespace {

constexpr const char* example =
    R"(a group in round brackets around the number, as in 'frame= *([0-9]+)')";

std::regex compile(const std::string& text) {
  try {
    std::regex regex(text, std::regex::ECMAScript | std::regex::optimize);
    if (regex.mark_count() > 0)
      return regex;
  } catch (const std::regex_error& error) {
    throw Error(ErrorKind::config,
                fmt::format("'{}' is no regular expression: {}", text, error.what()), example);
  }
  throw Error(ErrorKind::config, fmt::format("'{}' does not say where the number is", text),
              example);
}

/// A number of items: neither negative nor infinite.
std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = error == std::errc() && end == text.data() + text.size();
  return all && std::isfinite(number) && number >= 0 ? std::optional(number) : std::nullopt;
}

} // namespace

OutputProgress::OutputProgress(const std::string& regex) : text_(regex), regex_(compile(regex)) {}

void OutputProgress::take(std::string_view piece) {
  while (!piece.empty()) {
    const std::size_t end = std::min(piece.find_first_of("\r\n"), piece.size());
    line_ += piece.substr(0, std::min(end, longest_line - line_.size()));
    if (end == piece.size())
      return;
    end_line();
    piece.remove_prefix(end + 1);
  }
}

void OutputProgress::end_line() {
  try {
    if (std::smatch match; std::regex_search(line_, match, regex_) && match[1].matched)
      count(match[1]);
  } catch (const std::regex_error& error) {
    obstacle_ = fmt::format("'{}' takes too long: {}", text_, error.what());
  }
  line_.clear();
}

void OutputProgress::count(const std::string& text) {
  const auto number = number_in(text);
  if (!number) {
    if (!last_)
      obstacle_ = fmt::format("'{}' has matched '{}', which is no number of items; try: {}", text_,
                              text, example);
    return;
  }
  if (last_ && *number < *last_)
    before_ += *last_;
  last_ = number;
  obstacle_.clear();
}

std::optional<control::Done> OutputProgress::done() {
  if (!last_)
    return std::nullopt;
  return control::Done{.items = before_ + *last_, .arrivals = std::nullopt};
}

} // namespace hypermile::backend::progress
