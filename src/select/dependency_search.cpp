#include "select/dependency_search.hpp"

#include "select/path_search.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

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

/// What a plan is to be expected to do, and whether a bound on slowdown holds in spite of noise.
class Outlook {
public:
  Outlook(const Predictor& predictor, const Request& request, const Confidence& confidence)
      : predictor_(predictor), confidence_(confidence), score_(predictor.baseline(), request),
        z_(normal_quantile(confidence.probability)),
        mean_(request.constraints.max_slowdown.value_or(unreachable)),
        quantile_(confidence.max_slowdown.value_or(mean_)) {}

  [[nodiscard]] model::dependency::Spread spread(std::span<const model::Gear> gears) const {
    std::vector<double> scales;
    predictor_.scales(gears, scales);
    auto spread = confidence_.noise.spread(scales);
    spread.mean *= excess(gears);
    spread.deviation *= excess(gears);
    return spread;
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
  /// The score in the mean; `unreachable` where a bound is not kept.
  [[nodiscard]] double expected(std::span<const model::Gear> gears,
                                const model::dependency::Spread& spread) const {
    const Seconds time = predictor_.baseline().time * spread.mean;
    return holds(spread) ? score_.feasible_score(time, predictor_.energy(gears, time), peak(gears))
                         : unreachable;
  }
  /// The prediction with the excess.
  void correct(Plan& plan) const {
    model::Prediction& p = plan.prediction;
    const model::Baseline& base = predictor_.baseline();
    p.time = p.time * excess(plan.gears);
    p.energy = predictor_.energy(plan.gears, p.time);
    p.p_norm = base.time / p.time;
    p.e_norm = p.energy / base.energy;
    p.distance = p.p_norm - p.e_norm;
  }

private:
  [[nodiscard]] double excess(std::span<const model::Gear> gears) const {
    double factor = 1;
    for (std::size_t n = 0; n < confidence_.excess.size(); ++n)
      factor += confidence_.excess[n] * (predictor_.scale(n, gears[n]) - 1);
    return factor;
  }
  [[nodiscard]] Watts peak(std::span<const model::Gear> gears) const {
    Watts sum;
    for (std::size_t n = 0; n < gears.size(); ++n)
      sum += predictor_.peak(n, gears[n]);
    return sum;
  }
  [[nodiscard]] double quantile(const model::dependency::Spread& spread) const {
    return spread.mean + z_ * confidence_.surprise * spread.deviation;
  }

  const Predictor& predictor_;
  const Confidence& confidence_;
  Score score_;
  double z_;
  double mean_;
  double quantile_;
};

/// Tightens the bound on time until the plan's spread keeps the noisy one, as gear 0 does.
void tighten(PathSearch& search, const Outlook& outlook, Seconds in_gear0, DependencyPlan& result) {
  constexpr int most_rounds = 12;
  constexpr double least_slowdown = 1e-6;
  for (int round = 0; round < most_rounds && !outlook.holds(*result.spread); ++round) {
    const double slowdown = result.plan.prediction.time / in_gear0 - 1;
    if (slowdown < least_slowdown || search.misses_bounds())
      break;
    search.run_within(in_gear0 * (1 + slowdown * outlook.part(*result.spread)));
    result = search.result();
    result.spread = outlook.spread(result.plan.gears);
  }
  if (outlook.holds(*result.spread))
    return;
  result = search.result(std::vector<model::Gear>(result.plan.gears.size(), 0));
  result.spread = outlook.spread(result.plan.gears);
}

/// Looks for the plan that is best in the mean over the noise: a search finds gears that suit what
/// happened to coincide in the recorded iterations.
class MeanSearch {
public:
  MeanSearch(const Outlook& outlook, const Predictor& predictor, std::size_t most_tries,
             const SearchLimits& limits)
      : outlook_(outlook), predictor_(predictor), left_(most_tries), limits_(limits) {}

  void consider(const std::vector<model::Gear>& gears) {
    if (left_ == 0 || tried_.contains(gears))
      return;
    left_ = limits_.out_of_time && limits_.out_of_time() ? 0 : left_ - 1;
    if (left_ == 0)
      return;
    judge(gears, outlook_.spread(gears));
  }
  /// Gears of which this is known.
  void judge(const std::vector<model::Gear>& gears, const model::dependency::Spread& spread) {
    tried_.insert(gears);
    const double value = outlook_.expected(gears, spread);
    if (value < value_) {
      value_ = value;
      best_ = gears;
      spread_ = spread;
    }
  }
  /// One node by a gear up or down, or all nodes of a type, until nothing is better.
  void climb() {
    for (std::vector<model::Gear> from; from != best_ && !best_.empty();) {
      from = best_;
      for (std::size_t n = 0; n < from.size() && best_ == from; ++n)
        for (const int step : {1, -1}) {
          consider(moved(from, step, [n](std::size_t node) { return node == n; }));
          const std::size_t type = predictor_.type(n);
          consider(
              moved(from, step, [&](std::size_t node) { return predictor_.type(node) == type; }));
        }
    }
  }

  [[nodiscard]] const std::vector<model::Gear>& best() const { return best_; }
  [[nodiscard]] const model::dependency::Spread& spread() const { return spread_; }

private:
  template <class Which>
  [[nodiscard]] std::vector<model::Gear> moved(std::vector<model::Gear> gears, int step,
                                               const Which& which) const {
    for (std::size_t n = 0; n < gears.size(); ++n)
      if (which(n) && (step < 0 ? gears[n] > 0 : gears[n] + 1 < predictor_.gear_count(n)))
        gears[n] = step < 0 ? gears[n] - 1 : gears[n] + 1;
    return gears;
  }

  const Outlook& outlook_;
  const Predictor& predictor_;
  std::size_t left_;
  const SearchLimits& limits_;
  std::set<std::vector<model::Gear>> tried_;
  std::vector<model::Gear> best_; ///< empty: none keeps the bounds
  model::dependency::Spread spread_;
  double value_ = unreachable;
};

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
  const Outlook outlook(predictor, request, confidence);
  DependencyPlan result = search.result();
  result.spread = outlook.spread(result.plan.gears);
  if (!result.plan.feasible())
    return result;
  if (request.constraints.max_slowdown)
    tighten(search, outlook, predictor.baseline().time, result);
  // Where energy does not count many plans take as long.
  if (request.constraints.max_slowdown || row_of(request.objective).ignores_energy)
    return result;
  MeanSearch mean(outlook, predictor, limits.most_evaluations / confidence.noise.resamples(),
                  limits);
  mean.judge(std::vector<model::Gear>(result.plan.gears.size(), 0), {.mean = 1, .deviation = 0});
  mean.judge(result.plan.gears, *result.spread);
  constexpr std::size_t candidates = 8;
  for (const auto& gears : search.best(candidates))
    mean.consider(gears);
  mean.climb();
  if (!mean.best().empty() && mean.best() != result.plan.gears) {
    result = search.result(mean.best());
    result.spread = mean.spread();
  }
  if (!confidence.excess.empty())
    outlook.correct(result.plan);
  return result;
}

} // namespace hypermile::select
