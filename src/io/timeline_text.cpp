#include "io/timeline_text.hpp"

#include "io/lines.hpp"
#include "io/timeline_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace hypermile::io {
namespace {

using model::Action;
using model::Event;
using model::Operation;
using model::RankTimeline;
using model::Shape;

constexpr std::size_t most_timeline_ranks = 1'000'000;
constexpr std::size_t most_functions = 1000; // MPI has about half as many
/// Characters of the shortest line there is; a larger announcement is not worth the memory.
constexpr std::size_t shortest_operation = 20;
constexpr std::size_t shortest_event = 10;

constexpr std::string_view sensitivity_prefix = "sensitivity ";
constexpr std::string_view pauses_prefix = "pauses ";

/// The words of a line, one space between each two.
class Words {
public:
  Words(std::string_view line, const Lines& lines) : rest_(line), lines_(lines) {}

  std::string_view word(std::string_view what) {
    const auto end = std::min(rest_.find(' '), rest_.size());
    const auto word = rest_.substr(0, end);
    if (word.empty())
      lines_.fail(fmt::format("{} is missing", what));
    ended_ = end == rest_.size();
    rest_.remove_prefix(ended_ ? end : end + 1);
    return word;
  }
  template <class Number> Number number(std::string_view what) {
    const auto text = word(what);
    Number number{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc{} || end != text.data() + text.size())
      lines_.fail(fmt::format("{} is not a number of its kind: '{}'", what, text));
    return number;
  }
  /// Seconds, of which there can be none and no infinite number.
  template <class Number> Number time(std::string_view what) {
    const auto time = number<Number>(what);
    if (!std::isfinite(time) || time < 0)
      lines_.fail(fmt::format("{} is negative or not finite", what));
    return time;
  }
  template <class Names> std::size_t one_of(const Names& names, std::string_view what) {
    const auto text = word(what);
    const auto found = std::ranges::find(names, text);
    if (found == names.end())
      lines_.fail(fmt::format("unknown {} '{}'", what, text));
    return static_cast<std::size_t>(found - names.begin());
  }
  [[nodiscard]] bool ended() const { return ended_; }
  void end() const {
    if (!ended_)
      lines_.fail("the line is too long");
  }

private:
  std::string_view rest_;
  const Lines& lines_;
  bool ended_ = false;
};

class TimelineParser {
public:
  TimelineParser(std::string_view text, const std::string& file) : lines_(text, file) {}

  model::Timeline parse() {
    if (lines_.next() != timeline_schema)
      lines_.fail(fmt::format("the first line is not '{}'", timeline_schema));
    ranks_ = count("ranks", 1);
    if (ranks_ == 0 || ranks_ > most_timeline_ranks)
      lines_.fail("that is no number of ranks");
    for (std::size_t rank = 0; rank < ranks_; ++rank)
      parse_rank(rank);
    if (!lines_.done())
      lines_.fail("there is more than the announced events");
    return std::move(timeline_);
  }

private:
  /// "<what> N", where as many lines of this length can follow.
  std::size_t count(std::string_view what, std::size_t shortest) {
    const auto number = number_after(lines_.next(), fmt::format("{} ", what));
    if (!number)
      lines_.fail(fmt::format("'{} N' was expected", what));
    if (*number > lines_.characters_left() / shortest)
      lines_.fail(fmt::format("more {} are announced than the file has", what));
    return *number;
  }

  double number_behind(std::string_view prefix) {
    const auto line = lines_.next();
    if (!line.starts_with(prefix))
      lines_.fail(fmt::format("'{}S' was expected", prefix));
    Words words(line.substr(prefix.size()), lines_);
    const auto number = words.time<double>("the number");
    words.end();
    return number;
  }

  void parse_rank(std::size_t number) {
    if (lines_.next() != fmt::format("rank {}", number))
      lines_.fail(fmt::format("'rank {}' was expected", number));
    RankTimeline& rank = timeline_.ranks.emplace_back();
    rank.begin = Seconds{number_behind("begin ")};
    rank.computation_after = Seconds{number_behind("computation after ")};
    parse_scales(lines_.next(), rank);
    std::string_view next = lines_.next();
    if (next.starts_with(sensitivity_prefix)) {
      parse_sensitivity(next, rank);
      next = lines_.next();
    }
    if (next.starts_with(pauses_prefix)) {
      parse_pauses(next, rank);
      next = lines_.next();
    }
    rank.incomplete = parse_incomplete(next);
    parse_operations(rank);
    const std::size_t events = count("events", shortest_event);
    rank.events.reserve(events);
    for (std::size_t i = 0; i < events; ++i)
      rank.events.push_back(parse_event(lines_.next(), rank));
    if (!rank.events.empty() && rank.events.back().ends_call == 0)
      lines_.fail("the last event does not end its call");
    if (!rank.pauses.empty() && rank.pauses.back().before >= events)
      lines_.fail("there is a pause before an event that there is not");
    if (rank.sensitivity.size() > rank.operations.size())
      lines_.fail("there is a sensitivity of an operation that there is not");
  }

  /// An operation has many characters in the file: a larger number is not worth the memory.
  void parse_sensitivity(std::string_view line, RankTimeline& rank) const {
    Words words(line.substr(sensitivity_prefix.size()), lines_);
    rank.sensitivity_otherwise = parse_sensitivity(words);
    while (!words.ended()) {
      const auto operation = words.number<std::size_t>("the operation");
      if (operation < rank.sensitivity.size())
        lines_.fail("the operations with a sensitivity do not ascend");
      if (operation > lines_.characters_left() / shortest_operation)
        lines_.fail("there is a sensitivity of an operation that there is not");
      rank.sensitivity.resize(operation, rank.sensitivity_otherwise);
      rank.sensitivity.push_back(parse_sensitivity(words));
    }
  }

  double parse_sensitivity(Words& words) const {
    const auto sensitivity = words.time<double>("the sensitivity");
    if (sensitivity > 1)
      lines_.fail("the sensitivity is more than 1");
    return sensitivity;
  }

  void parse_pauses(std::string_view line, RankTimeline& rank) const {
    Words words(line.substr(pauses_prefix.size()), lines_);
    std::uint32_t last = 0;
    while (!words.ended()) {
      const auto event = words.number<std::uint32_t>("the event");
      if (!rank.pauses.empty() && event <= last)
        lines_.fail("the events with a pause do not ascend");
      const Seconds length{words.time<double>("the pause")};
      if (length == Seconds{})
        lines_.fail("the pause takes no time");
      rank.pauses.push_back({event, length});
      last = event;
    }
  }

  void parse_scales(std::string_view line, RankTimeline& rank) const {
    constexpr std::string_view prefix = "scale ";
    if (!line.starts_with(prefix))
      lines_.fail("'scale S' was expected");
    Words words(line.substr(prefix.size()), lines_);
    rank.scale = parse_scale(words);
    std::uint32_t last = 0;
    while (!words.ended()) {
      const auto event = words.number<std::uint32_t>("the event");
      if (event <= last)
        lines_.fail("the events from which scales hold do not ascend");
      rank.earlier.push_back({event, rank.scale});
      rank.scale = parse_scale(words);
      last = event;
    }
  }

  double parse_scale(Words& words) const {
    const auto scale = words.time<double>("the scale");
    if (scale < 1)
      lines_.fail("the scale is less than 1");
    return scale;
  }

  std::string parse_incomplete(std::string_view line) const {
    constexpr std::string_view prefix = "incomplete ";
    if (line == "complete")
      return {};
    if (!line.starts_with(prefix) || line.size() == prefix.size())
      lines_.fail("'complete' or 'incomplete <why>' was expected");
    return std::string(line.substr(prefix.size()));
  }

  void parse_operations(RankTimeline& rank) {
    const std::size_t operations = count("operations", shortest_operation);
    rank.operations.reserve(operations);
    rank.before.reserve(operations);
    for (std::size_t i = 0; i < operations; ++i) {
      Words words(lines_.next(), lines_);
      rank.operations.push_back(parse_operation(words));
      rank.before.push_back(words.number<std::uint64_t>("how often it had occurred"));
      words.end();
    }
    if (std::ranges::all_of(rank.before, [](std::uint64_t n) { return n == 0; }))
      rank.before.clear();
  }

  void parse_action(std::string_view name, Operation& operation) {
    const std::string_view action =
        name.substr(0, name.ends_with(from_any) ? name.size() - from_any.size() : name.size());
    const auto found = std::ranges::find(actions, action);
    if (found == actions.end())
      lines_.fail(fmt::format("unknown action '{}'", name));
    operation.action = static_cast<Action>(found - actions.begin());
    operation.from_any = action != name;
    if (operation.from_any && operation.action != Action::receive &&
        operation.action != Action::probe)
      lines_.fail(fmt::format("unknown action '{}'", name));
  }

  Operation parse_operation(Words& words) {
    Operation operation;
    parse_action(words.word("the action"), operation);
    operation.shape = static_cast<Shape>(words.one_of(shapes, "shape"));
    operation.function = function(words.word("the function"));
    operation.partner = words.number<std::int32_t>("the partner");
    operation.tag = words.number<std::int32_t>("the tag");
    operation.members = words.number<std::uint32_t>("the number of members");
    operation.communicator = words.number<std::uint64_t>("the communicator");
    operation.bytes = words.number<std::uint64_t>("the number of bytes");
    check(operation);
    return operation;
  }

  void check(const Operation& operation) const {
    const Action action = operation.action;
    const bool message =
        action == Action::send || action == Action::receive || action == Action::probe;
    if (operation.partner < (message ? 0 : -1) ||
        operation.partner >= static_cast<std::int64_t>(ranks_))
      lines_.fail("the partner is no rank");
    if ((action == Action::arrive) != (operation.shape != Shape::none))
      lines_.fail("a shape belongs to 'arrive', and only to it");
    if ((action == Action::arrive) != (operation.members != 0) || operation.members > ranks_)
      lines_.fail("that is no number of members");
  }

  Event parse_event(std::string_view line, const RankTimeline& rank) const {
    Words words(line, lines_);
    Event event;
    event.operation = words.number<std::uint32_t>("the operation");
    if (event.operation >= rank.operations.size())
      lines_.fail("there is no operation of this number");
    const auto started = words.number<std::uint32_t>("what it completes");
    check_started(started, event.operation, rank);
    event.started = started & 0x7fffffffU;
    const auto ends = words.number<std::uint32_t>("the end of a call");
    if (ends > 1)
      lines_.fail("the end of a call is neither 0 nor 1");
    event.ends_call = ends & 1U;
    event.computation = words.time<float>("the computation");
    event.duration = words.time<float>("the duration");
    words.end();
    return event;
  }

  void check_started(std::uint32_t started, std::uint32_t operation,
                     const RankTimeline& rank) const {
    const bool completes = rank.operations[operation].action == Action::complete;
    if (!completes && started != 0)
      lines_.fail("it completes something, but its action is another");
    if (!completes)
      return;
    if (started > rank.events.size())
      lines_.fail("it completes something before the first event");
    const Action action = started == 0 ? Action::complete : action_before(started, rank);
    if (action != Action::send && action != Action::receive && action != Action::arrive)
      lines_.fail("it completes what is no send, receive or arrive");
  }

  static Action action_before(std::uint32_t events, const RankTimeline& rank) {
    return rank.operations[rank.events[rank.events.size() - events].operation].action;
  }

  std::uint16_t function(std::string_view name) {
    const auto known = known_.find(std::string(name));
    if (known != known_.end())
      return known->second;
    if (known_.size() == most_functions)
      lines_.fail("there are more different functions than MPI has");
    const auto index = static_cast<std::uint16_t>(timeline_.functions.size());
    timeline_.functions.emplace_back(name);
    known_.emplace(name, index);
    return index;
  }

  Lines lines_;
  std::size_t ranks_ = 0;
  model::Timeline timeline_;
  std::unordered_map<std::string, std::uint16_t> known_;
};

} // namespace

model::Timeline parse_timeline(std::string_view text, const std::string& file) {
  return TimelineParser(text, file).parse();
}

} // namespace hypermile::io
