#include "io/recording_text.hpp"

#include "io/lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

namespace hypermile::io {
namespace {

constexpr std::string_view recording_schema = "hypermile/computation/1";
constexpr std::size_t most_recorded_ranks = 1'000'000;
constexpr std::uint64_t most_work = std::uint64_t{1} << 53; // whole numbers a double can hold

class RecordingParser {
public:
  RecordingParser(std::string_view text, const std::string& file) : lines_(text, file) {}

  model::Recording parse() {
    if (lines_.next() != recording_schema)
      lines_.fail(fmt::format("the first line is not '{}'", recording_schema));
    const auto ranks = number_after(lines_.next(), "ranks ");
    if (!ranks || *ranks == 0 || *ranks > most_recorded_ranks)
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
  fmt::format_to(std::back_inserter(out), "{}\nranks {}\n", recording_schema,
                 recording.ranks.size());
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
  return RecordingParser(text, file).parse();
}

} // namespace hypermile::io
