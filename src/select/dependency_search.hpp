#pragma once

#include "model/dependency/noise.hpp"
#include "model/dependency/prediction.hpp"
#include "select/selector.hpp"

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>

namespace hypermile::select {

/// When a search ends that could go on.
struct SearchLimits {
  /// Asked all the time; empty: never. The search is repeatable only without it.
  std::function<bool()> out_of_time = {};
  std::size_t most_evaluations = std::size_t{1} << 40U; ///< passes over the timeline
  /// Steps that comparing gears with what is known of paths may take: one for each node of a path.
  double most_comparing = std::numeric_limits<double>::infinity();
  std::size_t most_boxes = 200'000; ///< of gear vectors, in the proof
  unsigned seed = 1;                ///< of restarts
};

/// Ends a search after about so long on a core of 2025, but by what it does, so that the same
/// timeline always gives the same plan.
[[nodiscard]] SearchLimits limits_of_about(Seconds time,
                                           const model::dependency::Predictor& predictor);

/// A plan for a recorded program, and what it took to find and prove it.
struct DependencyPlan {
  Plan plan;                   ///< `gears`: one per node of the predictor
  std::size_t evaluations = 0; ///< passes over the timeline
  std::size_t paths = 0;       ///< lower bounds on its time
  std::size_t boxes = 0;       ///< of gear vectors that were bounded
  /// Of the plan's time against gear 0, where the request came with a confidence.
  std::optional<model::dependency::Spread> spread = std::nullopt;
  /// The best that was found for each node by itself, where there is noise and no bound on
  /// slowdown.
  std::vector<model::Gear> by_node = {};
};

/// Lets a bound on slowdown hold in spite of noise: mean + z * deviation of the plan's time against
/// gear 0 is within the bound, z being the standard normal quantile of `probability`.
struct Confidence {
  const model::dependency::IterationNoise& noise;
  double probability = 0.95; ///< in [0.5, 1)
  /// The slowdown to keep with this probability; none: the request's bound, which else is kept
  /// by the mean.
  std::optional<double> max_slowdown = std::nullopt;
  /// How many times that deviation is what is left of it over the time that gears are chosen for.
  double noise_left = 1;
  /// How many times the deviation forecasts were off by in the end: 1 where noise stays what it is.
  double surprise = 1;
  /// By node: for each 1 that its S is above 1, the program takes this part longer than the model
  /// says, as was seen; empty: it does not.
  std::span<const double> excess = {};
  /// DependencyPlan::by_node of an earlier choice, from other iterations of the same loop: where
  /// all nodes of a type in one gear are better now, they get one. Empty: there was none.
  std::span<const model::Gear> by_node_before = {};
  /// By node: gears that the plan is no worse than, if they keep the bounds. A search that has no
  /// time may find nothing better than gear 0. Empty: there are none.
  std::span<const model::Gear> present = {};
};

/// Chooses gears with the dependency time model: local search and branch and bound on the longest
/// paths through the timeline (docs/selection.md, Theorem 8). Takes objective, weight and bounds
/// of the request; its method must be `exact`. Without limits it ends with the optimum; with them
/// the certificate says how far from it the plan can be at most. Where the certificate is `exact`
/// and the plan has violations, no gears keep the bounds, and these are the nearest that were
/// found. Throws Error{config} for a weight or bound out of its range, Error{model} for another
/// method.
[[nodiscard]] DependencyPlan choose(const model::dependency::Predictor& predictor,
                                    const Request& request, const SearchLimits& limits = {});

/// The same where iterations vary. Without a bound on slowdown the plan is the best in the mean
/// over the noise, of those of the search and of what a local search finds near them, and its
/// prediction has the excess. A bound on slowdown is tightened until it holds with the confidence
/// asked for; the certificate is that of the tightened bound. Throws Error{config} for a
/// probability out of its range.
[[nodiscard]] DependencyPlan choose(const model::dependency::Predictor& predictor,
                                    const Request& request, const Confidence& confidence,
                                    const SearchLimits& limits = {});

} // namespace hypermile::select
