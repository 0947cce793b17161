#pragma once

#include "simulate/forecast.hpp"

#include "runtime/decide/node_problem.hpp"
#include "select/selector.hpp"

namespace hypermile::simulate {

/// How long a search may go on. It counts what the search does, so that the same timeline always
/// gives the same plan; the times are about those of a core of 2025.
struct PlanningLimits {
  Seconds search{1};        ///< by the dependency model with constant costs
  Seconds local_search{10}; ///< by messages that share the network, where they do
};

/// The plan by the dependency model: the exact search. Where messages share the network, a local
/// search then follows from the best gears found, by forecasts that let them. Takes objective and
/// bounds of the request; of a bound on slowdown it leaves what the forecast of the unscaled run
/// was off by. Throws Error{config} for a bound out of its range.
[[nodiscard]] WholeRunPlan plan_whole_run(const Forecast& forecast, const select::Request& request,
                                          const PlanningLimits& limits);
/// The plan by the cluster model, for a run whose timeline is not known. Throws as the other.
[[nodiscard]] WholeRunPlan plan_by_totals(const runtime::RunReport& unscaled,
                                          const select::Request& request);

/// A run in gear 0 from its begin to its end as if it were one iteration, for the cluster model.
[[nodiscard]] runtime::NodeProblem totals_of(const runtime::RunReport& unscaled);

} // namespace hypermile::simulate
