#include "runtime/recorder.hpp"

#include "runtime/mixed.hpp"

#include <fmt/format.h>

#include <utility>

namespace hypermile::runtime {
namespace {

using model::Action;
using model::Operation;

std::uint64_t hash(const Operation& operation) {
  const auto kind = static_cast<std::uint64_t>(operation.action) |
                    static_cast<std::uint64_t>(operation.from_any ? 1 : 0) << 7 |
                    static_cast<std::uint64_t>(operation.shape) << 8 |
                    static_cast<std::uint64_t>(operation.function) << 16 |
                    static_cast<std::uint64_t>(operation.members) << 32;
  const auto whom = static_cast<std::uint64_t>(static_cast<std::uint32_t>(operation.partner))
                        << 32 |
                    static_cast<std::uint32_t>(operation.tag);
  return mixed(mixed(mixed(kind, whom), operation.communicator), operation.bytes);
}

float seconds(Seconds time) { return static_cast<float>(time.value()); }

} // namespace

Recorder::Recorder(Seconds begin, std::size_t most_events) : most_events_(most_events), slots_(64) {
  timeline_.begin = begin;
}

std::uint64_t Recorder::add(const Operation& operation) {
  if (stopped())
    return no_event;
  if (timeline_.events.size() == most_events_) {
    stop(fmt::format("there are more than {} events", most_events_));
    return no_event;
  }
  timeline_.events.push_back({.operation = index_of(operation)});
  return timeline_.events.size() - 1;
}

void Recorder::complete(std::uint16_t function, std::uint64_t started) {
  if (started == no_event)
    return;
  const std::uint64_t event = add({.action = Action::complete, .function = function});
  if (event != no_event)
    timeline_.events[event].started = static_cast<std::uint32_t>(event - started) & 0x7fffffffU;
}

void Recorder::amend(std::uint64_t event, const Operation& operation) {
  if (event < timeline_.events.size())
    timeline_.events[event].operation = index_of(operation);
}

void Recorder::end_call(std::uint16_t function, Poll poll, Seconds computation, Seconds duration) {
  if (stopped())
    return;
  computation += std::exchange(computed_, Seconds{});
  const bool found_nothing = poll == Poll::yes && call_begin_ == timeline_.events.size();
  if (found_nothing && add_to_last_poll(function, computation, duration))
    return;
  if (call_begin_ == timeline_.events.size())
    add({.action = Action::other, .function = function});
  if (stopped())
    return;
  timeline_.events[call_begin_].computation = seconds(computation);
  timeline_.events.back().duration = seconds(duration);
  timeline_.events.back().ends_call = 1;
  call_begin_ = timeline_.events.size();
  last_poll_ = {found_nothing, function, computation, duration};
}

bool Recorder::add_to_last_poll(std::uint16_t function, Seconds computation, Seconds duration) {
  if (!last_poll_.there || last_poll_.function != function)
    return false;
  last_poll_.computation += computation;
  last_poll_.duration += duration;
  timeline_.events.back().computation = seconds(last_poll_.computation);
  timeline_.events.back().duration = seconds(last_poll_.duration);
  return true;
}

void Recorder::stop(std::string reason) {
  if (stopped())
    return;
  timeline_.incomplete = std::move(reason);
  timeline_.events.resize(call_begin_);
}

model::RankTimeline Recorder::since(Seconds from, Seconds now, std::size_t most_events) const {
  const Seconds end = model::end(timeline_);
  const Seconds behind = now - (end + computed_);
  model::RankTimeline part = model::cut(timeline_, from - behind, end);
  if (part.events.size() > most_events) {
    const double share = static_cast<double>(most_events) / static_cast<double>(part.events.size());
    part = model::cut(timeline_, end - (end - part.begin) * share, end);
  }
  part.begin += behind;
  return part;
}

model::RankTimeline Recorder::take(Seconds computation_after) {
  if (!stopped())
    timeline_.computation_after = computation_after + computed_;
  return std::move(timeline_);
}

std::uint32_t Recorder::index_of(const Operation& operation) {
  const std::size_t slot = slot_of(operation);
  if (slots_[slot] != 0)
    return slots_[slot] - 1;
  timeline_.operations.push_back(operation);
  slots_[slot] = static_cast<std::uint32_t>(timeline_.operations.size());
  if (2 * timeline_.operations.size() > slots_.size())
    grow();
  return static_cast<std::uint32_t>(timeline_.operations.size() - 1);
}

/// Where the operation is, or would have its place.
std::size_t Recorder::slot_of(const Operation& operation) const {
  const std::size_t last = slots_.size() - 1; // all bits of an index: the size is a power of two
  std::size_t slot = hash(operation) & last;
  while (slots_[slot] != 0 && timeline_.operations[slots_[slot] - 1] != operation)
    slot = (slot + 1) & last;
  return slot;
}

void Recorder::grow() {
  slots_.assign(4 * slots_.size(), 0);
  for (std::size_t i = 0; i < timeline_.operations.size(); ++i)
    slots_[slot_of(timeline_.operations[i])] = static_cast<std::uint32_t>(i + 1);
}

} // namespace hypermile::runtime
