#include "runtime/exchange/timeline_message.hpp"

#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace hypermile::model {

// What Reader asks for, found by the enumerations' name space.
inline Action last_of(Action /*type*/) { return Action::other; }
inline Shape last_of(Shape /*type*/) { return Shape::neighbours; }

} // namespace hypermile::model

namespace hypermile::runtime {

template <class Archive, Of<model::Operation> Operation>
void fields(Archive& archive, Operation& o) {
  archive(o.action, o.shape, o.function, o.partner, o.tag, o.members, o.communicator, o.bytes,
          o.from_any);
}

namespace {

using model::Event;
using model::Operation;

/// What an event does, apart from when: few differ, so that most fit into one byte.
struct EventSymbol {
  std::uint32_t operation = 0;
  std::uint32_t started = 0;
  bool ends_call = false;
  auto operator<=>(const EventSymbol&) const = default;
};

EventSymbol symbol_of(const Event& event) {
  return {event.operation, event.started, event.ends_call != 0};
}

/// Times in nanoseconds; what is rounded off here is made up for by the next, so that moments stay
/// where they are.
class Nanoseconds {
public:
  std::uint64_t since_last(float seconds) {
    now_ += 1e9 * static_cast<double>(seconds);
    const auto whole = static_cast<std::uint64_t>(std::llround(now_));
    return whole - std::exchange(written_, whole);
  }

private:
  double now_ = 0;
  std::uint64_t written_ = 0;
};

} // namespace

template <class Archive, Of<EventSymbol> T> void fields(Archive& archive, T& symbol) {
  archive(symbol.operation, symbol.started, symbol.ends_call);
}

namespace {

/// Of each event its symbol, of the first of a call the computation, of the last the duration.
void write_events(Writer& writer, const std::vector<Event>& events) {
  std::map<EventSymbol, std::size_t> indices;
  for (const Event& event : events)
    indices.try_emplace(symbol_of(event), indices.size());
  std::vector<EventSymbol> symbols(indices.size());
  for (const auto& [symbol, index] : indices)
    symbols[index] = symbol;
  writer(symbols, events.size());
  Nanoseconds times;
  bool begins_call = true;
  for (const Event& event : events) {
    writer(indices.at(symbol_of(event)));
    if (begins_call)
      writer(times.since_last(event.computation));
    begins_call = event.ends_call != 0;
    if (begins_call)
      writer(times.since_last(event.duration));
  }
}

std::vector<EventSymbol> read_symbols(Reader& reader, const std::vector<Operation>& operations) {
  std::vector<EventSymbol> symbols;
  reader(symbols);
  for (const EventSymbol& symbol : symbols) {
    if (symbol.operation >= operations.size())
      refuse("an event has no operation");
    const bool completes = operations[symbol.operation].action == model::Action::complete;
    if ((completes && symbol.started == 0) || symbol.started >= std::uint32_t{1} << 31)
      refuse("an event completes what did not begin");
  }
  return symbols;
}

float read_time(Reader& reader) {
  std::uint64_t nanoseconds = 0;
  reader(nanoseconds);
  return static_cast<float>(1e-9 * static_cast<double>(nanoseconds));
}

std::vector<Event> read_events(Reader& reader, const std::vector<Operation>& operations) {
  const auto symbols = read_symbols(reader, operations);
  std::vector<Event> events;
  bool begins_call = true;
  for (std::size_t left = reader.size(); left > 0; --left) {
    std::size_t index = 0;
    reader(index);
    if (index >= symbols.size())
      refuse("an event is of no known kind");
    const auto& [operation, started, ends_call] = symbols[index];
    if (started > events.size())
      refuse("an event completes what did not begin");
    Event event{.operation = operation};
    event.started = started & 0x7fffffffU;
    event.ends_call = ends_call ? 1U : 0U;
    event.computation = begins_call ? read_time(reader) : 0;
    begins_call = ends_call;
    event.duration = begins_call ? read_time(reader) : 0;
    events.push_back(event);
  }
  return events;
}

} // namespace

template <class Archive, Of<model::RankTimeline::EarlierScale> T>
void fields(Archive& archive, T& earlier) {
  archive(earlier.end, earlier.scale);
}

template <class Archive, Of<model::RankTimeline::Pause> T> void fields(Archive& archive, T& pause) {
  archive(pause.before, pause.length);
}

void fields(Writer& writer, const model::RankTimeline& rank) {
  writer(rank.begin, rank.operations);
  write_events(writer, rank.events);
  writer(rank.computation_after, rank.scale, rank.earlier, rank.before, rank.incomplete);
}

void fields(Reader& reader, model::RankTimeline& rank) {
  reader(rank.begin, rank.operations);
  rank.events = read_events(reader, rank.operations);
  reader(rank.computation_after, rank.scale, rank.earlier, rank.before, rank.incomplete);
  std::uint32_t last = 0;
  for (const auto& earlier : rank.earlier) {
    if (earlier.end <= last || earlier.scale < 1)
      refuse("a timeline's gears make no sense");
    last = earlier.end;
  }
  if (rank.scale < 1 || (!rank.before.empty() && rank.before.size() != rank.operations.size()))
    refuse("a timeline makes no sense");
}

void pauses_of(Writer& writer, const model::RankTimeline& rank) { writer(rank.pauses); }

void pauses_of(Reader& reader, model::RankTimeline& rank) {
  reader(rank.pauses);
  std::uint64_t next = 0;
  for (const auto& [before, length] : rank.pauses) {
    if (before < next || before >= rank.events.size() || !(length > Seconds{}))
      refuse("a timeline's pauses make no sense");
    next = std::uint64_t{before} + 1;
  }
}

} // namespace hypermile::runtime
