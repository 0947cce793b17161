#include "select/dependency_search.hpp"

#include "select/path_search.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hypermile::select {
namespace {

using model::dependency::Predictor;

void check(const Request& request) {
  if (request.method != Method::exact)
    throw Error(ErrorKind::model, "this method knows no dependencies between ranks", "exact");
}

/// z with P(X <= z) = probability for a standard normal X.
double normal_quantile(double probability) {
  double low = 0;
  double high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < probability ? low : high) = middle;
  }
  return low;
}

/// A bound on slowdown that has to hold in spite of noise.
class NoisyBound {
public:
  NoisyBound(const Predictor& predictor, const Confidence& confidence, double max_slowdown)
      : predictor_(predictor), noise_(confidence.noise),
        z_(normal_quantile(confidence.probability)), max_slowdown_(max_slowdown) {
    base_ = noise_.spread(std::vector<double>(predictor.dependencies().ranks(), 1)).mean;
  }
  [[nodiscard]] model::dependency::Spread spread(const Plan& plan) const {
    std::vector<double> scales;
    predictor_.scales(plan.gears, scales);
    return noise_.spread(scales);
  }
  /// What the time may reach with the confidence asked for, relative to gear 0.
  [[nodiscard]] double slowdown(const model::dependency::Spread& spread) const {
    return (spread.mean + z_ * spread.deviation) / base_ - 1;
  }
  [[nodiscard]] bool holds(const model::dependency::Spread& spread) const {
    return slowdown(spread) <= max_slowdown_;
  }
  /// By how much a bound must shrink that allowed a plan of this spread.
  [[nodiscard]] double excess(const model::dependency::Spread& spread) const {
    return (1 + slowdown(spread)) / (1 + max_slowdown_);
  }

private:
  const Predictor& predictor_;
  const model::dependency::IterationNoise& noise_;
  double z_;
  double max_slowdown_;
  Seconds base_;
};

/// Tightens the bound on time until the plan's spread keeps the noisy one.
DependencyPlan tighten(PathSearch& search, const NoisyBound& bound, double max_slowdown) {
  constexpr int most_rounds = 12;
  DependencyPlan result = search.result();
  result.spread = bound.spread(result.plan);
  for (int round = 0; round < most_rounds && !bound.holds(*result.spread); ++round) {
    search.run_within(result.plan.prediction.time / bound.excess(*result.spread));
    if (search.misses_bounds())
      break;
    result = search.result();
    result.spread = bound.spread(result.plan);
  }
  if (!bound.holds(*result.spread))
    result.plan.violations.push_back(
        {Bound::slowdown, max_slowdown, bound.slowdown(*result.spread)});
  return result;
}

} // namespace

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
  const double bounded = request.constraints.max_slowdown.value_or(unreachable);
  const NoisyBound bound(predictor, confidence, bounded);
  DependencyPlan result = search.result();
  if (result.plan.feasible() && bounded < unreachable)
    return tighten(search, bound, bounded);
  result.spread = bound.spread(result.plan);
  return result;
}

} // namespace hypermile::select
