// What ranks tell rank 0, and rank 0 them.

#include "runtime/apply/rank_controller.hpp"

#include "units/error.hpp"

#include <fmt/format.h>

#include <concepts>
#include <utility>

namespace hypermile::runtime {
namespace {

/// A program whose loops keep changing is followed less and less, unless that is asked for: after
/// so many measurements, one each time this part of the time since MPI_Init has passed.
constexpr std::size_t most_measurements = 32;
constexpr double between_further = 1.0 / 32;
/// Once the program has changed, gears that may break a bound are not chosen by what one iteration
/// says.
constexpr std::size_t remeasured_under_bound = 3;
/// Before its loop is known a rank waits for an order for this share of the time since MPI_Init.
constexpr double early_patience = 0.005;
constexpr double early_naps = 32; ///< meanwhile

} // namespace

void RankController::tell_withdrawal() {
  if (!must_withdraw_)
    return;
  if (coordinator_)
    distribute(std::vector<Message>(static_cast<std::size_t>(ranks_), Withdrawal{}));
  else
    ports_.exchange.send_now(0, encode(Withdrawal{}));
  must_withdraw_ = false;
}

void RankController::take_messages() {
  while (const auto message = ports_.exchange.poll())
    handle(message->from, decode(message->bytes));
  if (waiting_ && coordinator_)
    distribute(coordinator_->take_orders());
}

/// Until the order is there, but no longer than this.
void RankController::linger(Seconds most, Seconds nap) {
  if (!ports_.idle)
    return;
  const Seconds end = ports_.clock.now() + most;
  for (take_messages(); (waiting_ || early_order_may_come_) && ports_.clock.now() < end;
       take_messages())
    ports_.idle(nap);
}

/// To rank 0, which may be this one.
template <class OfRank> void RankController::send(OfRank measurement) {
  if constexpr (std::same_as<OfRank, Measurement>)
    if (power_)
      measurement.power = power_->take();
  if (coordinator_)
    return handle(0, std::move(measurement));
  measurement.node_is_known = std::exchange(told_node_, true);
  ports_.exchange.send(0, encode(std::move(measurement)));
  ports_.exchange.flush();
}

void RankController::tell_early(Seconds now) {
  const Seconds elapsed = now - start_;
  while (looks_early(now))
    ++early_looks_;
  if (ports_.took_from_any && ports_.took_from_any()) // who has slack is who has no work
    return;
  early_order_may_come_ = true;
  send(EarlyMeasurement{.rank = rank_,
                        .node = node_,
                        .look = early_looks_,
                        .elapsed = elapsed,
                        .computation_in_gear0 = stretched(total_.computation_in_gear0)});
  linger(elapsed * early_patience, elapsed * early_patience / early_naps);
}

/// What others send through this rank. What they send to it is of no use any more.
void RankController::pass_on(Seconds now) {
  if (measure_only_ || !may_listen(now))
    return;
  listened_ = now;
  tell_withdrawal();
  while (ports_.exchange.poll()) {
  }
  listening_ += ports_.clock.now() - now;
}

bool RankController::may_tell(Seconds now) const {
  return role_ == Role::chooses && !plan_ &&
         (measurements_sent_ < most_measurements || keeps_bound_ || repetition_.follows_changes() ||
          now - last_sent_ >= (now - start_) * between_further);
}

void RankController::tell_drift() {
  const Drifted drifted{.rank = rank_, .orders = changes_.size()};
  if (coordinator_)
    handle(0, drifted);
  else
    ports_.exchange.send_now(0, encode(drifted));
}

void RankController::tell() {
  // By now every rank has followed the last order.
  if (!suspended_ && !changes_.empty() && changes_.back().gear != ports_.actuator.gear())
    changes_.back().in_effect = false;
  waiting_ = true;
  calls_waited_ = 0;
  told_of_ = {watch_.takeovers(), watch_.iterations()};
  Measurement m = measurement();
  if (needs_events_ && ports_.records())
    add_events(m);
  send(std::move(m));
}

/// Where the rank knows no loop, all that it has done since the last order stands for an iteration.
void RankController::answer() {
  if (role_ != Role::chooses || plan_ || measure_only_)
    return;
  if (watch_.measured_iterations() > 0)
    return tell();
  if (!needs_events_ || !ports_.records() || total_.calls == at_order_.calls)
    return;
  waiting_ = true;
  calls_waited_ = 0;
  send(measurement_without_loop());
}

/// Throws Error{hardware} where the message names another rank than the one that sent it.
void RankController::check_sender(int from, int named) const {
  if (named != from)
    throw Error(ErrorKind::hardware, fmt::format("a message of rank {} cannot be read: it says "
                                                 "that it is of rank {} of {}",
                                                 from, named, ranks_));
}

void RankController::handle(int from, const Message& message) {
  if (const auto* order = std::get_if<GearOrder>(&message))
    follow(*order);
  if (std::holds_alternative<Stay>(message))
    early_order_may_come_ = false;
  if (std::holds_alternative<Remeasure>(message)) {
    waiting_ = false;
    leave_plan();
    fit_.end();
    if (watches_fit_) {
      suspend();
      in_gears_ = false;
    }
    watch_.begin_level();
    watch_.look_again(keeps_bound_ ? remeasured_under_bound : 1);
    watch_drift_afresh();
  }
  if (const auto* stage = std::get_if<CommonStage>(&message))
    common_stage_ = stage->orders;
  if (const auto* ask = std::get_if<Ask>(&message); ask && ask->meant)
    answer();
  if (std::holds_alternative<Withdrawal>(message))
    withdraw(from);
  if (!coordinator_)
    return;
  if (const auto* drifted = std::get_if<Drifted>(&message)) {
    check_sender(from, drifted->rank);
    distribute(coordinator_->add(*drifted));
  }
  if (const auto* early = std::get_if<EarlyMeasurement>(&message)) {
    check_sender(from, early->rank);
    distribute(coordinator_->add(*early));
  }
  if (const auto* measurement = std::get_if<Measurement>(&message)) {
    check_sender(from, measurement->rank);
    distribute(coordinator_->add(*measurement));
  }
}

/// Where rank 0 hears it from another one, it tells all.
void RankController::withdraw(int from) {
  if (coordinator_ && from != 0)
    return fall_back(
        Role::measures,
        fmt::format("no gears are chosen any more: hypermile has failed on rank {}", from).c_str());
  if (role_ != Role::chooses)
    return;
  role_ = Role::measures;
  stop_choosing();
}

/// One message per rank, or none at all.
void RankController::distribute(const std::vector<Message>& messages) {
  for (std::size_t rank = 1; rank < messages.size(); ++rank)
    ports_.exchange.send(static_cast<int>(rank), encode(messages[rank]));
  ports_.exchange.flush();
  if (!messages.empty())
    handle(0, messages[0]);
}

} // namespace hypermile::runtime
