#include "model/dependency/compiler.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::model::dependency {
namespace {

bool is_start(Action action) {
  return action == Action::send || action == Action::receive || action == Action::arrive;
}

} // namespace

Compiler::Compiler(const Matching& matching, const Calls& calls, const Costs& costs)
    : matching_(matching), calls_(calls), costs_(costs),
      streams_(matching.timeline().ranks.size()) {}

void Compiler::compile(Dependencies& result) {
  allot_slots();
  for (std::size_t r = 0; r < streams_.size(); ++r) { // about as many: no event is copied again
    streams_[r].steps.reserve(matching_.timeline().ranks[r].events.size());
    streams_[r].events.reserve(matching_.timeline().ranks[r].events.size());
  }
  hands_on_.assign(matching_.event_count(), false);
  for (const EventIndex relay : costs_.relays)
    if (relay != nothing)
      hands_on_[relay] = true;
  for (EventIndex e = 0; e < matching_.event_count();) {
    const EventIndex end = calls_.end(e);
    translate_call(e, end);
    e = end;
  }
  order(result);
}

void Compiler::allot_slots() {
  for (std::size_t m = 0; m < matching_.messages().size(); ++m, slots_ += 2)
    slot_of_message_.push_back(slots_);
  for (const Collective& collective : matching_.collectives()) {
    slot_of_collective_.push_back(slots_);
    slots_ +=
        has_slot_of_each(collective) ? static_cast<std::uint32_t>(collective.arrivals.size()) : 1;
  }
  pending_.assign(slots_, 0);
  stored_.assign(slots_, false);
  waiter_.assign(slots_, nothing);
}

/// Whether it matters when each of the ranks is there.
bool Compiler::has_slot_of_each(const Collective& collective) const {
  const Shape shape = matching_.operation(collective.arrivals.front()).shape;
  return shape == Shape::scan || shape == Shape::from_root;
}

/// Of a rank that has joined a collective operation.
std::uint32_t Compiler::slot_of_arrival(EventIndex arrival) const {
  const LinkIndex link = matching_.link(arrival);
  const Collective& collective = matching_.collectives()[link];
  if (!has_slot_of_each(collective))
    return slot_of_collective_[link];
  const auto place = std::ranges::lower_bound(collective.arrivals, arrival);
  return slot_of_collective_[link] +
         static_cast<std::uint32_t>(place - collective.arrivals.begin());
}

/// Whether what starts there is a message that moves only while both sides complete it.
bool Compiler::moves_in_calls(EventIndex start) const {
  const LinkIndex message = matching_.message(start);
  return message != nothing && costs_.in_calls[message];
}

/// Where the moment of a start is kept; `nothing` where nobody asks for it.
std::uint32_t Compiler::slot_of_start(EventIndex event) const {
  const LinkIndex link = matching_.link(event);
  const Operation& operation = matching_.operation(event);
  if (link == nothing || moves_in_calls(event))
    return nothing;
  if (operation.action == Action::send)
    return slot_of_message_[link];
  if (operation.action == Action::receive)
    return slot_of_message_[link] + 1;
  const Collective& collective = matching_.collectives()[link];
  if (operation.shape == Shape::from_root && collective.root != event)
    return nothing;
  return slot_of_arrival(event);
}

void Compiler::add(Step step, Computed computed, EventIndex event) {
  step.rank = matching_.rank(event);
  step.computation = computed.scaled;
  Stream& stream = streams_[step.rank];
  stream.steps.push_back(step);
  stream.fixed.push_back(computed.fixed);
  stream.events.push_back(event);
}

void Compiler::add_start(EventIndex event, Computed& computed) {
  if (const std::uint32_t slot = slot_of_start(event); slot != nothing)
    add_store(event, slot, computed);
}

/// The rank has come to complete a message that moves only then.
void Compiler::add_arrival(EventIndex complete, Computed& computed) {
  const EventIndex start = matching_.start(complete);
  if (moves_in_calls(start))
    add_store(complete,
              slot_of_message_[matching_.link(start)] +
                  (matching_.operation(start).action == Action::send ? 0 : 1),
              computed);
}

/// `computed`: since the last call; the first step of a call takes it.
void Compiler::add_store(EventIndex event, std::uint32_t slot, Computed& computed) {
  ++pending_[slot];
  add({.kind = Kind::store, .a = slot, .b = slot}, std::exchange(computed, {}), event);
}

void Compiler::add_wait(EventIndex event, Computed& computed) {
  const Action action = matching_.operation(event).action;
  const EventIndex started = action == Action::probe ? event : matching_.start(event);
  const LinkIndex link = matching_.link(started);
  const auto cost = static_cast<float>(costs_.of_leaving[event]);
  const Computed own = std::exchange(computed, {});
  const auto add_step = [&](Kind kind, float of_step, std::uint32_t a, std::uint32_t b) {
    add({.cost = of_step, .kind = kind, .a = a, .b = b}, own, event);
  };
  switch (costs_.waits[event]) {
  case WaitsFor::nobody:
    return;
  case WaitsFor::message:
  case WaitsFor::both_sides: {
    const std::uint32_t slot = slot_of_message_[link];
    add_step(Kind::wait,
             action == Action::probe ? cost : static_cast<float>(costs_.of_message[link]), slot,
             slot + (costs_.waits[event] == WaitsFor::both_sides ? 1 : 0));
    return;
  }
  case WaitsFor::all_arrivals:
    return add_step(Kind::wait, cost, slot_of_collective_[link], slot_of_collective_[link]);
  case WaitsFor::root: {
    const EventIndex relay = costs_.relays[started];
    const std::uint32_t slot =
        slot_of_arrival(relay == nothing ? matching_.collectives()[link].root : relay);
    add_step(Kind::join, cost, slot, slot);
    if (Computed none; hands_on_[started])
      add_store(event, slot_of_arrival(started), none);
    return;
  }
  case WaitsFor::lower_ranks:
    return add_wait_for_lower(event, started, own, cost);
  }
}

void Compiler::add_wait_for_lower(EventIndex event, EventIndex started, Computed computed,
                                  float cost) {
  const std::uint32_t own = slot_of_start(started);
  for (std::uint32_t slot = slot_of_collective_[matching_.link(started)]; slot < own; ++slot)
    add({.kind = Kind::join, .a = slot, .b = slot}, std::exchange(computed, {}), event);
  add({.cost = cost}, computed, event);
}

Compiler::Computed Compiler::computed_before(EventIndex event) const {
  const std::uint32_t rank = matching_.rank(event);
  const RankTimeline& timeline = matching_.timeline().ranks[rank];
  const EventIndex own = event - matching_.first_event(rank);
  const double in_gear0 =
      static_cast<double>(matching_.event(event).computation) / scale_before(timeline, own);
  const double sensitivity = sensitivity_before(timeline, own);
  return {.scaled = static_cast<float>(in_gear0 * sensitivity),
          .fixed = static_cast<float>(in_gear0 * (1 - sensitivity))};
}

void Compiler::translate_call(EventIndex first, EventIndex end) {
  Computed computed = computed_before(first);
  for (EventIndex e = first; e < end; ++e)
    if (is_start(matching_.operation(e).action))
      add_start(e, computed);
    else if (matching_.operation(e).action == Action::complete)
      add_arrival(e, computed);
  const double own = costs_.of_call[end - 1];
  if (own > 0 || computed.scaled > 0 || computed.fixed > 0)
    add({.cost = static_cast<float>(own)}, std::exchange(computed, {}), first);
  for (EventIndex e = first; e < end; ++e)
    if (costs_.waits[e] != WaitsFor::nobody)
      add_wait(e, computed);
}

void Compiler::order(Dependencies& result) {
  std::size_t total = 0;
  also_.assign(streams_.size(), nothing);
  for (std::uint32_t rank = 0; rank < streams_.size(); ++rank) {
    runnable_.push_back(rank);
    total += streams_[rank].steps.size();
  }
  result.steps_.reserve(total);
  result.event_of_.reserve(total);
  result.slots_ = slots_;
  while (result.steps_.size() < total) {
    if (runnable_.empty())
      break_knot(blocked_rank());
    const std::uint32_t rank = runnable_.back();
    runnable_.pop_back();
    while (advance(rank, result)) {
    }
  }
  if (std::ranges::all_of(result.fixed_, [](float fixed) { return fixed == 0; }))
    result.fixed_ = {};
}

/// Puts the rank's next step in order. False where there is none, or it must wait.
bool Compiler::advance(std::uint32_t rank, Dependencies& result) {
  const Stream& stream = streams_[rank];
  if (stream.next == stream.steps.size())
    return false;
  const Step& step = stream.steps[stream.next];
  if (step.kind == Kind::wait || step.kind == Kind::join)
    for (const std::uint32_t slot : {step.a, step.b})
      if (pending_[slot] > 0) {
        also_[rank] = std::exchange(waiter_[slot], rank);
        return false;
      }
  emit(rank, step, result);
  return true;
}

void Compiler::emit(std::uint32_t rank, Step step, Dependencies& result) {
  Stream& stream = streams_[rank];
  if (step.kind == Kind::store) {
    if (stored_[step.a])
      step.kind = Kind::store_max;
    stored_[step.a] = true;
    if (--pending_[step.a] == 0)
      for (std::uint32_t r = std::exchange(waiter_[step.a], nothing); r != nothing;) {
        runnable_.push_back(r);
        r = std::exchange(also_[r], nothing);
      }
  }
  result.steps_.push_back(step);
  result.event_of_.push_back(stream.events[stream.next]);
  result.fixed_.push_back(stream.fixed[stream.next]);
  ++stream.next;
}

/// Ranks that wait for each other in a circle, which no real run does: the timeline was matched
/// wrongly somewhere. The wait that began first is the one to give up.
std::uint32_t Compiler::blocked_rank() const {
  std::uint32_t first = nothing;
  for (std::uint32_t rank = 0; rank < streams_.size(); ++rank) {
    const Stream& stream = streams_[rank];
    if (stream.next == stream.steps.size())
      continue;
    if (first == nothing || calls_.entered(stream.events[stream.next]) <
                                calls_.entered(streams_[first].events[streams_[first].next]))
      first = rank;
  }
  return first;
}

void Compiler::break_knot(std::uint32_t rank) {
  Stream& stream = streams_[rank];
  Step& step = stream.steps[stream.next];
  step.kind = Kind::pass;
  step.cost = static_cast<float>(calls_.duration(stream.events[stream.next]).value());
  for (std::uint32_t& waiter : waiter_) // it no longer waits
    for (std::uint32_t* r = &waiter; *r != nothing; r = &also_[*r])
      if (*r == rank) {
        *r = std::exchange(also_[rank], nothing);
        break;
      }
  runnable_.push_back(rank);
}

} // namespace hypermile::model::dependency
