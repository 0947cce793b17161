#include "runtime/exchange/timeline_message.hpp"

#include "units/error.hpp"

#include <array>
#include <cmath>
#include <map>
#include <span>
#include <utility>

namespace hypermile::runtime {
namespace {

using model::Event;
using model::Operation;
using nlohmann::json;

[[noreturn]] void refuse(const char* what) { throw Error(ErrorKind::hardware, what); }

/// What an event does, apart from when: few differ, so that most fit into one byte.
using Symbol = std::array<std::uint32_t, 3>; ///< operation, started, ends_call

Symbol symbol_of(const Event& event) { return {event.operation, event.started, event.ends_call}; }

/// Seven bits per byte, the low ones first; the high bit says that there are more.
class Writer {
public:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes_.push_back(static_cast<std::uint8_t>(value | 0x80));
    bytes_.push_back(static_cast<std::uint8_t>(value));
  }
  /// In nanoseconds; what is rounded off here is made up for by the next, so that moments stay
  /// where they are.
  void time(float seconds) {
    now_ += 1e9 * static_cast<double>(seconds);
    const auto whole = static_cast<std::uint64_t>(std::llround(now_));
    number(whole - written_);
    written_ = whole;
  }
  [[nodiscard]] std::vector<std::uint8_t> take() { return std::move(bytes_); }

private:
  std::vector<std::uint8_t> bytes_;
  double now_ = 0;
  std::uint64_t written_ = 0;
};

class Reader {
public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  [[nodiscard]] bool done() const { return bytes_.empty(); }
  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 63; shift += 7) {
      if (bytes_.empty())
        refuse("an event is cut off");
      const std::uint64_t byte = bytes_.front();
      bytes_ = bytes_.subspan(1);
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80)
        return value;
    }
    refuse("a number is too large");
  }
  float time() { return static_cast<float>(1e-9 * static_cast<double>(number())); }

private:
  std::span<const std::uint8_t> bytes_;
};

json pack_symbols(const std::map<Symbol, std::uint32_t>& indices) {
  std::vector<Symbol> symbols(indices.size());
  for (const auto& [symbol, index] : indices)
    symbols[index] = symbol;
  return symbols;
}

/// Of each event its symbol, of the first of a call the computation, of the last the duration.
void pack_events(const std::vector<Event>& events, json& j) {
  std::map<Symbol, std::uint32_t> symbols;
  Writer writer;
  bool begins_call = true;
  for (const Event& event : events) {
    const auto next = static_cast<std::uint32_t>(symbols.size());
    writer.number(symbols.try_emplace(symbol_of(event), next).first->second);
    if (begins_call)
      writer.time(event.computation);
    begins_call = event.ends_call != 0;
    if (begins_call)
      writer.time(event.duration);
  }
  j["symbols"] = pack_symbols(symbols);
  j["events"] = json::binary(writer.take());
}

std::vector<Symbol> unpack_symbols(const json& j, const std::vector<Operation>& operations) {
  auto symbols = j.get<std::vector<Symbol>>();
  for (const auto& [operation, started, ends_call] : symbols) {
    if (operation >= operations.size())
      refuse("an event has no operation");
    const bool completes = operations[operation].action == model::Action::complete;
    if ((completes && started == 0) || started >= std::uint32_t{1} << 31 || ends_call > 1)
      refuse("an event completes what did not begin");
  }
  return symbols;
}

std::vector<Event> unpack_events(const json& j, const std::vector<Operation>& operations) {
  const auto symbols = unpack_symbols(j.at("symbols"), operations);
  Reader reader(j.at("events").get_binary());
  std::vector<Event> events;
  bool begins_call = true;
  while (!reader.done()) {
    const std::uint64_t symbol = reader.number();
    if (symbol >= symbols.size())
      refuse("an event is of no known kind");
    const auto& [operation, started, ends_call] = symbols[symbol];
    if (started > events.size())
      refuse("an event completes what did not begin");
    Event event{.operation = operation};
    event.started = started & 0x7fffffffU;
    event.ends_call = ends_call & 1U;
    event.computation = begins_call ? reader.time() : 0;
    begins_call = ends_call != 0;
    event.duration = begins_call ? reader.time() : 0;
    events.push_back(event);
  }
  return events;
}

json pack_operation(const Operation& o) {
  return {static_cast<int>(o.action),
          static_cast<int>(o.shape),
          o.function,
          o.partner,
          o.tag,
          o.members,
          o.communicator,
          o.bytes,
          o.from_any};
}

template <class Enumeration> Enumeration unpack_enumeration(const json& j, Enumeration last) {
  const auto value = j.get<unsigned>();
  if (value > static_cast<unsigned>(last))
    refuse("an operation is of no known kind");
  return static_cast<Enumeration>(value);
}

Operation unpack_operation(const json& j) {
  if (j.size() != 9)
    refuse("an operation has not nine members");
  return {.action = unpack_enumeration(j.at(0), model::Action::other),
          .shape = unpack_enumeration(j.at(1), model::Shape::neighbours),
          .function = j.at(2).get<std::uint16_t>(),
          .partner = j.at(3).get<std::int32_t>(),
          .tag = j.at(4).get<std::int32_t>(),
          .members = j.at(5).get<std::uint32_t>(),
          .communicator = j.at(6).get<std::uint64_t>(),
          .bytes = j.at(7).get<std::uint64_t>(),
          .from_any = j.at(8).get<bool>()};
}

Seconds finite(const json& j) {
  const auto value = j.get<double>();
  if (!std::isfinite(value))
    refuse("a time is not finite");
  return Seconds{value};
}

} // namespace

json pack_timeline(const model::RankTimeline& rank) {
  json operations = json::array();
  for (const Operation& operation : rank.operations)
    operations.push_back(pack_operation(operation));
  json j{{"begin", rank.begin.value()},
         {"operations", operations},
         {"after", rank.computation_after.value()},
         {"scale", rank.scale},
         {"before", rank.before},
         {"incomplete", rank.incomplete}};
  pack_events(rank.events, j);
  return j;
}

model::RankTimeline unpack_timeline(const json& j) {
  model::RankTimeline rank;
  rank.begin = finite(j.at("begin"));
  for (const json& operation : j.at("operations"))
    rank.operations.push_back(unpack_operation(operation));
  rank.events = unpack_events(j, rank.operations);
  rank.computation_after = finite(j.at("after"));
  rank.scale = finite(j.at("scale")).value();
  rank.before = j.at("before").get<std::vector<std::uint64_t>>();
  rank.incomplete = j.at("incomplete").get<std::string>();
  if (rank.scale < 1 || (!rank.before.empty() && rank.before.size() != rank.operations.size()))
    refuse("a timeline makes no sense");
  return rank;
}

} // namespace hypermile::runtime
