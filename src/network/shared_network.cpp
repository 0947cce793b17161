#include "network/shared_network.hpp"

#include "network/exchange_steps.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace hypermile::network {

/// Turns the steps of dependencies into a traffic.
class SharedNetwork::Translation {
public:
  Translation(const Dependencies& dependencies, const Matching& matching, const Costs& costs,
              const Interconnect& interconnect, const Decomposition& decomposition,
              Traffic& traffic)
      : dependencies_(dependencies), matching_(matching), costs_(costs), network_(interconnect),
        decomposition_(decomposition), traffic_(traffic), plans_(dependencies.ranks()),
        exchanges_(matching.collectives().size()) {}

  void translate() {
    traffic_.add_slots(dependencies_.slots_);
    first_arrived_ = traffic_.add_slots(matching_.messages().size());
    for (LinkIndex m = 0; m < matching_.messages().size(); ++m)
      add_message(m);
    for (std::uint32_t rank = 0; rank < plans_.size(); ++rank)
      plan_exchanges(rank);
    for (std::size_t s = 0; s < dependencies_.steps_.size(); ++s)
      add_step(dependencies_.steps_[s], dependencies_.event_of_[s]);
    for (std::uint32_t rank = 0; rank < plans_.size(); ++rank)
      add_exchanges_before(nothing, rank);
  }

private:
  using Kind = Decomposition::Kind;
  struct Plan {                       ///< of a rank
    std::vector<EventIndex> arrivals; ///< at the operations that are decomposed
    std::size_t next = 0;
    float computation = 0; ///< before the next
  };

  [[nodiscard]] std::uint32_t node(EventIndex event) const {
    return network_.node_of_rank[matching_.rank(event)];
  }

  /// Its sides have the compiler's slots.
  void add_message(LinkIndex m) {
    const Message& message = matching_.messages()[m];
    traffic_.add_message({node(message.send), node(message.receive)},
                         matching_.operation(message.send).bytes, costs_.needs_both[m],
                         {.sent = 2 * m, .posted = 2 * m + 1, .arrived = first_arrived_ + m});
  }

  void plan_exchanges(std::uint32_t rank) {
    const EventIndex first = matching_.first_event(rank);
    const std::size_t count = matching_.timeline().ranks[rank].events.size();
    for (EventIndex e = first; e < first + count; ++e)
      if (matching_.operation(e).action == Action::arrive && matching_.link(e) != nothing &&
          decomposition_.kind(matching_.link(e)) != nullptr)
        plans_[rank].arrivals.push_back(e);
  }

  void add_step(Step step, EventIndex event) {
    add_exchanges_before(event, step.rank);
    Plan& plan = plans_[step.rank];
    if (plan.next < plan.arrivals.size() && plan.arrivals[plan.next] <= event) {
      plan.computation += step.computation; // the exchange does the rest
      return;
    }
    const bool completes = matching_.operation(event).action == Action::complete;
    if (step.kind == Step::Kind::wait && completes && step.a < 2 * matching_.messages().size()) {
      step.a = step.b = first_arrived_ + step.a / 2;
      step.cost = 0;
    }
    traffic_.add_step(step, event - dependencies_.first_[step.rank]);
  }

  /// An operation that is decomposed is two events: arrive and complete.
  void add_exchanges_before(EventIndex event, std::uint32_t rank) {
    Plan& plan = plans_[rank];
    for (; plan.next < plan.arrivals.size() && plan.arrivals[plan.next] + 1 < event; ++plan.next)
      add_exchange(plan.arrivals[plan.next], rank, std::exchange(plan.computation, 0.0F));
  }

  void add_exchange(EventIndex arrival, std::uint32_t rank, float computation) {
    const LinkIndex link = matching_.link(arrival);
    const auto& arrivals = matching_.collectives()[link].arrivals;
    const auto member =
        static_cast<std::uint32_t>(std::ranges::lower_bound(arrivals, arrival) - arrivals.begin());
    const Kind& kind = *decomposition_.kind(link);
    const EventIndex event = arrival - dependencies_.first_[rank];
    const auto add_pass = [&](float computing, double cost) {
      traffic_.add_step({.computation = computing,
                         .cost = static_cast<float>(cost),
                         .kind = Step::Kind::pass,
                         .rank = rank,
                         .a = 0,
                         .b = 0},
                        event);
    };
    add_pass(computation, 0);
    steps_of(link, kind.exchange).add_member(member, rank, event, costs_.protocol, traffic_);
    add_pass(0, kind.beyond[member]);
  }

  /// The first member that comes adds the messages.
  const ExchangeSteps& steps_of(LinkIndex collective, const Exchange& exchange) {
    if (!exchanges_[collective]) {
      std::vector<std::uint32_t> nodes;
      for (const EventIndex arrival : matching_.collectives()[collective].arrivals)
        nodes.push_back(node(arrival));
      exchanges_[collective].emplace(exchange, nodes, costs_.protocol, traffic_);
    }
    return *exchanges_[collective];
  }

  const Dependencies& dependencies_;
  const Matching& matching_;
  const Costs& costs_;
  const Interconnect& network_;
  const Decomposition& decomposition_;
  Traffic& traffic_;
  Traffic::Slot first_arrived_ = 0;
  std::vector<Plan> plans_;                             ///< by rank
  std::vector<std::optional<ExchangeSteps>> exchanges_; ///< by collective operation
};

SharedNetwork::SharedNetwork(const Dependencies& dependencies, const Matching& matching,
                             const Costs& costs, const Interconnect& interconnect,
                             const Decomposition& decomposition)
    : dependencies_(dependencies), traffic_(interconnect, dependencies.begins_) {
  const auto& ranks = matching.timeline().ranks;
  if (interconnect.node_of_rank.size() != ranks.size())
    throw Error(ErrorKind::model, fmt::format("the network is of {} ranks, the timeline of {}",
                                              interconnect.node_of_rank.size(), ranks.size()));
  for (const RankTimeline& rank : ranks)
    recorded_scales_.push_back(rank.scale);
  Translation(dependencies, matching, costs, interconnect, decomposition, traffic_).translate();
}

Seconds SharedNetwork::time(std::span<const double> scales, Workspace& workspace) const {
  TrafficPass(traffic_, scales, workspace).run();
  double last = 0;
  for (std::size_t r = 0; r < scales.size(); ++r)
    last = std::max(last, workspace.clocks()[r] + dependencies_.after_[r] * scales[r]);
  return Seconds{last} - dependencies_.begin();
}

Outcome SharedNetwork::outcome(std::span<const double> scales) const {
  Workspace workspace;
  Outcome outcome{
      .time = time(scales, workspace), .begin = dependencies_.begin(), .ends = {}, .computing = {}};
  for (std::size_t r = 0; r < scales.size(); ++r) {
    outcome.ends.emplace_back(workspace.clocks()[r] + dependencies_.after_[r] * scales[r]);
    outcome.computing.push_back(dependencies_.computation_[r] * scales[r]);
  }
  return outcome;
}

StagedOutcome SharedNetwork::staged(std::span<const std::vector<ScaleChange>> changes) const {
  Workspace workspace;
  Stages stages(changes);
  TrafficPass(traffic_, std::vector<double>(changes.size(), 1), workspace, &stages).run();
  for (std::size_t r = 0; r < changes.size(); ++r) {
    const double scale = workspace.scales()[r];
    stages.compute(r, dependencies_.after_[r]);
    stages.end_stage(r, workspace.clocks()[r] + dependencies_.after_[r] * scale, scale);
  }
  return std::move(stages).outcome(dependencies_.begin());
}

Contention SharedNetwork::contention() const {
  Workspace workspace;
  workspace.watch_contention();
  const Seconds shared = time(recorded_scales_, workspace);
  const auto held_up = workspace.held_up();
  const double mean =
      std::accumulate(held_up.begin(), held_up.end(), 0.0) / static_cast<double>(held_up.size());
  Dependencies::Workspace pass;
  const Seconds recorded = dependencies_.time(recorded_scales_, pass);
  if (recorded <= Seconds{} || shared <= Seconds{})
    return {};
  return {.share = mean / shared.value(), .misfit = std::abs(shared / recorded - 1)};
}

Evaluation fitting_evaluation(const Contention& contention) {
  const bool contended = contention.share > negligible_contention;
  return contention.misfit <= (contended ? largest_misfit : largest_misfit_uncontended)
             ? Evaluation::shared_network
             : Evaluation::constant_costs;
}

} // namespace hypermile::network
