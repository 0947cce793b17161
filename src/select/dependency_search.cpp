#include "select/dependency_search.hpp"

#include "select/path_search.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hypermile::select {
namespace {

using model::dependency::Predictor;

void check(const Request& request) {
  const MethodRow& method = row_of(request.method);
  if (!method.knows_dependencies)
    throw Error(ErrorKind::model,
                fmt::format("the method {} knows no dependencies between ranks", method.name),
                "exact");
}

/// A bound on slowdown that has to hold in spite of noise.
class NoisyBound {
public:
  NoisyBound(const Predictor& predictor, const Confidence& confidence,
             const Constraints& constraints)
      : predictor_(predictor), noise_(confidence.noise),
        z_(normal_quantile(confidence.probability)), surprise_(confidence.surprise),
        mean_(constraints.max_slowdown.value_or(unreachable)),
        quantile_(confidence.max_slowdown.value_or(mean_)) {}

  [[nodiscard]] model::dependency::Spread spread(const Plan& plan) const {
    std::vector<double> scales;
    predictor_.scales(plan.gears, scales);
    return noise_.spread(scales);
  }
  [[nodiscard]] bool holds(const model::dependency::Spread& spread) const {
    return spread.mean - 1 <= mean_ + bound_tolerance &&
           quantile(spread) - 1 <= quantile_ + bound_tolerance;
  }
  /// What to leave of the slowdown of a plan that breaks the bound with this spread.
  [[nodiscard]] double part(const model::dependency::Spread& spread) const {
    const double part = std::min(mean_ / (spread.mean - 1), quantile_ / (quantile(spread) - 1));
    return std::clamp(part, 0.1, 0.9);
  }

private:
  [[nodiscard]] double quantile(const model::dependency::Spread& spread) const {
    return spread.mean + z_ * surprise_ * spread.deviation;
  }

  const Predictor& predictor_;
  const model::dependency::IterationNoise& noise_;
  double z_;
  double surprise_;
  double mean_;
  double quantile_;
};

/// Tightens the bound on time until the plan's spread keeps the noisy one, as gear 0 does.
void tighten(PathSearch& search, const NoisyBound& bound, Seconds in_gear0,
             DependencyPlan& result) {
  constexpr int most_rounds = 12;
  constexpr double least_slowdown = 1e-6;
  for (int round = 0; round < most_rounds && !bound.holds(*result.spread); ++round) {
    const double slowdown = result.plan.prediction.time / in_gear0 - 1;
    if (slowdown < least_slowdown || search.misses_bounds())
      break;
    search.run_within(in_gear0 * (1 + slowdown * bound.part(*result.spread)));
    result = search.result();
    result.spread = bound.spread(result.plan);
  }
  if (bound.holds(*result.spread))
    return;
  result = search.result(std::vector<model::Gear>(result.plan.gears.size(), 0));
  result.spread = bound.spread(result.plan);
}

/// Puts the best few in order by what they are for noise like the recorded, not for this noise
/// alone: a search finds gears that suit what happened to coincide.
void withstand(PathSearch& search, const NoisyBound& bound, const Predictor& predictor,
               const Request& request, DependencyPlan& result) {
  constexpr std::size_t candidates = 8;
  const Score score(predictor.baseline(), request);
  const auto expected = [&](const DependencyPlan& plan) {
    const Seconds time = predictor.baseline().time * plan.spread->mean;
    return score.feasible_score(time, predictor.energy(plan.plan.gears, time));
  };
  double best = expected(result);
  for (const auto& gears : search.best(candidates)) {
    DependencyPlan other = search.result(gears);
    other.spread = bound.spread(other.plan);
    if (const double value = expected(other); other.plan.feasible() && value < best) {
      best = value;
      result = std::move(other);
    }
  }
}

} // namespace

double normal_quantile(double probability) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < probability ? low : high) = middle;
  }
  return low;
}

DependencyPlan choose(const Predictor& predictor, const Request& request,
                      const SearchLimits& limits) {
  check(request);
  PathSearch search(predictor, request, limits);
  search.run();
  return search.result();
}

DependencyPlan choose(const Predictor& predictor, const Request& request,
                      const Confidence& confidence, const SearchLimits& limits) {
  check(request);
  if (!(confidence.probability >= 0.5 && confidence.probability < 1))
    throw Error(ErrorKind::config, fmt::format("a confidence of {}", confidence.probability),
                "at least 0.5 and less than 1");
  PathSearch search(predictor, request, limits);
  search.run();
  const NoisyBound bound(predictor, confidence, request.constraints);
  DependencyPlan result = search.result();
  result.spread = bound.spread(result.plan);
  if (!result.plan.feasible())
    return result;
  if (request.constraints.max_slowdown)
    tighten(search, bound, predictor.baseline().time, result);
  else
    withstand(search, bound, predictor, request, result);
  return result;
}

} // namespace hypermile::select
