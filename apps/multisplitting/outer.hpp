#pragma once

#include "multisplitting/cluster.hpp"
#include "multisplitting/disturbance.hpp"

namespace apps::multisplitting {

/// What the outer iterations need to know, the same on every rank.
struct Goal {
  double squared_residual; ///< of the whole solution, at most
  GmresLimits inner;       ///< of the solves within clusters
  int limit;               ///< of iterations
  bool print;              ///< on this rank, how the residual falls
};

struct Solution {
  Values field;
  int iterations;   ///< of this cluster
  bool has_reached; ///< the goal, and not the limit
};

/// Clusters wait for each other: each iteration uses the neighbours' values of the one before, and
/// ends with a sum over all ranks.
Solution iterate_synchronously(Cluster& cluster, const Goal& goal);

/// Clusters do not wait: each iteration uses what has arrived. See Coordinator for the end.
Solution iterate_asynchronously(Cluster& cluster, const Partition& partition, const Goal& goal,
                                Disturbance disturbance);

/// Fills the boundary from the neighbours' fields. All ranks call it.
void exchange_boundaries(const Cluster& cluster, const Values& field, Boundary& boundary);

} // namespace apps::multisplitting
