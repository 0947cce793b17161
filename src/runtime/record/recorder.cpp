#include "runtime/record/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hypermile::runtime {
namespace {

using model::Action;
using model::Operation;

/// To find a call by its time takes so many steps at most.
constexpr std::size_t events_between_marks = 4096;

/// Of every call some ten nanoseconds are hypermile's: these are recorded when they have come to
/// this.
constexpr Seconds least_pause{10e-6};

float seconds(Seconds time) { return static_cast<float>(time.value()); }

/// As those who read the events add it up.
Seconds end_after(Seconds begin, Seconds computation, Seconds duration) {
  return begin + Seconds{static_cast<double>(seconds(computation))} +
         Seconds{static_cast<double>(seconds(duration))};
}

} // namespace

Recorder::Recorder(Seconds begin, const Memory& memory)
    : memory_(memory), last_call_(begin), end_(begin), marks_{{0, begin}} {
  timeline_.begin = begin;
}

std::uint64_t Recorder::add(const Operation& operation) {
  if (stopped() || (timeline_.events.size() == memory_.most_events && !make_room()))
    return no_event;
  took_from_any_ = took_from_any_ || operation.from_any;
  const std::uint32_t index = index_of(operation, site_, detail_);
  count(index);
  timeline_.events.push_back({.operation = index});
  return forgotten_ + timeline_.events.size() - 1;
}

std::uint32_t Recorder::index_of(const Operation& operation, std::uint32_t site,
                                 std::uint32_t detail) {
  if (site == 0)
    return index_of(operation);
  Operation placed = operation;
  placed.site = site;
  placed.detail = detail;
  return index_of(placed);
}

void Recorder::count(std::uint32_t operation) {
  if (occurred_.size() < timeline_.operations.size())
    occurred_.resize(timeline_.operations.size(), 0);
  ++occurred_[operation];
}

void Recorder::pause(Seconds length) {
  short_pauses_ += length;
  if (stopped() || short_pauses_ < least_pause)
    return;
  length = std::exchange(short_pauses_, Seconds{});
  end_ += length;
  if (pause_since_last_call() > Seconds{})
    timeline_.pauses.back().length += length;
  else
    timeline_.pauses.push_back({static_cast<std::uint32_t>(call_begin_), length});
}

Seconds Recorder::pause_since_last_call() const {
  const auto& pauses = timeline_.pauses;
  return !pauses.empty() && pauses.back().before == call_begin_ ? pauses.back().length : Seconds{};
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
  model::RankClock clock(timeline_);
  Seconds over = timeline_.begin;
  for (std::size_t e = 0; e < events; ++e)
    over = clock.next().left;
  timeline_.begin = over;
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(events));
  for (std::size_t e = 0; e < all.size(); ++e)
    if (all[e].started > e) {
      --occurred_[all[e].operation];
      all[e].operation = index_of({.function = timeline_.operations[all[e].operation].function});
      count(all[e].operation);
      all[e].started = 0;
    }
  std::erase_if(timeline_.earlier, [&](const auto& earlier) { return earlier.end <= events; });
  for (auto& earlier : timeline_.earlier)
    earlier.end -= static_cast<std::uint32_t>(events);
  std::erase_if(timeline_.pauses, [&](const auto& pause) { return pause.before < events; });
  for (auto& pause : timeline_.pauses)
    pause.before -= static_cast<std::uint32_t>(events);
  std::erase_if(marks_, [&](const Mark& mark) { return mark.event < events; });
  for (Mark& mark : marks_)
    mark.event -= events;
  if (marks_.empty() || marks_.front().event > 0)
    marks_.insert(marks_.begin(), {0, timeline_.begin});
  forgotten_ += events;
  call_begin_ -= events;
}

void Recorder::complete(std::uint16_t function, std::uint64_t started) {
  if (started == no_event)
    return;
  const std::uint64_t event = add({.action = Action::complete, .function = function});
  if (event == no_event)
    return;
  if (started < forgotten_)
    amend(event, {.function = function});
  else
    timeline_.events.back().started = static_cast<std::uint32_t>(event - started) & 0x7fffffffU;
}

std::uint32_t Recorder::number(const model::Arguments& arguments) {
  const auto next = static_cast<std::uint32_t>(timeline_.arguments.size() + 1);
  const auto [known, is_new] = numbers_.try_emplace(arguments, next);
  if (is_new)
    timeline_.arguments.push_back(arguments);
  return known->second;
}

void Recorder::amend(std::uint64_t event, const Operation& operation) {
  if (event >= forgotten_ + timeline_.events.size())
    return;
  took_from_any_ = took_from_any_ || operation.from_any;
  // What was forgotten was of no meaning, or it would not be amended.
  const bool kept = event >= forgotten_;
  const Operation before =
      kept ? timeline_.operations[timeline_.events[event - forgotten_].operation] : Operation{};
  const std::uint32_t is = index_of(operation, before.site, before.detail);
  const std::uint32_t was = kept ? timeline_.events[event - forgotten_].operation
                                 : index_of({.function = operation.function});
  count(is);
  if (occurred_[was] > 0)
    --occurred_[was];
  if (kept)
    timeline_.events[event - forgotten_].operation = is;
}

void Recorder::end_call(std::uint16_t function, Poll poll, Seconds computation, Seconds duration) {
  if (stopped())
    return;
  computation += std::exchange(computed_, Seconds{});
  const bool found_nothing = poll == Poll::yes && call_begin_ == timeline_.events.size();
  if (found_nothing && add_to_last_poll(function, computation, duration)) {
    if (keeps_work_)
      timeline_.work.back() += std::exchange(work_, Work{});
    return;
  }
  if (call_begin_ == timeline_.events.size())
    add({.action = Action::other, .function = function});
  if (stopped())
    return;
  if (poll == Poll::yes && !found_nothing && last_poll_.there && call_begin_ > 0)
    duration += take_wait_of_last_poll();
  if (call_begin_ - marks_.back().event >= events_between_marks)
    marks_.push_back({call_begin_, end_ - pause_since_last_call()});
  if (keeps_work_)
    timeline_.work.push_back(std::exchange(work_, Work{}));
  timeline_.events[call_begin_].computation = seconds(computation);
  timeline_.events.back().duration = seconds(duration);
  timeline_.events.back().ends_call = 1;
  last_call_ = end_;
  end_ = end_after(last_call_, computation, duration);
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
  end_ =
      end_after(last_call_, last_poll_.computation, last_poll_.duration) + pause_since_last_call();
  return true;
}

/// What polls in vain took was waiting for what has come now: another's being late, and not work
/// that takes as long whenever it comes.
Seconds Recorder::take_wait_of_last_poll() {
  timeline_.events[call_begin_ - 1].duration = 0;
  end_ = end_after(last_call_, last_poll_.computation, {}) + pause_since_last_call();
  return last_poll_.duration;
}

void Recorder::set_scale(double scale) {
  if (scale == timeline_.scale)
    return;
  auto& earlier = timeline_.earlier;
  const auto end = static_cast<std::uint32_t>(call_begin_);
  if (end > (earlier.empty() ? 0 : earlier.back().end))
    earlier.push_back({end, timeline_.scale});
  timeline_.scale = scale;
}

void Recorder::stop(std::string reason) {
  if (stopped())
    return;
  timeline_.incomplete = std::move(reason);
  if (call_begin_ > timeline_.events.size())
    return; // there was no memory to forget some of them
  for (std::size_t e = call_begin_; e < timeline_.events.size(); ++e)
    --occurred_[timeline_.events[e].operation];
  timeline_.events.resize(call_begin_);
}

/// Of what precedes this one of the events that are kept.
std::vector<std::uint64_t> Recorder::before(std::size_t event) const {
  auto counts = occurred_;
  counts.resize(timeline_.operations.size(), 0);
  for (std::size_t e = event; e < timeline_.events.size(); ++e)
    --counts[timeline_.events[e].operation];
  return counts;
}

/// The calls that were entered from then on.
model::Part Recorder::part_from(Seconds from) const {
  const auto later = std::ranges::lower_bound(marks_, from, {}, &Mark::left);
  const Mark& mark = later == marks_.begin() ? marks_.front() : *std::prev(later);
  Seconds left = mark.left;
  auto pause = std::ranges::lower_bound(timeline_.pauses, mark.event, {},
                                        &model::RankTimeline::Pause::before);
  for (std::size_t e = mark.event; e < call_begin_; ++e) {
    if (pause != timeline_.pauses.end() && pause->before == e)
      left += (pause++)->length;
    const Seconds entered = left + Seconds{static_cast<double>(timeline_.events[e].computation)};
    if (entered >= from)
      return {e, call_begin_, std::max(left, from), entered};
    while (timeline_.events[e].ends_call == 0)
      ++e;
    left = entered + Seconds{static_cast<double>(timeline_.events[e].duration)};
  }
  return {call_begin_, call_begin_, from, from};
}

model::RankTimeline Recorder::since(Seconds from, Seconds now, std::size_t most_events) const {
  const Seconds behind = now - (end_ + computed_);
  model::Part part = part_from(from - behind);
  if (const std::size_t events = part.end - part.first; events > most_events) {
    const double share = static_cast<double>(most_events) / static_cast<double>(events);
    part = part_from(end_ - (end_ - part.begin) * share);
  }
  auto timeline = model::extract(timeline_, part, before(part.first));
  timeline.begin += behind;
  return timeline;
}

model::RankTimeline Recorder::take(Seconds computation_after) {
  if (!stopped())
    timeline_.computation_after = computation_after + computed_;
  if (keeps_work_)
    timeline_.work.push_back(std::exchange(work_, Work{}));
  if (forgotten_ > 0)
    timeline_.before = before(0);
  if (pause_since_last_call() > Seconds{}) // no event follows it
    timeline_.pauses.pop_back();
  return std::move(timeline_);
}

} // namespace hypermile::runtime
