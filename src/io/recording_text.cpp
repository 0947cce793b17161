#include "io/recording_text.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace hypermile::io {
namespace {

constexpr std::string_view schema = "hypermile/computation/1";
constexpr std::size_t most_ranks = 1'000'000;
constexpr std::uint64_t most_work = std::uint64_t{1} << 53; // whole numbers a double can hold

class Lines {
public:
  Lines(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  std::string_view next() {
    ++number_;
    const auto end = rest_.find('\n');
    if (end == std::string_view::npos)
      fail(rest_.empty() ? "the file ends too early" : "the last line is not complete");
    const auto line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }
  [[nodiscard]] bool done() const { return rest_.empty(); }
  [[nodiscard]] std::size_t characters_left() const { return rest_.size(); }

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::config, fmt::format("{}:{}: {}", file_, number_, what),
                "a file that 'hypermile simulate --report DIR' wrote");
  }

private:
  std::string_view rest_;
  const std::string& file_;
  std::size_t number_ = 0;
};

/// The number after `prefix`, where the line is nothing else.
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

class Parser {
public:
  Parser(std::string_view text, const std::string& file) : lines_(text, file) {}

  model::Recording parse() {
    if (lines_.next() != schema)
      lines_.fail(fmt::format("the first line is not '{}'", schema));
    const auto ranks = number_after(lines_.next(), "ranks ");
    if (!ranks || *ranks == 0 || *ranks > most_ranks)
      lines_.fail("'ranks N' was expected");
    for (std::uint64_t rank = 0; rank < *ranks; ++rank)
      parse_rank(rank);
    if (!lines_.done())
      lines_.fail("there is more than the announced calls");
    return std::move(recording_);
  }

private:
  void parse_rank(std::uint64_t rank) {
    const auto calls = number_after(lines_.next(), fmt::format("rank {} calls ", rank));
    if (!calls)
      lines_.fail(fmt::format("'rank {} calls N' was expected", rank));
    // A line has at least four characters; a larger announcement is not worth the memory.
    if (*calls > lines_.characters_left() / 4)
      lines_.fail("more calls are announced than the file has");
    auto& recorded = recording_.ranks.emplace_back();
    recorded.reserve(*calls);
    for (std::uint64_t i = 0; i < *calls; ++i)
      recorded.push_back(parse_call(lines_.next()));
  }

  model::RecordedCall parse_call(std::string_view line) {
    const auto space = line.find(' ');
    const auto name = line.substr(0, space);
    if (space == std::string_view::npos || name.empty())
      lines_.fail("'<MPI function> <work>' was expected");
    const auto work = number_after(line.substr(space), " ");
    if (!work)
      lines_.fail("the work is not a whole number");
    if (*work > most_work)
      lines_.fail("the work is more than 2^53");
    return {operation(name), Work{static_cast<double>(*work)}};
  }

  std::uint16_t operation(std::string_view name) {
    const auto known = known_.find(std::string(name));
    if (known != known_.end())
      return known->second;
    if (known_.size() == 1000)
      lines_.fail("there are more different functions than MPI has");
    const std::uint16_t index = recording_.operation(name);
    known_.emplace(name, index);
    return index;
  }

  Lines lines_;
  model::Recording recording_;
  std::unordered_map<std::string, std::uint16_t> known_;
};

} // namespace

std::string print_recording(const model::Recording& recording) {
  fmt::memory_buffer out;
  fmt::format_to(std::back_inserter(out), "{}\nranks {}\n", schema, recording.ranks.size());
  for (std::size_t rank = 0; rank < recording.ranks.size(); ++rank) {
    fmt::format_to(std::back_inserter(out), "rank {} calls {}\n", rank,
                   recording.ranks[rank].size());
    for (const auto& [operation, computation] : recording.ranks[rank])
      fmt::format_to(std::back_inserter(out), "{} {}\n", recording.operations[operation],
                     std::llround(computation.value()));
  }
  return fmt::to_string(out);
}

model::Recording parse_recording(std::string_view text, const std::string& file) {
  return Parser(text, file).parse();
}

} // namespace hypermile::io
