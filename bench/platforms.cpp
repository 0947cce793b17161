#include "platforms.hpp"

#include "model/platform.hpp"

#include <algorithm>
#include <random>

namespace hypermile::bench {

const std::vector<NodeKind>& table_3_1() {
  static const std::vector<NodeKind> kinds{{"type1", 40, 2.5, 1.2, 0.1, 20, 4},
                                           {"type2", 50, 2.66, 1.6, 0.133, 25, 5},
                                           {"type3", 60, 2.9, 1.2, 0.1, 30, 6},
                                           {"type4", 70, 3.4, 1.6, 0.133, 35, 7}};
  return kinds;
}

const std::vector<NodeKind>& table_3_10() {
  static const std::vector<NodeKind> kinds{{"taurus", 1.33, 2.3, 1.2, 0.1, 35, 7},
                                           {"graphene", 1.30, 2.53, 1.2, 0.133, 23, 4.6},
                                           {"griffon", 1.00, 2.5, 2.0, 0.5, 46, 9.2},
                                           {"graphite", 1.25, 2.0, 1.2, 0.1, 35, 7}};
  return kinds;
}

const std::vector<NodeKind>& table_4_1() { return table_3_1(); }

const std::vector<NodeKind>& table_4_4() {
  static const std::vector<NodeKind> kinds{{"taurus", 1.33, 2.3, 1.2, 0.1, 35, 7},
                                           {"graphene", 1.20, 2.53, 1.2, 0.133, 23, 4.6},
                                           {"parapide", 1.45, 2.93, 1.6, 0.133, 23, 4.6},
                                           {"stremi", 0.62, 1.7, 0.8, 0.2, 6, 1.2}};
  return kinds;
}

std::vector<model::AnalyticNode> nodes_of(const std::vector<NodeKind>& kinds, std::size_t count,
                                          const Load& load, bool per_cluster) {
  std::mt19937 engine(load.seed);
  std::uniform_real_distribution<double> work(1 - load.imbalance, 1 + load.imbalance);
  std::vector<model::AnalyticNode> nodes;
  nodes.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t cluster = i * kinds.size() / count;
    const NodeKind& kind = kinds[cluster];
    nodes.push_back({model::gear_grid(Hertz{kind.max_ghz * 1e9}, Hertz{kind.min_ghz * 1e9},
                                      Hertz{kind.step_ghz * 1e9}),
                     Seconds{work(engine) / kind.speed}, Seconds{}, Watts{kind.dynamic_w},
                     Watts{kind.static_w}, cluster});
  }
  std::vector<Seconds> slowest(kinds.size());
  for (const auto& node : nodes)
    slowest[node.cluster] = std::max(slowest[node.cluster], node.computation);
  if (!per_cluster)
    slowest.assign(kinds.size(), *std::max_element(slowest.begin(), slowest.end()));
  for (auto& node : nodes)
    node.communication = slowest[node.cluster] / (1 - load.communication) - node.computation;
  return nodes;
}

} // namespace hypermile::bench
