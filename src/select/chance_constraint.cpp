#include "select/chance_constraint.hpp"

#include "estimate/normal.hpp"

#include <algorithm>
#include <vector>

namespace hypermile::select {

using model::dependency::Spread;

ChanceConstraint::ChanceConstraint(const model::dependency::Predictor& predictor,
                                   const Request& request, const Confidence& confidence)
    : predictor_(predictor), confidence_(confidence), score_(predictor.baseline(), request),
      z_(estimate::normal_quantile(confidence.probability)),
      mean_(request.constraints.max_slowdown.value_or(unreachable)),
      quantile_(confidence.max_slowdown.value_or(mean_)) {}

Spread ChanceConstraint::spread(std::span<const model::Gear> gears) const {
  std::vector<double> scales;
  predictor_.scales(gears, scales);
  auto spread = confidence_.noise.spread(scales);
  spread.mean *= excess(gears);
  spread.deviation *= excess(gears) * confidence_.noise_left;
  return spread;
}

bool ChanceConstraint::holds(std::span<const model::Gear> gears, const Spread& spread) const {
  return spread.mean - 1 <= mean_ + bound_tolerance &&
         quantile(gears, spread) - 1 <= quantile_ + bound_tolerance;
}

bool ChanceConstraint::holds(const DependencyPlan& result) const {
  return holds(result.plan.gears, *result.spread);
}

double ChanceConstraint::part(const DependencyPlan& result) const {
  const double part = std::min(mean_ / (result.spread->mean - 1),
                               quantile_ / (quantile(result.plan.gears, *result.spread) - 1));
  return std::clamp(part, 0.1, 0.9);
}

double ChanceConstraint::expected(std::span<const model::Gear> gears, const Spread& spread) const {
  const Seconds time = predictor_.baseline().time * spread.mean;
  return holds(gears, spread)
             ? score_.feasible_score(time, predictor_.energy(gears, time), peak(gears))
             : unreachable;
}

double ChanceConstraint::expected(const DependencyPlan& result) const {
  return expected(result.plan.gears, *result.spread);
}

void ChanceConstraint::correct(Plan& plan) const {
  model::Prediction& p = plan.prediction;
  const model::Baseline& base = predictor_.baseline();
  p.time = p.time * excess(plan.gears);
  p.energy = predictor_.energy(plan.gears, p.time);
  p.p_norm = base.time / p.time;
  p.e_norm = p.energy / base.energy;
  p.distance = p.p_norm - p.e_norm;
}

double ChanceConstraint::excess(std::span<const model::Gear> gears) const {
  double factor = 1;
  for (std::size_t n = 0; n < confidence_.excess.size(); ++n)
    factor += confidence_.excess[n] * (predictor_.scale(n, gears[n]) - 1);
  return factor;
}

Watts ChanceConstraint::peak(std::span<const model::Gear> gears) const {
  Watts sum;
  for (std::size_t n = 0; n < gears.size(); ++n)
    sum += predictor_.peak(n, gears[n]);
  return sum;
}

/// However far forecasts are off: all ranks together are no slower than the slowest gear.
double ChanceConstraint::quantile(std::span<const model::Gear> gears, const Spread& spread) const {
  double slowest = 1;
  for (std::size_t n = 0; n < gears.size(); ++n)
    slowest = std::max(slowest, predictor_.scale(n, gears[n]));
  return std::min(spread.mean + z_ * confidence_.surprise * spread.deviation,
                  std::max(spread.mean, slowest * excess(gears)));
}

} // namespace hypermile::select
