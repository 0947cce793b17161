#include "tune/program_output.hpp"

#include "tune/program/lines.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace hypermile::tune {
namespace {

/// Words of a line that must be numbers and names.
class Words {
public:
  explicit Words(std::string_view line) : line_(line), rest_(line) {}

  std::string_view next() {
    const auto end = std::min(rest_.find(' '), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (word.empty())
      fail();
    return word;
  }

  template <class Number> Number number() {
    const std::string_view word = next();
    Number value{};
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (status != std::errc{} || end != word.data() + word.size())
      fail();
    return value;
  }

  std::string rest() {
    if (rest_.empty())
      fail();
    return std::string(std::exchange(rest_, {}));
  }

  void expect_end() const {
    if (!rest_.empty())
      fail();
  }

  [[noreturn]] void fail() const {
    throw Error(ErrorKind::hardware,
                fmt::format("the program that times operations has printed '{}'", line_),
                "an installation whose parts are of the same version");
  }

private:
  std::string_view line_;
  std::string_view rest_;
};

Line parse_words(Words& words) {
  const std::string_view kind = words.next();
  if (kind == "hello") {
    Hello hello{.library = std::string(words.next())};
    hello.processes = words.number<std::size_t>();
    hello.nodes = words.number<std::size_t>();
    hello.version = words.rest();
    if (hello.nodes == 0 || hello.processes < hello.nodes)
      words.fail();
    return hello;
  }
  if (kind == "begin")
    return Begin{.cell = words.number<std::size_t>()};
  if (kind == "timed") {
    Timed timed{.cell = words.number<std::size_t>(),
                .time = Seconds{words.number<double>()},
                .inside = Seconds{words.number<double>()}};
    timed.repetitions = words.number<std::size_t>();
    timed.algorithm = words.next();
    for (const Seconds time : {timed.time, timed.inside})
      if (!std::isfinite(time.value()) || time <= Seconds{})
        words.fail();
    return timed;
  }
  if (kind == "simulated") {
    Simulated simulated{.cell = words.number<std::size_t>(),
                        .time = Seconds{words.number<double>()},
                        .inside = Seconds{words.number<double>()},
                        .power = Watts{words.number<double>()}};
    for (const double value :
         {simulated.time.value(), simulated.inside.value(), simulated.power.value()})
      if (!std::isfinite(value) || value <= 0)
        words.fail();
    return simulated;
  }
  if (kind == "saw") {
    Saw saw{.processes = words.number<std::size_t>(), .size_b = words.number<std::size_t>()};
    saw.algorithm = words.next();
    return saw;
  }
  if (kind != "done")
    words.fail();
  return Done{};
}

} // namespace

std::optional<Line> parse_line(std::string_view line) {
  if (!line.starts_with(mark))
    return std::nullopt;
  Words words(line.substr(mark.size()));
  Line parsed = parse_words(words);
  words.expect_end();
  return parsed;
}

} // namespace hypermile::tune
