#pragma once

#include "simulate/forecast.hpp"

#include "runtime/decide/node_problem.hpp"
#include "select/dependency_search.hpp"
#include "select/selector.hpp"

#include <functional>
#include <span>
#include <vector>

namespace hypermile::simulate {

/// A run in gears that every node had from its begin to its end, as it was simulated.
struct RunInGears {
  Expectation took;
  std::function<Forecast()> forecast; ///< of other gears, from the timeline of this run
};

/// Repeats the recorded run in these gears, one choice per run, in their order.
using Repeat = std::function<std::vector<RunInGears>(std::span<const std::vector<model::Gear>>)>;

/// Objective and bounds of the experiment.
[[nodiscard]] select::Request request_of(const Experiment& experiment);

/// The gears that the dependency model finds best: the exact search. It takes objective and bounds
/// of the request. A search ends after about so long on a core of 2025, but it counts what it does,
/// so that the same timeline always gives the same plan. Throws Error{config} for a bound out of
/// its range.
[[nodiscard]] WholeRunPlan plan_whole_run(const Forecast& forecast, const select::Request& request,
                                          Seconds search);

/// The same as a plan with what is proven of it.
[[nodiscard]] select::DependencyPlan
choose_whole_run(const Forecast& forecast, const select::Request& request, Seconds search);

/// The same, but the best gears of the model are repeated, and the best of these is the plan: at
/// most `most_repetitions`, in rounds of a few. Where a forecast is off, because messages share
/// links otherwise than in the unscaled run, the next round searches with what messages took in the
/// best gears so far. `unscaled`: time and energy of that run, which stands for gear 0.
[[nodiscard]] WholeRunPlan plan_by_repetition(const Forecast& forecast,
                                              const model::Baseline& unscaled,
                                              const select::Request& request, Seconds search,
                                              const Repeat& repeat);
inline constexpr std::size_t most_repetitions = 9;

/// The plan by the cluster model, for a run whose timeline is not known. Throws as the first.
[[nodiscard]] WholeRunPlan plan_by_totals(const runtime::RunReport& unscaled,
                                          const select::Request& request);

/// A run in gear 0 from its begin to its end as if it were one iteration, for the cluster model.
[[nodiscard]] runtime::NodeProblem totals_of(const runtime::RunReport& unscaled);

} // namespace hypermile::simulate
