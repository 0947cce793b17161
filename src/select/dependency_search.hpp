#pragma once

#include "model/dependency/prediction.hpp"
#include "select/search_limits.hpp"
#include "select/selector.hpp"

namespace hypermile::select {

/// A plan for a recorded program, and what it took to find and prove it.
struct DependencyPlan {
  Plan plan;                   ///< `gears`: one per node of the predictor
  std::size_t evaluations = 0; ///< passes over the timeline
  std::size_t paths = 0;       ///< lower bounds on its time
  std::size_t boxes = 0;       ///< of gear vectors that were bounded
};

/// Chooses gears with the dependency time model: local search and branch and bound on the longest
/// paths through the timeline (docs/selection.md, Theorem 8). Takes objective, weight and bounds
/// of the request; its method must be `exact`. Without limits it ends with the optimum; with them
/// the certificate says how far from it the plan can be at most. Where the certificate is `exact`
/// and the plan has violations, no gears keep the bounds. Throws Error{config} for a weight or
/// bound out of its range, Error{model} for another method.
[[nodiscard]] DependencyPlan choose(const model::dependency::Predictor& predictor,
                                    const Request& request, const SearchLimits& limits = {});

} // namespace hypermile::select
