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
        z_(normal_quantile(confidence.probability)), max_slowdown_(max_slowdown) {}

  [[nodiscard]] model::dependency::Spread spread(const Plan& plan) const {
    std::vector<double> scales;
    predictor_.scales(plan.gears, scales);
    return noise_.spread(scales);
  }
  /// What the time may reach with the confidence asked for, relative to gear 0.
  [[nodiscard]] double slowdown(const model::dependency::Spread& spread) const {
    return spread.mean + z_ * spread.deviation - 1;
  }
  [[nodiscard]] bool holds(const model::dependency::Spread& spread) const {
    return slowdown(spread) <= max_slowdown_ + bound_tolerance;
  }
  /// What to leave of the slowdown of a plan that breaks the bound with this spread.
  [[nodiscard]] double part(const model::dependency::Spread& spread) const {
    return std::clamp(max_slowdown_ / slowdown(spread), 0.1, 0.9);
  }

private:
  const Predictor& predictor_;
  const model::dependency::IterationNoise& noise_;
  double z_;
  double max_slowdown_;
};

/// Tightens the bound on time until the plan's spread keeps the noisy one, as gear 0 does.
void tighten(PathSearch& search, const NoisyBound& bound, Seconds in_gear0,
             DependencyPlan& result) {
  constexpr int most_rounds = 12;
  constexpr double least_slowdown = 1e-6;
  for (int round = 0; !bound.holds(*result.spread); ++round) {
    const double slowdown = result.plan.prediction.time / in_gear0 - 1;
    if (round < most_rounds && slowdown > least_slowdown) {
      search.run_within(in_gear0 * (1 + slowdown * bound.part(*result.spread)));
      result = search.result();
    } else {
      result = search.in_gear0();
    }
    result.spread = bound.spread(result.plan);
    if (search.misses_bounds())
      break;
  }
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
  const NoisyBound bound(predictor, confidence,
                         request.constraints.max_slowdown.value_or(unreachable));
  DependencyPlan result = search.result();
  result.spread = bound.spread(result.plan);
  if (result.plan.feasible())
    tighten(search, bound, predictor.baseline().time, result);
  return result;
}

} // namespace hypermile::select
