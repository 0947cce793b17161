#include "runtime/decide/node_problem.hpp"

#include "runtime/decide/contention.hpp"
#include "runtime/loop/steadiness.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace hypermile::runtime {
namespace {

/// By rank. In other gears than 0 ranks wait longer or shorter than they would in gear 0. What does
/// not depend on gears is the least communication time; the rest is waiting for the slowest.
std::vector<Seconds> communication_in_gear0(const std::vector<Measurement>& measurements) {
  Seconds slowest;
  Seconds least = measurements[0].communication;
  for (const Measurement& m : measurements) {
    slowest = std::max(slowest, m.computation_in_gear0);
    least = std::min(least, m.communication);
  }
  const bool is_measured = all_in_gear0(measurements);
  std::vector<Seconds> communication;
  for (const Measurement& m : measurements)
    communication.push_back(is_measured ? m.communication
                                        : slowest + least - m.computation_in_gear0);
  return communication;
}

/// What ranks compute that react alike.
struct Computed {
  double sensitivity;
  Seconds slowest; ///< computation of the slowest of them in gear 0
  Seconds sum;     ///< of all
};

struct NodeSum {
  const model::NodeType* type;
  std::vector<Computed> computed; ///< of its ranks; one entry where all react alike
  Seconds least_communication;

  void add(const Measurement& m, Seconds communication) {
    auto found = std::ranges::find(computed, m.sensitivity, &Computed::sensitivity);
    if (found == computed.end())
      found = computed.insert(found, {m.sensitivity, {}, {}});
    found->slowest = std::max(found->slowest, m.computation_in_gear0);
    found->sum += m.computation_in_gear0;
    least_communication = std::min(least_communication, communication);
  }
};

/// A node computes as long as its slowest rank; each rank that computes adds its core's share
/// of the power between waiting and computing.
model::TableNode table_node(const NodeSum& node) {
  const model::NodeType& type = *node.type;
  std::vector<model::MeasuredGear> measured;
  for (model::Gear g = 0; g < type.gears.size(); ++g) {
    const double scale = type.gears.scale(g);
    const auto& power = type.power[g];
    const Watts per_core = (power.computing - power.waiting) / static_cast<double>(type.cores);
    Seconds slowest;
    Seconds sum;
    for (const Computed& part : node.computed) {
      const double stretch = model::stretch(scale, part.sensitivity);
      slowest = std::max(slowest, part.slowest * stretch);
      sum += part.sum * stretch;
    }
    measured.push_back({slowest, power.waiting * slowest + per_core * sum, power.waiting});
  }
  return {type.gears, std::move(measured), node.least_communication, 0};
}

} // namespace

bool are_of_earlier_gears(const std::vector<Measurement>& measurements) {
  return std::ranges::any_of(measurements,
                             [](const Measurement& m) { return m.measured_iterations == 0; });
}

bool all_in_gear0(const std::vector<Measurement>& measurements) {
  return !are_of_earlier_gears(measurements) &&
         std::ranges::all_of(measurements, [](const auto& m) { return m.gear == 0; });
}

bool too_little_to_judge(const std::vector<Measurement>& measurements) {
  return is_contended(measurements) || std::ranges::any_of(measurements, [](const Measurement& m) {
           return !is_well_known(m.measured_iterations, m.computation + m.communication,
                                 m.deviation);
         });
}

NodeProblem assemble(const std::vector<Measurement>& measurements) {
  const std::vector<Seconds> communication = communication_in_gear0(measurements);
  NodeProblem problem;
  std::vector<NodeSum> sums;
  for (std::size_t r = 0; r < measurements.size(); ++r) {
    const Measurement& m = measurements[r];
    const auto found = std::ranges::find(problem.nodes, m.node.name);
    const auto index = static_cast<std::size_t>(found - problem.nodes.begin());
    if (found == problem.nodes.end()) {
      problem.nodes.push_back(m.node.name);
      sums.push_back({&m.node.type, {}, communication[r]});
    }
    problem.node_of_rank.push_back(index);
    sums[index].add(m, communication[r]);
    const Seconds total = m.computation_in_gear0 + communication[r];
    if (total > Seconds{})
      problem.computation_share =
          std::max(problem.computation_share, m.computation_in_gear0 / total);
  }
  for (const NodeSum& sum : sums)
    problem.table.push_back(table_node(sum));
  return problem;
}

std::vector<model::dependency::Node> nodes_of(const std::vector<RankReport>& ranks) {
  std::vector<model::dependency::Node> nodes;
  std::unordered_map<std::string, std::size_t> known;
  for (const auto& rank : ranks) {
    const auto [node, is_new] = known.try_emplace(rank.node.name, nodes.size());
    if (is_new)
      nodes.push_back({rank.node.type, {}});
    nodes[node->second].ranks.push_back(static_cast<std::uint32_t>(rank.rank));
  }
  return nodes;
}

} // namespace hypermile::runtime
