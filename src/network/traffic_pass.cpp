#include "network/traffic_pass.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace hypermile::network {
namespace {

/// Moments of the network that differ by less are one: a millionth of a fast network's latency.
constexpr double same_moment = 1e-12;

} // namespace

TrafficPass::TrafficPass(const Traffic& traffic, std::span<const double> scales,
                         TrafficWorkspace& workspace, Stages* stages)
    : traffic_(traffic), w_(workspace), stages_(stages) {
  const std::size_t ranks = traffic.begins_.size();
  w_.clocks_.assign(traffic.begins_.begin(), traffic.begins_.end());
  w_.scales_.assign(scales.begin(), scales.end());
  w_.next_.assign(ranks, 0);
  w_.slots_.assign(traffic.stores_.size(), 0);
  w_.pending_.assign(traffic.stores_.begin(), traffic.stores_.end());
  w_.waiter_.assign(traffic.stores_.size(), nothing);
  w_.also_.assign(ranks, nothing);
  w_.runnable_.resize(ranks);
  std::iota(w_.runnable_.rbegin(), w_.runnable_.rend(), 0U);
  w_.queue_.clear();
  w_.flows_.clear();
  w_.free_flows_.clear();
  w_.shares_.reset(traffic.routes_);
  w_.held_up_.assign(ranks, 0);
  if (w_.watches_)
    w_.alone_.assign(traffic.messages_.size(), 0);
}

void TrafficPass::run() {
  for (;;) {
    while (!w_.runnable_.empty()) {
      const std::uint32_t rank = w_.runnable_.back();
      w_.runnable_.pop_back();
      follow(rank);
    }
    if (w_.queue_.empty())
      return;
    pass_moment();
  }
}

/// The rank goes on until it waits for what has not happened yet.
void TrafficPass::follow(std::uint32_t rank) {
  const std::vector<Step>& steps = traffic_.steps_[rank];
  for (std::size_t& next = w_.next_[rank]; next < steps.size(); ++next) {
    const Step& step = steps[next];
    double& scale = w_.scales_[rank];
    if (stages_ != nullptr)
      scale = stages_->reach(rank, traffic_.events_[rank][next], w_.clocks_[rank], scale);
    double clock = w_.clocks_[rank] + static_cast<double>(step.computation) * scale;
    if (!take(step, clock))
      return;
    w_.clocks_[rank] = clock;
    if (stages_ != nullptr)
      stages_->compute(rank, static_cast<double>(step.computation));
  }
}

/// What comes after the step's computation. False: not yet.
bool TrafficPass::take(const Step& step, double& clock) {
  const double cost = static_cast<double>(step.cost);
  switch (step.kind) {
  case Step::Kind::pass:
    clock += cost;
    break;
  case Step::Kind::store:
  case Step::Kind::store_max:
    store(step.a, clock);
    break;
  case Step::Kind::wait:
    if (must_wait(step))
      return false;
    note_contention(step, clock);
    clock = std::max(clock, std::max(w_.slots_[step.a], w_.slots_[step.b]) + cost);
    break;
  case Step::Kind::join:
    if (must_wait(step))
      return false;
    clock = std::max(clock, w_.slots_[step.a]) + cost;
    break;
  }
  return true;
}

bool TrafficPass::must_wait(const Step& step) {
  const Slot slot = w_.pending_[step.a] > 0 ? step.a : step.b;
  if (w_.pending_[slot] == 0)
    return false;
  w_.also_[step.rank] = std::exchange(w_.waiter_[slot], step.rank);
  return true;
}

void TrafficPass::note_contention(const Step& step, double clock) {
  const LinkIndex message = traffic_.message_of_[step.a];
  if (!w_.watches_ || message == nothing || traffic_.messages_[message].slots.arrived != step.a)
    return;
  w_.held_up_[step.rank] += std::max(0.0, w_.slots_[step.a] - std::max(clock, w_.alone_[message]));
}

void TrafficPass::store(Slot slot, double moment) {
  w_.slots_[slot] = std::max(w_.slots_[slot], moment);
  if (--w_.pending_[slot] > 0)
    return;
  for (std::uint32_t r = std::exchange(w_.waiter_[slot], nothing); r != nothing;) {
    w_.runnable_.push_back(r);
    r = std::exchange(w_.also_[r], nothing);
  }
  if (traffic_.message_of_[slot] != nothing)
    start(traffic_.message_of_[slot], slot);
}

/// One of the message's sides is there, or the message itself.
void TrafficPass::start(LinkIndex index, Slot slot) {
  const auto& message = traffic_.messages_[index];
  if (slot == message.slots.arrived)
    return;
  double begin = w_.slots_[slot];
  if (message.needs_both) {
    const Slot other = slot == message.slots.sent ? message.slots.posted : message.slots.sent;
    if (w_.pending_[other] > 0)
      return;
    begin = std::max(begin, w_.slots_[other]);
  } else if (slot == message.slots.posted) {
    return;
  }
  push({begin + message.latency, index, 0});
  if (w_.watches_)
    w_.alone_[index] =
        begin + message.latency + message.size / traffic_.routes_.path(message.path).alone;
}

void TrafficPass::push(NetworkEvent event) {
  w_.queue_.push_back(event);
  std::ranges::push_heap(w_.queue_, std::greater{});
}

TrafficPass::NetworkEvent TrafficPass::pop() {
  std::ranges::pop_heap(w_.queue_, std::greater{});
  const NetworkEvent event = w_.queue_.back();
  w_.queue_.pop_back();
  return event;
}

bool TrafficPass::is_valid(const NetworkEvent& event) const {
  return event.stamp == 0 || w_.flows_[event.subject].stamp == event.stamp;
}

/// All that happens at the next moment: the rates are found again once.
void TrafficPass::pass_moment() {
  const double until = w_.queue_.front().time + same_moment;
  bool changed = false;
  while (!w_.queue_.empty() && w_.queue_.front().time <= until) {
    const NetworkEvent event = pop();
    if (!is_valid(event))
      continue;
    changed = true;
    now_ = std::max(now_, event.time);
    if (event.stamp == 0)
      enter(event.subject);
    else
      leave(event.subject, event.time);
  }
  if (changed)
    for (const std::uint32_t flow : w_.shares_.share())
      set_rate(flow);
}

void TrafficPass::enter(LinkIndex index) {
  if (w_.free_flows_.empty()) {
    w_.free_flows_.push_back(static_cast<std::uint32_t>(w_.flows_.size()));
    w_.flows_.emplace_back();
  }
  const std::uint32_t flow = w_.free_flows_.back();
  w_.free_flows_.pop_back();
  const auto& message = traffic_.messages_[index];
  w_.flows_[flow] = {.message = index,
                     .stamp = w_.flows_[flow].stamp,
                     .left = message.size,
                     .rate = 0,
                     .since = now_};
  w_.shares_.add(flow, message.path);
}

void TrafficPass::leave(std::uint32_t index, double moment) {
  Flow& flow = w_.flows_[index];
  ++flow.stamp;
  w_.shares_.remove(index);
  w_.free_flows_.push_back(index);
  store(traffic_.messages_[flow.message].slots.arrived, moment);
}

void TrafficPass::set_rate(std::uint32_t index) {
  Flow& flow = w_.flows_[index];
  const double rate = w_.shares_.rate(index);
  if (std::abs(rate - flow.rate) <= 1e-12 * flow.rate)
    return;
  flow.left = std::max(0.0, flow.left - flow.rate * (now_ - flow.since));
  flow.rate = rate;
  flow.since = now_;
  push({now_ + flow.left / rate, index, ++flow.stamp});
}

} // namespace hypermile::network
