#include "runtime/decide/early_policy.hpp"

#include "runtime/decide/gear0_ratio.hpp"

#include <algorithm>

namespace hypermile::runtime {
namespace {

/// A rank that has computed for less of the time may be waiting for work that is still to come.
constexpr double least_share = 0.05;

struct EarlyNode {
  const RankNode* node;
  double slowest = 0; ///< s, of its rank that computes longest
  double sum = 0;     ///< s, of all its ranks
};

const RankNode& node_of(const EarlyMeasurement& measurement) { return measurement.node; }
const RankNode& node_of(const RankNode& node) { return node; }

/// `all`: by rank. `computation`: s in gear 0.
template <class OfRank>
std::vector<EarlyNode> nodes_of(const std::vector<OfRank>& all,
                                const std::vector<double>& computation) {
  std::vector<EarlyNode> nodes;
  for (std::size_t r = 0; r < all.size(); ++r) {
    auto found = std::ranges::find(nodes, node_of(all[r]).name,
                                   [](const EarlyNode& n) { return n.node->name; });
    if (found == nodes.end())
      found = nodes.insert(nodes.end(), {&node_of(all[r])});
    found->slowest = std::max(found->slowest, computation[r]);
    found->sum += computation[r];
  }
  return nodes;
}

/// The slowest gear in which the node is no later than this.
model::Gear slack_gear(const EarlyNode& node, double latest) {
  const model::GearTable& gears = node.node->type.gears;
  model::Gear best = 0;
  for (model::Gear g = 0; g < gears.size(); ++g)
    if (node.slowest * gears.scale(g) <= latest * (1 + 1e-9) && gears.scale(g) > gears.scale(best))
      best = g;
  return best;
}

/// While the slowest node computes for `time`.
Joules energy(const EarlyNode& node, model::Gear gear, Seconds time) {
  const model::NodeType& type = node.node->type;
  const model::GearPower& power = type.power[gear];
  const Seconds computing{node.sum * type.gears.scale(gear)};
  return power.waiting * time +
         (power.computing - power.waiting) / static_cast<double>(type.cores) * computing;
}

/// Every node in the slowest gear in which none is later than the slowest one.
Decision use_slack(const std::vector<EarlyNode>& nodes) {
  const Seconds time{std::ranges::max_element(nodes, {}, &EarlyNode::slowest)->slowest};
  std::vector<model::Gear> gears;
  for (const EarlyNode& node : nodes)
    gears.push_back(slack_gear(node, time.value()));
  Decision decision;
  decision.before_loop = true;
  decision.gears = gears;
  decision.baseline.time = decision.prediction.time = time;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    decision.nodes.push_back(nodes[n].node->name);
    decision.baseline.energy += energy(nodes[n], 0, time);
    decision.prediction.energy += energy(nodes[n], gears[n], time);
  }
  decision.prediction.p_norm = 1;
  decision.prediction.e_norm = decision.prediction.energy / decision.baseline.energy;
  decision.prediction.distance = 1 - decision.prediction.e_norm;
  return decision;
}

} // namespace

std::optional<Decision> EarlyPolicy::choose(const std::vector<EarlyMeasurement>& all) {
  counted_.resize(all.size());
  if (!counts(all))
    return std::nullopt;
  add(all);
  const auto shares = estimate_shares(stretches_);
  if (!shares)
    return std::nullopt;
  Decision decision = use_slack(nodes_of(all, shares->computation));
  present_.resize(decision.gears.size(), 0);
  if (decision.gears == present_)
    return std::nullopt;
  present_ = decision.gears;
  return decision;
}

bool EarlyPolicy::counts(const std::vector<EarlyMeasurement>& all) const {
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].computation_in_gear0 - counted_[r] < (all[r].elapsed - last_look_) * least_share)
      return false;
  return true;
}

void EarlyPolicy::add(const std::vector<EarlyMeasurement>& all) {
  if (stretches_.seconds.empty()) {
    stretches_ = ranks_of(all);
    stretches_.seconds.resize(all.size());
  }
  for (std::size_t r = 0; r < all.size(); ++r) {
    stretches_.seconds[r].push_back((all[r].computation_in_gear0 - counted_[r]).value());
    counted_[r] = all[r].computation_in_gear0;
    last_look_ = std::max(last_look_, all[r].elapsed);
  }
}

std::optional<Decision> choose_for_equal_shares(const std::vector<RankNode>& node_of_rank) {
  if (node_of_rank.empty())
    return std::nullopt;
  const auto speed = [](const RankNode& node) { return node.type.speed; };
  const Speed slowest = speed(std::ranges::min(node_of_rank, {}, speed));
  std::vector<double> computation;
  for (const RankNode& node : node_of_rank)
    computation.push_back(slowest / node.type.speed);
  Decision decision = use_slack(nodes_of(node_of_rank, computation));
  return sets_a_gear(decision) ? std::optional(std::move(decision)) : std::nullopt;
}

} // namespace hypermile::runtime
