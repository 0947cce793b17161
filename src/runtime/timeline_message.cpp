#include "runtime/timeline_message.hpp"

#include "units/error.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <span>

namespace hypermile::runtime {
namespace {

using model::Event;
using model::Operation;
using nlohmann::json;

constexpr std::size_t event_size = 16;
constexpr std::uint32_t ends_call_bit = std::uint32_t{1} << 31;

[[noreturn]] void refuse(const char* what) { throw Error(ErrorKind::hardware, what); }

void append(std::vector<std::uint8_t>& bytes, std::uint32_t word) {
  for (int shift = 0; shift < 32; shift += 8)
    bytes.push_back(static_cast<std::uint8_t>(word >> shift));
}

std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t byte = 0; byte < 4; ++byte)
    word |= static_cast<std::uint32_t>(bytes[4 * index + byte]) << (8 * byte);
  return word;
}

json pack_events(const std::vector<Event>& events) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(events.size() * event_size);
  for (const Event& event : events) {
    append(bytes, event.operation);
    append(bytes, event.started | (event.ends_call != 0 ? ends_call_bit : 0));
    append(bytes, std::bit_cast<std::uint32_t>(event.computation));
    append(bytes, std::bit_cast<std::uint32_t>(event.duration));
  }
  return json::binary(std::move(bytes));
}

float duration_of(std::uint32_t word) {
  const float seconds = std::bit_cast<float>(word);
  if (!std::isfinite(seconds) || seconds < 0)
    refuse("a time is negative or not finite");
  return seconds;
}

std::vector<Event> unpack_events(const json& j, const std::vector<Operation>& operations) {
  const auto& bytes = j.get_binary();
  if (bytes.size() % event_size != 0)
    refuse("an event is cut off");
  std::vector<Event> events;
  events.reserve(bytes.size() / event_size);
  const std::span<const std::uint8_t> all(bytes);
  for (std::size_t at = 0; at < bytes.size(); at += event_size) {
    const auto words = all.subspan(at, event_size);
    Event event{.operation = word_at(words, 0)};
    const std::uint32_t started = word_at(words, 1);
    event.started = started & ~ends_call_bit;
    if ((started & ends_call_bit) != 0)
      event.ends_call = 1;
    event.computation = duration_of(word_at(words, 2));
    event.duration = duration_of(word_at(words, 3));
    if (event.operation >= operations.size())
      refuse("an event has no operation");
    const bool completes = operations[event.operation].action == model::Action::complete;
    if (event.started > events.size() || (completes && event.started == 0))
      refuse("an event completes what did not begin");
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
          o.bytes};
}

template <class Enumeration> Enumeration unpack_enumeration(const json& j, Enumeration last) {
  const auto value = j.get<unsigned>();
  if (value > static_cast<unsigned>(last))
    refuse("an operation is of no known kind");
  return static_cast<Enumeration>(value);
}

Operation unpack_operation(const json& j) {
  if (j.size() != 8)
    refuse("an operation has not eight members");
  return {.action = unpack_enumeration(j.at(0), model::Action::other),
          .shape = unpack_enumeration(j.at(1), model::Shape::neighbours),
          .function = j.at(2).get<std::uint16_t>(),
          .partner = j.at(3).get<std::int32_t>(),
          .tag = j.at(4).get<std::int32_t>(),
          .members = j.at(5).get<std::uint32_t>(),
          .communicator = j.at(6).get<std::uint64_t>(),
          .bytes = j.at(7).get<std::uint64_t>()};
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
  return {{"begin", rank.begin.value()},
          {"operations", operations},
          {"events", pack_events(rank.events)},
          {"after", rank.computation_after.value()},
          {"scale", rank.scale},
          {"before", rank.before},
          {"incomplete", rank.incomplete}};
}

model::RankTimeline unpack_timeline(const json& j) {
  model::RankTimeline rank;
  rank.begin = finite(j.at("begin"));
  for (const json& operation : j.at("operations"))
    rank.operations.push_back(unpack_operation(operation));
  rank.events = unpack_events(j.at("events"), rank.operations);
  rank.computation_after = finite(j.at("after"));
  rank.scale = finite(j.at("scale")).value();
  rank.before = j.at("before").get<std::vector<std::uint64_t>>();
  rank.incomplete = j.at("incomplete").get<std::string>();
  if (rank.scale < 1 || (!rank.before.empty() && rank.before.size() != rank.operations.size()))
    refuse("a timeline makes no sense");
  return rank;
}

} // namespace hypermile::runtime
