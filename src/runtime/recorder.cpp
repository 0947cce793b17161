#include "runtime/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hypermile::runtime {
namespace {

using model::Action;
using model::Operation;

float seconds(Seconds time) { return static_cast<float>(time.value()); }

} // namespace

Recorder::Recorder(Seconds begin, const Memory& memory) : memory_(memory) {
  timeline_.begin = begin;
}

std::uint64_t Recorder::add(const Operation& operation) {
  if (stopped() || (timeline_.events.size() == memory_.most_events && !make_room()))
    return no_event;
  timeline_.events.push_back({.operation = index_of(operation)});
  return forgotten_ + timeline_.events.size() - 1;
}

/// Operations are kept for ever, as they are counted: a program that never does the same again
/// cannot be followed for long.
bool Recorder::make_room() {
  const std::size_t most = memory_.most_events;
  if (memory_.when_full == WhenFull::stop) {
    stop(fmt::format("there are more than {} events", most));
    return false;
  }
  if (timeline_.operations.size() > most / 2) {
    stop(fmt::format("there are more than {} different operations", most / 2));
    return false;
  }
  std::size_t first_kept = most / 2; // whole calls only
  while (first_kept < call_begin_ && timeline_.events[first_kept - 1].ends_call == 0)
    ++first_kept;
  forget(std::min(first_kept, call_begin_));
  if (timeline_.events.size() == most)
    stop(fmt::format("a call has more than {} events", most));
  return !stopped();
}

void Recorder::forget(std::size_t events) {
  auto& all = timeline_.events;
  timeline_.before.resize(timeline_.operations.size(), 0);
  for (std::size_t e = 0; e < events; ++e) {
    ++timeline_.before[all[e].operation];
    timeline_.begin += Seconds{static_cast<double>(all[e].computation)};
    timeline_.begin += Seconds{static_cast<double>(all[e].duration)};
  }
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(events));
  for (std::size_t e = 0; e < all.size(); ++e)
    if (all[e].started > e) {
      all[e].operation = index_of({.function = timeline_.operations[all[e].operation].function});
      all[e].started = 0;
    }
  forgotten_ += events;
  call_begin_ -= events;
}

/// It was counted as something of no meaning.
void Recorder::amend_forgotten(const Operation& operation) {
  const std::uint32_t was = index_of({.function = operation.function});
  const std::uint32_t is = index_of(operation);
  timeline_.before.resize(timeline_.operations.size(), 0);
  if (timeline_.before[was] > 0) {
    --timeline_.before[was];
    ++timeline_.before[is];
  }
}

void Recorder::complete(std::uint16_t function, std::uint64_t started) {
  if (started == no_event)
    return;
  const std::uint64_t event = add({.action = Action::complete, .function = function});
  if (event == no_event)
    return;
  if (started < forgotten_)
    timeline_.events.back().operation = index_of({.function = function});
  else
    timeline_.events.back().started = static_cast<std::uint32_t>(event - started) & 0x7fffffffU;
}

void Recorder::amend(std::uint64_t event, const Operation& operation) {
  if (event < forgotten_)
    amend_forgotten(operation);
  else if (event - forgotten_ < timeline_.events.size())
    timeline_.events[event - forgotten_].operation = index_of(operation);
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
  if (!timeline_.before.empty())
    timeline_.before.resize(timeline_.operations.size(), 0);
  return std::move(timeline_);
}

} // namespace hypermile::runtime
