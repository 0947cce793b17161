#pragma once

#include "select/dependency_search.hpp"
#include "select/score.hpp"

#include <span>

namespace hypermile::select {

/// The bound on slowdown as a chance constraint: in the mean, and with the probability asked for,
/// it holds in spite of noise. Scores plans in the mean over the noise.
class ChanceConstraint {
public:
  /// Keeps references to the predictor and the confidence.
  ChanceConstraint(const model::dependency::Predictor& predictor, const Request& request,
                   const Confidence& confidence);

  /// Of the time against gear 0, over the time that gears are chosen for.
  [[nodiscard]] model::dependency::Spread spread(std::span<const model::Gear> gears) const;
  /// Whether gears with this spread keep the bound.
  [[nodiscard]] bool holds(std::span<const model::Gear> gears,
                           const model::dependency::Spread& spread) const;
  [[nodiscard]] bool holds(const DependencyPlan& result) const;
  /// What to leave of the slowdown of a plan that breaks the bound.
  [[nodiscard]] double part(const DependencyPlan& result) const;
  /// The score in the mean; `unreachable` where a bound is not kept.
  [[nodiscard]] double expected(std::span<const model::Gear> gears,
                                const model::dependency::Spread& spread) const;
  [[nodiscard]] double expected(const DependencyPlan& result) const;
  /// The prediction with the excess.
  void correct(Plan& plan) const;

private:
  [[nodiscard]] double excess(std::span<const model::Gear> gears) const;
  [[nodiscard]] Watts peak(std::span<const model::Gear> gears) const;
  [[nodiscard]] double quantile(std::span<const model::Gear> gears,
                                const model::dependency::Spread& spread) const;

  const model::dependency::Predictor& predictor_;
  const Confidence& confidence_;
  Score score_;
  double z_;
  double mean_;     ///< slowdown to keep by the mean
  double quantile_; ///< and with the probability
};

} // namespace hypermile::select
