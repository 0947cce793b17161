#include "runtime/pmpi/session.hpp"

#include "runtime/pmpi/hash.hpp"
#include "runtime/pmpi/quiet_arithmetic.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::runtime::pmpi {
namespace {

/// Counters of energy turn over, some within minutes.
constexpr Seconds longest_unread{2};

LoopWatch::Call call(const Session::Caller& by) {
  const auto address = static_cast<CallSignature>(reinterpret_cast<std::uintptr_t>(by.site));
  // Spread, or a small number of a replay's argument would make one function another.
  const CallSignature place = mixed((address << 8) ^ static_cast<CallSignature>(by.function), 0);
  return {.place = place,
          .detail = mixed(place, by.detail),
          .repeats_by_time = repeats_by_time(by.function)};
}

} // namespace

Session::Session(int rank, int ranks, RankNode node, std::optional<select::Request> request,
                 Parts parts)
    : rank_(rank), parts_(std::move(parts)),
      controller_(rank, ranks, std::move(node), std::move(request), ports(), parts_.time_model),
      stolen_(parts_.stolen), left_(parts_.clock->now()) {
  if (parts_.gear)
    controller_.begin_in(*parts_.gear);
  if (parts_.first)
    controller_.begin_with(*parts_.first, parts_.sets_first_gear);
  if (parts_.expected)
    controller_.keep_plan(std::move(*parts_.expected), parts_.largest_scale);
  if (parts_.record_timeline)
    observer_.emplace(left_, parts_.memory, parts_.keep);
  follow_gear();
  publish(Function::Init, false, left_);
  if (parts_.computation)
    parts_.computation->resume();
}

RankController::Ports Session::ports() {
  RankController::Ports ports{*parts_.clock, *parts_.actuator, *parts_.meter, *parts_.exchange};
  if (parts_.record_timeline) {
    ports.timeline_since = [this](Seconds from, std::size_t most_events) {
      return observer_->recorder().since(from, left_, most_events);
    };
    ports.took_from_any = [this] { return observer_->recorder().took_from_any(); };
    ports.records = [this] { return !observer_->recorder().stopped(); };
  }
  ports.background = parts_.background.get();
  ports.pause = parts_.pause;
  ports.energy_interval = parts_.energy_interval;
  ports.learns_power = parts_.learns_power;
  ports.idle = parts_.idle;
  ports.waits_for_first = parts_.waits_for_first;
  ports.may_rest = parts_.may_rest;
  ports.reports_stage = parts_.reports_stage;
  ports.held_up = parts_.held_up;
  return ports;
}

void Session::publish(Function function, bool in_mpi, Seconds now) {
  if (parts_.status == nullptr)
    return;
  RankStatus& status = parts_.status->rank(static_cast<std::size_t>(rank_));
  constexpr auto order = std::memory_order_relaxed;
  status.state.store(RankStatus::running, order);
  status.function.store(static_cast<std::uint32_t>(function), order);
  status.in_mpi.store(in_mpi ? 1 : 0, order);
  status.time_s.store(now.value(), order);
  status.iterations.store(controller_.iterations(), order);
  if (!in_mpi)
    parts_.status->running().store(rank_, order);
}

/// Every entry of the program into hypermile comes through here.
template <class Doing> void Session::attempt(const Doing& doing) {
#ifdef HYPERMILE_REAL_MPI
  const QuietArithmetic quiet;
  try {
    doing();
  } catch (const std::exception& error) {
    controller_.give_up(reason_of(error));
  }
#else
  doing();
#endif
}

void Session::enter(const Caller& caller) {
  if (depth_++ > 0)
    return;
  const Caller& as = as_ ? *as_ : caller;
  if (observer() || parts_.computation)
    attempt([&] { place_ = places_.number(as.function, as.site); });
  if (resting_)
    return enter_at_rest(caller.function);
  sampled_ = controller_.is_sampled();
  if (observer())
    observer_->at(place_, as.detail);
  attempt([&] {
    if (sampled_)
      watched_from_ = parts_.clock->now();
    begin_call(caller.function, as);
    if (sampled_)
      cost_of_entry_ = parts_.clock->now() - watched_from_;
  });
}

void Session::begin_call(Function function, const Caller& as) {
  if (parts_.computation)
    stretch_computation(function);
  entered_ = parts_.clock->now();
  if (!parts_.computation)
    stolen_.computed(entered_);
  if (parts_.calls && kind(function) != Kind::timing)
    parts_.calls->enter({.may_wait = may_wait(function),
                         .call = call(as).place,
                         .iteration = controller_.iterations()});
  publish(function, true, entered_);
}

/// While a pause passes it makes nobody later that others have the core.
void Session::stretch_computation(Function function) {
  if (stolen_.is_known())
    stolen_.computed(parts_.clock->now());
  parts_.computation->charge(static_cast<std::uint16_t>(function), place_);
  if (stolen_.is_known())
    stolen_.pass_over(parts_.clock->now());
  if (sampled_) // it costs nothing where computation is not stretched
    watched_from_ = parts_.clock->now();
}

void Session::leave(const Caller& caller) {
  const Function function = caller.function;
  if (depth_ == 1 && resting_)
    leave_at_rest(function);
  else if (depth_ == 1)
    attempt([&] {
      if (kind(function) != Kind::timing)
        end_call(function, as_ ? *as_ : caller);
      else if (function == Function::Wtime && observer_ && observer_->keeps_calls())
        record_reading();
      if (parts_.computation)
        parts_.computation->resume();
    });
  --depth_;
}

/// One that found nothing, right after another call: the rank has nothing else to do, and what it
/// costs to watch that makes nobody later.
bool Session::is_idle_poll(Function function) const {
  constexpr Seconds nothing_else{1e-6};
  return kind(function) == Kind::poll && observer_ && observer_->recorder().polled_in_vain() &&
         computed_ < nothing_else;
}

void Session::end_call(Function function, const Caller& as) {
  const Seconds now = parts_.clock->now();
  stolen_.communicated(now);
  if (parts_.calls)
    parts_.calls->leave(call(as).place);
  Span span = computed_until(entered_);
  computed_ = span.computation;
  span.event = observer_ ? observer_->recorder().first_event() : 0;
  span.end = now;
  span.communication = now - entered_;
  span.calls = 1;
  left_ = now;
  if (observer_)
    record(function, span); // as it passed: others waited as long
  stolen_.take_from(span, controller_.scale());
  left_ = controller_.add_call(call(as), span);
  if (observer_)
    observer_->recorder().pause(left_ - now);
  go_on(function, now);
  if (sampled_ && !is_idle_poll(function)) {
    const Seconds end = parts_.clock->now();
    controller_.add_sample(cost_of_entry_ + end - left_, end);
    if (controller_.rests())
      begin_rest();
  }
}

/// After a call that was over at `end`, the program goes on.
void Session::go_on(Function function, Seconds end) {
  if (left_ > end)
    stolen_.pass_over(left_);
  follow_gear();
  publish(function, false, left_);
  if (left_ >= next_reading_) {
    (void)parts_.meter->consumed();
    next_reading_ = left_ + longest_unread;
  }
}

/// Who waits for whom is found by counting all messages of all ranks: it stays unknown from now on.
void Session::begin_rest() {
  resting_ = rested_ = true;
  sampled_ = false;
  unwatched_ = 0;
  between_looks_ = 1;
  if (observer_)
    observer_->recorder().stop("so many MPI calls were made that not all were watched");
}

void Session::enter_at_rest(Function function) {
  looking_ = kind(function) != Kind::timing && ++unwatched_ >= between_looks_;
  if (!looking_ && !parts_.computation)
    return;
  attempt([&] {
    if (parts_.computation)
      stretch_computation(function);
    entered_ = parts_.clock->now();
  });
}

void Session::leave_at_rest(Function function) {
  if (!looking_ && !parts_.computation)
    return;
  attempt([&] {
    if (looking_)
      look_at_rest(function);
    if (parts_.computation)
      parts_.computation->resume();
  });
}

/// The call that is looked at stands for those before.
void Session::look_at_rest(Function function) {
  constexpr Seconds apart{0.0005};
  constexpr double most_apart = 64; // calls
  const Seconds now = parts_.clock->now();
  stolen_.communicated(now);
  const auto calls = static_cast<double>(unwatched_);
  const Seconds passed = now - left_;
  Span span = computed_until(now - std::min(passed, (now - entered_) * calls));
  span.communication = now - span.end;
  span.end = now;
  span.calls = std::exchange(unwatched_, 0);
  between_looks_ = static_cast<std::size_t>(
      std::clamp(calls * (apart / std::max(passed, Seconds{1e-9})), 1.0, most_apart));
  stolen_.take_from(span, controller_.scale());
  left_ = controller_.add_unwatched(span);
  resting_ = controller_.rests();
  go_on(function, now);
}

void Session::record(Function function, const Span& span) {
  Recorder& recorder = observer_->recorder();
  if (parts_.others_communicate != nullptr &&
      parts_.others_communicate->load(std::memory_order_relaxed))
    recorder.stop("other threads communicate than the one that called MPI_Init");
  if (parts_.worked)
    recorder.compute(parts_.worked(span.computation_in_gear0));
  const auto poll = kind(function) == Kind::poll ? Recorder::Poll::yes : Recorder::Poll::no;
  recorder.end_call(static_cast<std::uint16_t>(function), poll, span.computation,
                    span.communication);
}

void Session::mark_iteration() {
  constexpr Caller marker{Function::Iteration, nullptr, 0};
  if (resting_ && depth_ == 0)
    end_rest();
  enter(marker);
  if (depth_ == 1 && !resting_)
    attempt([&] {
      Span computed = computed_until(parts_.clock->now());
      if (observer_)
        record_mark(computed);
      stolen_.take_from(computed, controller_.scale());
      left_ = computed.end;
      left_ = controller_.mark_iteration(computed);
      if (observer_)
        observer_->recorder().pause(left_ - computed.end);
      follow_gear();
    });
  leave(marker);
}

/// If it is not for good.
void Session::end_rest() {
  attempt([&] {
    entered_ = parts_.clock->now();
    look_at_rest(Function::Iteration);
    controller_.end_rest();
    resting_ = controller_.rests();
  });
}

/// Of the clock: it takes a little time in a simulation. The time computed before it counts as
/// before the next call.
void Session::record_reading() {
  if (parts_.worked)
    observer_->recorder().compute(parts_.worked({}));
  observer_->recorder().end_call(static_cast<std::uint16_t>(Function::Wtime), Recorder::Poll::no,
                                 {}, {});
}

void Session::record_mark(Span& computed) {
  Recorder& recorder = observer_->recorder();
  computed.event = recorder.first_event();
  if (parts_.worked)
    recorder.compute(parts_.worked(computed.computation_in_gear0));
  if (observer_->keeps_calls())
    recorder.end_call(static_cast<std::uint16_t>(Function::Iteration), Recorder::Poll::no,
                      computed.computation, {});
  else
    recorder.compute(computed.computation);
}

/// The node's gear may have been changed.
void Session::follow_gear() {
  if (observer_)
    observer_->recorder().set_scale(controller_.scale());
}

/// What the rank has computed since it left MPI.
Span Session::computed_until(Seconds now) const {
  const Seconds computation = now - left_;
  return {.begin = left_,
          .end = now,
          .computation = computation,
          .computation_in_gear0 = computation / controller_.scale(),
          .communication = {}};
}

void Session::arrive() {
  depth_ = 1; // whatever follows is hypermile's
  attempt([&] {
    begin_call(Function::Finalize, {Function::Finalize, nullptr, 0});
    Span computed = computed_until(entered_);
    stolen_.take_from(computed, controller_.scale());
    controller_.end(computed);
  });
}

model::RankTimeline Session::take_timeline() {
  if (!observer_)
    return {};
  if (parts_.worked)
    observer_->recorder().compute(parts_.worked((entered_ - left_) / controller_.scale()));
  return observer_->recorder().take(entered_ - left_);
}

Lesson Session::take_lesson(std::size_t most_events) {
  return {controller_.outline(), longest_stage(take_timeline(), controller_.stages(),
                                               controller_.common_stage(), most_events)};
}

RankReport Session::report() const {
  RankReport report = controller_.report();
  if (parts_.computation) {
    const auto [measured, from_like_calls] = parts_.computation->divergences();
    report.divergences = measured;
    report.from_like_calls = from_like_calls;
  }
  return report;
}

std::string Session::not_followed() const {
  return observer_ ? observer_->recorder().incomplete() : "";
}

std::optional<RunReport> Session::finish(const std::function<void(RankReport&)>& closing) {
  auto run = controller_.finish(closing);
  if (parts_.status != nullptr)
    parts_.status->rank(static_cast<std::size_t>(rank_)).state.store(RankStatus::finalized);
  return run;
}

} // namespace hypermile::runtime::pmpi
