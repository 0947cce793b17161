#pragma once

#include "model/problem.hpp"

#include <vector>

namespace hypermile::bench {

/// A kind of node as the thesis' tables give it.
struct NodeKind {
  const char* name;
  double speed; ///< relative; the tables of real machines give none: proportional to cores * GHz
  double max_ghz;
  double min_ghz;
  double step_ghz;
  double dynamic_w;
  double static_w;
};

/// [F16] Table 3.1, watts as printed.
[[nodiscard]] const std::vector<NodeKind>& table_3_1();
/// [F16] Table 3.10: Grid'5000 clusters of the grid experiments; static power 20 % of dynamic.
[[nodiscard]] const std::vector<NodeKind>& table_3_10();
/// [F16] Table 4.1: the simulated grid, the same four kinds as Table 3.1.
[[nodiscard]] const std::vector<NodeKind>& table_4_1();
/// [F16] Table 4.4: Grid'5000 clusters of the hybrid experiments; static power 20 % of dynamic.
[[nodiscard]] const std::vector<NodeKind>& table_4_4();

/// How a program loads the nodes.
struct Load {
  double imbalance;     ///< work of a node is uniform in 1 +- this
  double communication; ///< share of the slowest node's time
  unsigned seed;
};

/// `count` nodes in equal shares of the kinds, one cluster per kind: computation times in inverse
/// proportion to speed, and communication that fills every node's time up to the slowest's (in
/// one cluster, if `per_cluster`).
[[nodiscard]] std::vector<model::AnalyticNode> nodes_of(const std::vector<NodeKind>& kinds,
                                                        std::size_t count, const Load& load,
                                                        bool per_cluster = false);

} // namespace hypermile::bench
