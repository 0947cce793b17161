#include "runtime/controller.hpp"

#include "units/error.hpp"

#include <bit>

namespace hypermile::runtime {
namespace {

/// A program whose loops keep changing is not followed for ever.
constexpr std::size_t most_measurements = 8;

} // namespace

Controller::Controller(int rank, int ranks, Node node, std::optional<select::Request> request,
                       Ports ports)
    : rank_(rank), ranks_(ranks), node_(std::move(node)), measure_only_(!request), ports_(ports),
      start_(ports.clock.now()), energy_at_start_(ports.meter.consumed()), watch_(start_) {
  if (rank == 0)
    coordinator_ =
        std::make_unique<Coordinator>(std::move(request), static_cast<std::size_t>(ranks));
}

Seconds Controller::add_call(const LoopWatch::Call& call, const Span& span) {
  total_ += span;
  return watch_.add_call(call, span) ? after_iteration(span.end) : span.end;
}

Seconds Controller::mark_iteration(const Span& computed) {
  total_ += computed;
  return watch_.mark_iteration(computed) ? after_iteration(computed.end) : computed.end;
}

Seconds Controller::after_iteration(Seconds now) {
  if (!failure_.empty())
    return now;
  try {
    if (waiting_)
      receive();
    if (!waiting_ && !measure_only_ && measurements_sent_ < most_measurements && watch_.take_news())
      send_measurement();
  } catch (const Error& error) {
    failure_ = error.what(); // the program goes on without us
  }
  const Seconds end = ports_.clock.now();
  overhead_ += end - now;
  return end;
}

void Controller::send_measurement() {
  const Span mean = watch_.mean_iteration();
  Measurement measurement{.rank = rank_,
                          .node = node_,
                          .phase = watch_.phase(),
                          .gear0 = !gear_was_changed_,
                          .gear = ports_.actuator.gear(),
                          .computation = mean.computation,
                          .computation_in_gear0 = mean.computation_in_gear0,
                          .communication = mean.communication};
  ++measurements_sent_;
  waiting_ = true;
  iterations_waited_ = 0;
  if (coordinator_)
    distribute(coordinator_->add(std::move(measurement)));
  else
    ports_.exchange.send(0, encode(measurement));
}

/// Looks for messages after 1, 2, 4, 8, ... iterations: an order comes soon or hardly ever.
void Controller::receive() {
  if (!std::has_single_bit(++iterations_waited_))
    return;
  while (const auto message = ports_.exchange.poll())
    handle(decode(message->bytes));
}

void Controller::handle(const Message& message) {
  if (const auto* order = std::get_if<Order>(&message))
    follow(*order);
  if (const auto* measurement = std::get_if<Measurement>(&message))
    distribute(coordinator_->add(*measurement));
}

void Controller::distribute(const std::vector<Order>& orders) {
  for (std::size_t rank = 1; rank < orders.size(); ++rank)
    ports_.exchange.send(static_cast<int>(rank), encode(orders[rank]));
  if (!orders.empty())
    follow(orders[0]);
}

void Controller::follow(const Order& order) {
  waiting_ = false;
  if (order.set_it && order.gear != ports_.actuator.gear())
    ports_.actuator.set_gear(order.gear);
  changes_.push_back({.time = ports_.clock.now() - start_,
                      .gear = order.gear,
                      .iteration = watch_.iterations(),
                      .energy = energy()});
  gear_was_changed_ = true;
  watch_.measure_afresh();
}

std::optional<Joules> Controller::energy() const {
  const auto now = ports_.meter.consumed();
  return now && energy_at_start_ ? std::optional(*now - *energy_at_start_) : std::nullopt;
}

std::optional<RunReport> Controller::finish(const std::function<void(RankReport&)>& closing) {
  if (rank_ == 0)
    for (int rank = 1; rank < ranks_; ++rank)
      skip_until<Arrived>(rank);
  else
    ports_.exchange.send(0, encode(Arrived{}));
  if (rank_ == 0)
    for (int rank = 1; rank < ranks_; ++rank)
      ports_.exchange.send(rank, encode(ReportRequest{}));
  else
    skip_until<ReportRequest>(0);

  RankReport own = report();
  closing(own);
  if (rank_ == 0)
    return collect(std::move(own));
  ports_.exchange.send(0, encode(own));
  return std::nullopt;
}

/// What comes before is too late to be of use: a measurement, an order.
template <class Awaited> void Controller::skip_until(int rank) {
  while (!std::holds_alternative<Awaited>(decode(ports_.exchange.wait_from(rank).bytes))) {
  }
}

RankReport Controller::report() const {
  return {.rank = rank_,
          .node = node_,
          .loop = watch_.report(),
          .changes = changes_,
          .gear = ports_.actuator.gear(),
          .time = ports_.clock.now() - start_,
          .computation = total_.computation,
          .communication = total_.communication,
          .overhead = overhead_,
          .calls = total_.calls,
          .energy = energy(),
          .failure = failure_};
}

RunReport Controller::collect(RankReport own) {
  RunReport run{.ranks = {std::move(own)},
                .decisions = coordinator_->decisions(),
                .without_loop = coordinator_->missing()};
  for (int rank = 1; rank < ranks_; ++rank)
    run.ranks.push_back(std::get<RankReport>(decode(ports_.exchange.wait_from(rank).bytes)));
  return run;
}

} // namespace hypermile::runtime
