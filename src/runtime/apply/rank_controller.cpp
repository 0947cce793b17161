#include "runtime/apply/rank_controller.hpp"

#include "runtime/loop/steadiness.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace hypermile::runtime {
namespace {

/// While an order is awaited, a message is looked for at the end of every iteration and, since
/// that may be long, every so many MPI calls, and after a call before which this time has passed.
constexpr std::size_t calls_between_looks = 16;
constexpr Seconds between_awaited{0.0005};
/// After it has told what it measured, a rank waits for the order for this part of an iteration:
/// where all end an iteration together the gears are set before the next one begins. Later choices
/// change less, and iterations of many calls are not over before there is a look at the next one,
/// so that nobody waits for those. Nor under a bound: where ranks depend on each other in a row,
/// what each waits adds up.
constexpr double patience = 0.02;
/// Or for the first order until it is there, where that is asked for. Another rank may need a
/// message of this one to end its own iteration, so even this wait ends by itself: after so many
/// iterations.
constexpr double patience_for_first = 20;
constexpr double naps = 32; ///< while it waits, in the patience, or in an iteration
/// Gears that may break a bound are given up for good: not by what one or two iterations say.
constexpr std::size_t looked_at_under_bound = 4;
/// While nothing is awaited but may come, at the end of an iteration, and no more often than this.
constexpr Seconds between_looks{0.01};
/// Under a bound orders and questions may come at any time once gears were chosen, and iterations
/// may be long: not only at their end then, but when this part of the time since MPI_Init has
/// passed.
constexpr double between_looks_under_bound = 1.0 / 256;
/// An order that is awaited may come late or never, and a look for it may take a time slice: Open
/// MPI gives the core away in it where there are more ranks than cores. All looks in vain together
/// take this share of the time at most, and so much besides.
constexpr double most_in_vain = 0.01;
constexpr Seconds in_vain_anyway{0.02};

/// Before its loop is known a rank tells what it has computed when this time has passed since
/// MPI_Init, and twice, four times, ... the time.
constexpr Seconds first_early_look{0.02};

/// Of the time, to watch calls in which no loop has been found.
constexpr double most_for_watching = 0.02;

/// Of one node; of all together not so many that rank 0 would notice.
std::size_t most_readings(int ranks) {
  constexpr std::size_t least = 16;
  constexpr std::size_t most = 240;
  constexpr std::size_t of_all = 500'000;
  return std::clamp(of_all / static_cast<std::size_t>(ranks), least, most);
}

/// Of a rank, for one choice: all together a few kilobytes.
std::size_t most_power_points(int ranks) {
  constexpr std::size_t least = 6;
  constexpr std::size_t most = 48;
  constexpr std::size_t of_all = 1024;
  return std::clamp(of_all / static_cast<std::size_t>(ranks), least, most);
}

} // namespace

RankController::RankController(int rank, int ranks, RankNode node,
                               std::optional<select::Request> request, Ports ports,
                               const TimeModel& model)
    : rank_(rank), ranks_(ranks), node_(std::move(node)), measure_only_(!request),
      role_(request ? Role::chooses : Role::measures),
      needs_events_(request && ports.records && needs_events(*request, model)),
      uses_slack_(needs_events_ && request->constraints.none()),
      keeps_bound_(request && request->constraints.max_slowdown),
      watches_fit_(keeps_bound_ && !request->constraints.average_power_cap &&
                   !request->constraints.peak_power_cap),
      caps_power_(request && request->constraints.average_power_cap),
      share_of_bound_(keeps_bound_ ? SlowdownBudget::usable(*request->constraints.max_slowdown)
                                   : std::numeric_limits<double>::infinity()),
      share_for_watching_(std::min(most_for_watching, share_of_bound_ / 2)),
      repetition_(model.repetition), ports_(ports), start_(ports.clock.now()),
      energy_at_start_(ports.meter.consumed()), watch_(start_, model.repetition),
      gear_of_stage_(ports.actuator.gear()), stage_(start_), account_begin_(start_) {
  outline_.computation.reserve(Outline::most_entries); // calls need no memory
  if (ports.energy_interval > Seconds{} && energy_at_start_)
    readings_.emplace(ports.energy_interval, most_readings(ranks));
  meter_watch_ = MeterWatch(ports.meter.limit());
  if (ports.learns_power && ports.energy_interval > Seconds{}) {
    power_.emplace(ports.energy_interval, most_power_points(ranks));
    power_->add(power_point(start_, energy()));
  }
  if (rank == 0)
    coordinator_ = std::make_unique<Coordinator>(
        std::move(request), static_cast<std::size_t>(ranks), model, ports.background);
}

void RankController::begin_in(model::Gear gear) {
  if (gear >= node_.type.gears.size())
    throw Error(ErrorKind::config, fmt::format("node {} has no gear {}, only 0 to {}", node_.name,
                                               gear, node_.type.gears.size() - 1));
  if (gear != ports_.actuator.gear()) // another rank of the node may have set it
    set_gear(gear);
  note_stage();
}

void RankController::begin_with(const Decision& decision, bool sets_gear) {
  if (role_ != Role::chooses)
    return;
  const auto node = std::ranges::find(decision.nodes, node_.name);
  if (node == decision.nodes.end())
    return;
  if (coordinator_)
    coordinator_->begin_with(decision);
  follow({.gear = decision.gears[static_cast<std::size_t>(node - decision.nodes.begin())],
          .set_it = sets_gear,
          .before_loop = true});
}

/// The gear may have changed. One that was set in MPI_Init was there from the beginning.
void RankController::note_stage() {
  Seconds from = ports_.clock.now();
  if (total_.calls == 0) {
    stages_.clear();
    from = GearStage::beginning;
  }
  stages_.push_back({from, scale(), changes_.size()});
  if (power_)
    power_->add(power_point(ports_.clock.now(), energy()));
  if (!caps_power_)
    return;
  spent_by_stage_ = spent();
  gear_of_stage_ = ports_.actuator.gear();
  stage_ = ports_.clock.now();
  computation_before_stage_ = total_.computation;
}

/// The run is not the one that was planned: what is not known is measured in gear 0.
void RankController::leave_plan() {
  if (!plan_)
    return;
  departed_ = plan_->why();
  plan_.reset();
  if (coordinator_)
    coordinator_->note_left_plan(ports_.clock.now() - start_, largest_scale_ - 1);
  begin_in(0);
}

/// Needs no memory; what it cannot do for lack of that is tried again later, or at the end.
void RankController::fall_back(Role role, const char* why) {
  reason_.set(why);
  if (role_ == Role::chooses) {
    role_ = role;
    must_withdraw_ = true;
    stop_choosing();
    attempt(role, [this] { tell_withdrawal(); });
  }
  role_ = std::max(role_, role);
}

/// Other gears than 0 are good for what was measured when they were chosen.
void RankController::stop_choosing() {
  waiting_ = false;
  attempt(role_, [this] { leave_plan(); });
  if (ports_.actuator.gear() != 0)
    attempt(role_, [this] { follow({.gear = 0, .set_it = sets_gear_}); });
}

Seconds RankController::add_call(const LoopWatch::Call& call, Span span) {
  count(span);
  bool look = role_ == Role::passive;
  bool effort = read_energy(span.end);
  if (!look)
    attempt(Role::passive, [&] {
      look = watch_.add_call(call, span);
      effort = watch_.take_effort() || effort;
    });
  look = look || looks_early(span.end) || looks_under_bound(span.end) ||
         (!suspended_ && fit_.is_away(span.end)) ||
         (plan_ && plan_->departs() && !told_departure_) ||
         ((waiting_ || early_order_may_come_ || plan_) &&
          (++calls_waited_ % calls_between_looks == 0 || span.end - looked_ >= between_awaited));
  if (look)
    return act(span.end);
  return effort ? charge(span.end) : span.end;
}

/// What hypermile has done since then. Returns the time at which the program goes on.
Seconds RankController::charge(Seconds from) {
  const Seconds now = ports_.clock.now();
  overhead_ += now - from;
  return now;
}

/// Towards what the rank has done in all.
void RankController::count(Span& span) {
  span.calls_before = total_.calls;
  span.computation_before = total_.computation;
  total_ += span;
  stolen_.add(span.end, span.stolen);
  if (span.calls > 0)
    outline_.add(total_.calls, total_.computation_in_gear0);
  if (span.calls > 0 && plan_)
    plan_->add(total_.calls, total_.computation_in_gear0);
}

Seconds RankController::mark_iteration(Span computed) {
  count(computed);
  bool look = role_ == Role::passive;
  if (!look)
    attempt(Role::passive, [&] { look = watch_.mark_iteration(computed); });
  return look ? act(computed.end) : computed.end;
}

Seconds RankController::act(Seconds now) {
  if (now - looked_ < ports_.pause)
    return now;
  attempt(Role::measures, [&] { role_ == Role::chooses ? look(now) : pass_on(now); });
  return looked_ = charge(now);
}

/// Whether looks that have taken so long are a small share of the time.
bool RankController::may_go_on(Seconds looks, Seconds now) const {
  return looks <= in_vain_anyway + (now - start_) * most_in_vain;
}

/// Whether it is time again to look for messages that are not awaited.
bool RankController::may_listen(Seconds now) const {
  return now - listened_ >= between_looks && may_go_on(listening_, now);
}

void RankController::look(Seconds now) {
  const bool listens =
      (repetition_.adaptive || plan_ || suspended_ || expects_orders()) && may_listen(now);
  const bool awaits = waiting_ || early_order_may_come_;
  if (listens || (awaits && may_go_on(in_vain_, now)))
    take_messages();
  const Seconds taken = ports_.clock.now() - now;
  if (listens) {
    listened_ = now;
    listening_ += taken;
  }
  if (awaits && (waiting_ || early_order_may_come_))
    in_vain_ += taken;
  if (coordinator_)
    distribute(coordinator_->check_time(now - start_));
  if (looks_early(now))
    tell_early(now);
  const bool misfits = !still_fits(now);
  if (may_tell(now) && watch_.take_news()) {
    ++measurements_sent_;
    last_sent_ = now;
    tell();
    linger();
  }
  if (misfits || has_drifted() ||
      (plan_ && plan_->departs() && !std::exchange(told_departure_, true)))
    tell_drift();
}

/// After the rank has told what it measured.
void RankController::linger() {
  const Seconds iteration = watch_.mean_length();
  const bool is_first = !computed_before_choice_;
  if (is_first && ports_.waits_for_first && !std::exchange(waited_for_first_, true))
    return linger(iteration * patience_for_first, iteration / naps);
  const bool looks_within = watch_.mean_calls() > static_cast<double>(calls_between_looks);
  if (!keeps_bound_ && (is_first || !looks_within))
    linger(iteration * patience, iteration * patience / naps);
}

/// Gears were chosen, and rank 0 may find that they break the bound.
bool RankController::expects_orders() const { return keeps_bound_ && at_order_.calls > 0; }

bool RankController::looks_under_bound(Seconds now) const {
  return expects_orders() && role_ == Role::chooses &&
         now - looked_ >= std::max(between_looks, (now - start_) * between_looks_under_bound);
}

bool RankController::looks_early(Seconds now) const {
  return uses_slack_ && !plan_ && role_ == Role::chooses && watch_.takeovers() == 0 &&
         now - start_ >= first_early_look * std::exp2(static_cast<double>(early_looks_));
}

void RankController::follow(const GearOrder& order) {
  if (order.gear >= node_.type.gears.size())
    throw Error(ErrorKind::hardware, fmt::format("rank 0 has ordered gear {}, of {}", order.gear,
                                                 node_.type.gears.size()));
  if (!order.before_loop)
    waiting_ = false;
  count_away();
  early_order_may_come_ = false;
  sets_gear_ = order.set_it;
  if (!order.set_it)
    ports_.actuator.expect_gear(order.gear);
  else if (order.gear != ports_.actuator.gear())
    set_gear(order.gear);
  const std::size_t gear = order.set_it ? ports_.actuator.gear() : order.gear;
  changes_.push_back({.time = ports_.clock.now() - start_,
                      .gear = gear,
                      .iteration = watch_.iterations(),
                      .calls = total_.calls,
                      .computation = total_.computation,
                      .energy = energy(),
                      .in_effect = gear == order.gear,
                      .stolen = total_.stolen});
  note_stage();
  if (order.before_loop) // which is measured in whatever gears
    return;
  in_gears_ = order.any_gear;
  told_of_cost_ = false;
  if (!computed_before_choice_)
    computed_before_choice_ = total_.computation_in_gear0;
  at_order_ = total_;
  watch_fit();
  watch_.measure_afresh();
  if (watch_.takeovers() == told_of_.loop)
    watch_.wait_for(told_of_.iterations + order.after);
  if (order.look_again)
    watch_.look_again(keeps_bound_ ? looked_at_under_bound : 1);
  watch_drift_afresh();
}

void RankController::set_gear(std::size_t gear) {
  if (overridden_.empty())
    overridden_ = ports_.actuator.verify();
  try {
    ports_.actuator.set_gear(gear);
  } catch (const std::exception& error) {
    failure_ = error.what(); // and goes on: what was ordered is worth knowing
  }
}

/// Where that is due; returns whether it was. Needs no memory.
bool RankController::read_energy(Seconds now) {
  const bool reads = readings_ && readings_->due(now - start_);
  const bool notes = power_ && power_->due(now);
  if (!reads && !notes)
    return false;
  const auto joules = energy();
  const Seconds cost = ports_.clock.now() - now;
  if (joules)
    attempt(Role::measures, [&] { meter_watch_.add(now, total_.computation, *joules); });
  if (notes)
    power_->add(power_point(now, joules), cost);
  if (reads && joules)
    readings_->add(now - start_, *joules, cost);
  else if (reads)
    readings_->skip(now - start_, cost);
  return true;
}

PowerPoint RankController::power_point(Seconds now, std::optional<Joules> drawn) const {
  return {.time = now,
          .gear = ports_.actuator.gear(),
          .computing = total_.computation + total_.stolen,
          .drawn = drawn};
}

/// A meter that fails measures nothing, and neither does one that says what cannot be.
std::optional<Joules> RankController::energy() const {
  if (!meter_watch_.why_not().empty())
    return std::nullopt;
  try {
    const auto now = ports_.meter.consumed();
    return now && energy_at_start_ ? std::optional(*now - *energy_at_start_) : std::nullopt;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

} // namespace hypermile::runtime
