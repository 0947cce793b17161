#include "model/dependency/shared_network.hpp"

#include "model/dependency/stages.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace hypermile::model::dependency {

SharedNetwork::SharedNetwork(const Dependencies& dependencies, const Matching& matching,
                             const Costs& costs, const Interconnect& interconnect)
    : dependencies_(dependencies), routes_(interconnect),
      first_arrival_(static_cast<Slot>(dependencies.slots_)) {
  for (const RankTimeline& rank : matching.timeline().ranks)
    recorded_scales_.push_back(rank.scale);
  add_messages(matching, costs, interconnect);
  add_steps(matching);
}

void SharedNetwork::add_messages(const Matching& matching, const Costs& costs,
                                 const Interconnect& interconnect) {
  if (interconnect.node_of_rank.size() != matching.timeline().ranks.size())
    throw Error(ErrorKind::model,
                fmt::format("the network is of {} ranks, the timeline of {}",
                            interconnect.node_of_rank.size(), matching.timeline().ranks.size()));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> paths;
  const auto node = [&](EventIndex event) {
    return interconnect.node_of_rank[matching.rank(event)];
  };
  for (LinkIndex m = 0; m < matching.messages().size(); ++m) {
    const Message& message = matching.messages()[m];
    const std::pair ends(node(message.send), node(message.receive));
    auto found = paths.find(ends);
    if (found == paths.end())
      found = paths.emplace(ends, routes_.add(interconnect, ends.first, ends.second)).first;
    const double bytes =
        static_cast<double>(matching.operation(message.send).bytes) + interconnect.envelope.value();
    messages_.push_back({.size = bytes / factor_for(interconnect.bandwidth_factors, bytes),
                         .latency = routes_.path(found->second).latency *
                                    factor_for(interconnect.latency_factors, bytes),
                         .path = found->second,
                         .needs_both = costs.needs_both[m]});
  }
}

void SharedNetwork::add_steps(const Matching& matching) {
  const auto& all = dependencies_.steps_;
  first_step_.assign(dependencies_.ranks() + 1, 0);
  for (const Step& step : all)
    ++first_step_[step.rank + 1];
  std::partial_sum(first_step_.begin(), first_step_.end(), first_step_.begin());
  stores_.assign(first_arrival_ + messages_.size(), 0);
  std::fill(stores_.begin() + first_arrival_, stores_.end(), 1);
  steps_.resize(all.size());
  events_.resize(all.size());
  std::vector<std::size_t> next(first_step_);
  for (std::size_t s = 0; s < all.size(); ++s) {
    Step step = all[s];
    const EventIndex event = dependencies_.event_of_[s];
    const bool completes = matching.operation(event).action == Action::complete;
    if (step.kind == Kind::wait && completes && step.a < 2 * messages_.size()) {
      step.a = step.b = arrival(step.a / 2);
      step.cost = 0;
    }
    if (step.kind == Kind::store || step.kind == Kind::store_max)
      ++stores_[step.a];
    events_[next[step.rank]] = event - dependencies_.first_[step.rank];
    steps_[next[step.rank]++] = step;
  }
}

/// One evaluation.
class SharedNetwork::Pass {
public:
  /// `stages`: where scales change on the way; or null.
  Pass(const SharedNetwork& model, std::span<const double> scales, Workspace& workspace,
       Stages* stages = nullptr)
      : model_(model), w_(workspace), stages_(stages) {
    const Dependencies& dependencies = model.dependencies_;
    w_.clocks_.assign(dependencies.begins_.begin(), dependencies.begins_.end());
    w_.scales_.assign(scales.begin(), scales.end());
    w_.next_.assign(model.first_step_.begin(), model.first_step_.end() - 1);
    w_.slots_.assign(model.stores_.size(), 0);
    w_.pending_.assign(model.stores_.begin(), model.stores_.end());
    w_.waiter_.assign(model.stores_.size(), nothing);
    w_.also_.assign(w_.clocks_.size(), nothing);
    w_.runnable_.resize(w_.clocks_.size());
    std::iota(w_.runnable_.rbegin(), w_.runnable_.rend(), 0U);
    w_.queue_.clear();
    w_.flows_.clear();
    w_.free_flows_.clear();
    w_.shares_.reset(model.routes_);
    w_.held_up_.assign(w_.clocks_.size(), 0);
  }

  void run() {
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

private:
  using NetworkEvent = Workspace::NetworkEvent;
  using Flow = Workspace::Flow;

  /// The rank goes on until it waits for what has not happened yet.
  void follow(std::uint32_t rank) {
    std::size_t& next = w_.next_[rank];
    for (const std::size_t end = model_.first_step_[rank + 1]; next < end; ++next) {
      const Step& step = model_.steps_[next];
      if (stages_ != nullptr)
        w_.scales_[rank] =
            stages_->reach(rank, model_.events_[next], w_.clocks_[rank], w_.scales_[rank]);
      const double cost = static_cast<double>(step.cost);
      double clock = w_.clocks_[rank] + static_cast<double>(step.computation) * w_.scales_[rank];
      switch (step.kind) {
      case Kind::pass:
        clock += cost;
        break;
      case Kind::store:
      case Kind::store_max:
        store(step.a, clock);
        break;
      case Kind::wait:
        if (must_wait(rank, step))
          return;
        note_contention(rank, step.a, clock);
        clock = std::max(clock, std::max(w_.slots_[step.a], w_.slots_[step.b]) + cost);
        break;
      case Kind::join:
        if (must_wait(rank, step))
          return;
        clock = std::max(clock, w_.slots_[step.a]) + cost;
        break;
      }
      w_.clocks_[rank] = clock;
      if (stages_ != nullptr)
        stages_->compute(rank, static_cast<double>(step.computation));
    }
  }

  bool must_wait(std::uint32_t rank, const Step& step) {
    const Slot slot = w_.pending_[step.a] > 0 ? step.a : step.b;
    if (w_.pending_[slot] == 0)
      return false;
    w_.also_[rank] = std::exchange(w_.waiter_[slot], rank);
    return true;
  }

  void note_contention(std::uint32_t rank, Slot slot, double clock) {
    if (w_.alone_.empty() || !model_.is_arrival(slot))
      return;
    const double alone = w_.alone_[slot - model_.first_arrival_];
    w_.held_up_[rank] += std::max(0.0, w_.slots_[slot] - std::max(clock, alone));
  }

  void store(Slot slot, double moment) {
    w_.slots_[slot] = std::max(w_.slots_[slot], moment);
    if (--w_.pending_[slot] > 0)
      return;
    for (std::uint32_t r = std::exchange(w_.waiter_[slot], nothing); r != nothing;) {
      w_.runnable_.push_back(r);
      r = std::exchange(w_.also_[r], nothing);
    }
    if (slot < 2 * model_.messages_.size())
      start_message(slot);
  }

  /// One of its sides is there.
  void start_message(Slot slot) {
    const Travel& travel = model_.messages_[slot / 2];
    const Slot other = slot ^ 1U;
    double begin = w_.slots_[slot];
    if (travel.needs_both) {
      if (w_.pending_[other] > 0)
        return;
      begin = std::max(begin, w_.slots_[other]);
    } else if (slot % 2 == 1) { // its receive
      return;
    }
    push({begin + travel.latency, slot / 2, 0});
    if (!w_.alone_.empty())
      w_.alone_[slot / 2] =
          begin + travel.latency + travel.size / model_.routes_.path(travel.path).alone;
  }

  void push(NetworkEvent event) {
    w_.queue_.push_back(event);
    std::ranges::push_heap(w_.queue_, std::greater{});
  }

  NetworkEvent pop() {
    std::ranges::pop_heap(w_.queue_, std::greater{});
    const NetworkEvent event = w_.queue_.back();
    w_.queue_.pop_back();
    return event;
  }

  [[nodiscard]] bool is_valid(const NetworkEvent& event) const {
    return event.stamp == 0 || w_.flows_[event.subject].stamp == event.stamp;
  }

  /// All that happens at the next moment: the rates are found again once.
  void pass_moment() {
    const double until = w_.queue_.front().time + at_once;
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

  void enter(LinkIndex message) {
    if (w_.free_flows_.empty()) {
      w_.free_flows_.push_back(static_cast<std::uint32_t>(w_.flows_.size()));
      w_.flows_.emplace_back();
    }
    const std::uint32_t flow = w_.free_flows_.back();
    w_.free_flows_.pop_back();
    const Travel& travel = model_.messages_[message];
    w_.flows_[flow] = {.message = message,
                       .stamp = w_.flows_[flow].stamp,
                       .left = travel.size,
                       .rate = 0,
                       .since = now_};
    w_.shares_.add(flow, travel.path);
  }

  void leave(std::uint32_t index, double moment) {
    Flow& flow = w_.flows_[index];
    ++flow.stamp;
    w_.shares_.remove(index);
    w_.free_flows_.push_back(index);
    store(model_.arrival(flow.message), moment);
  }

  void set_rate(std::uint32_t index) {
    Flow& flow = w_.flows_[index];
    const double rate = w_.shares_.rate(index);
    if (std::abs(rate - flow.rate) <= 1e-12 * flow.rate)
      return;
    flow.left = std::max(0.0, flow.left - flow.rate * (now_ - flow.since));
    flow.rate = rate;
    flow.since = now_;
    push({now_ + flow.left / rate, index, ++flow.stamp});
  }

  /// Moments of the network that differ by less are one: a millionth of a fast network's latency.
  static constexpr double at_once = 1e-12;

  const SharedNetwork& model_;
  Workspace& w_;
  Stages* stages_;
  double now_ = 0;
};

Seconds SharedNetwork::time(std::span<const double> scales, Workspace& workspace) const {
  Pass(*this, scales, workspace).run();
  double last = 0;
  for (std::size_t r = 0; r < scales.size(); ++r)
    last = std::max(last, workspace.clocks_[r] + dependencies_.after_[r] * scales[r]);
  return Seconds{last} - dependencies_.begin();
}

Outcome SharedNetwork::outcome(std::span<const double> scales) const {
  Workspace workspace;
  Outcome outcome{
      .time = time(scales, workspace), .begin = dependencies_.begin(), .ends = {}, .computing = {}};
  for (std::size_t r = 0; r < scales.size(); ++r) {
    outcome.ends.emplace_back(workspace.clocks_[r] + dependencies_.after_[r] * scales[r]);
    outcome.computing.push_back(dependencies_.computation_[r] * scales[r]);
  }
  return outcome;
}

StagedOutcome SharedNetwork::staged(std::span<const std::vector<ScaleChange>> changes) const {
  Workspace workspace;
  Stages stages(changes);
  Pass(*this, std::vector<double>(changes.size(), 1), workspace, &stages).run();
  for (std::size_t r = 0; r < changes.size(); ++r) {
    const double scale = workspace.scales_[r];
    stages.compute(r, dependencies_.after_[r]);
    stages.end_stage(r, workspace.clocks_[r] + dependencies_.after_[r] * scale, scale);
  }
  return std::move(stages).outcome(dependencies_.begin());
}

Contention SharedNetwork::contention() const {
  Workspace workspace;
  workspace.alone_.assign(messages_.size(), 0);
  const Seconds shared = time(recorded_scales_, workspace);
  const double held_up =
      std::accumulate(workspace.held_up_.begin(), workspace.held_up_.end(), 0.0) /
      static_cast<double>(workspace.held_up_.size());
  Dependencies::Workspace pass;
  const Seconds recorded = dependencies_.time(recorded_scales_, pass);
  if (recorded <= Seconds{} || shared <= Seconds{})
    return {};
  return {.share = held_up / shared.value(), .misfit = std::abs(shared / recorded - 1)};
}

Evaluation fitting_evaluation(const Contention& contention) {
  return contention.share > negligible_contention && contention.misfit <= largest_misfit
             ? Evaluation::shared_network
             : Evaluation::constant_costs;
}

} // namespace hypermile::model::dependency
