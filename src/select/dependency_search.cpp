#include "select/dependency_search.hpp"

#include "select/chance_constraint.hpp"
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

/// Tightens the bound on time until the plan's spread keeps the noisy one, as gear 0 does.
void tighten(PathSearch& search, const ChanceConstraint& constraint, Seconds in_gear0,
             DependencyPlan& result) {
  constexpr int most_rounds = 12;
  constexpr double least_slowdown = 1e-6;
  for (int round = 0; round < most_rounds && !constraint.holds(result); ++round) {
    const double slowdown = result.plan.prediction.time / in_gear0 - 1;
    if (slowdown < least_slowdown || search.misses_bounds())
      break;
    search.run_within(in_gear0 * (1 + slowdown * constraint.part(result)));
    result = search.result();
    result.spread = constraint.spread(result.plan.gears);
  }
}

/// The plan where each node keeps this part of its time as a reserve.
std::vector<model::Gear> with_reserve(const Predictor& predictor,
                                      const std::vector<model::Gear>& gears, double reserve) {
  std::vector<model::Gear> careful = gears;
  for (std::size_t n = 0; n < gears.size(); ++n) {
    const double slowest = predictor.scale(n, gears[n]) * (1 - reserve);
    while (careful[n] > 0 && predictor.scale(n, careful[n]) > slowest)
      --careful[n];
  }
  return careful;
}

/// Plans use what slack was recorded, and noise takes some of it. Keeps the smallest reserve with
/// which the bound holds; gear 0 has all.
void keep_reserve(PathSearch& search, const Predictor& predictor,
                  const ChanceConstraint& constraint, DependencyPlan& result) {
  constexpr int steps = 6;
  const std::vector<model::Gear> wanted = result.plan.gears;
  double least = 0;
  double most = 0;
  for (std::size_t n = 0; n < wanted.size(); ++n)
    most = std::max(most, 1 - 1 / predictor.scale(n, wanted[n]));
  std::vector<model::Gear> best(wanted.size(), 0);
  auto spread = constraint.spread(best);
  for (int step = 0; step < steps; ++step) {
    const double middle = 0.5 * (least + most);
    const auto gears = with_reserve(predictor, wanted, middle);
    const auto noisy = constraint.spread(gears);
    const bool holds = constraint.holds(gears, noisy);
    (holds ? most : least) = middle;
    if (holds) {
      best = gears;
      spread = noisy;
    }
  }
  result = search.result(best);
  result.spread = spread;
}

/// Of each type the first node.
std::vector<std::size_t> first_of_types(const Predictor& predictor) {
  std::vector<std::size_t> firsts;
  std::set<std::size_t> known;
  for (std::size_t n = 0; n < predictor.node_count(); ++n)
    if (known.insert(predictor.type(n)).second)
      firsts.push_back(n);
  return firsts;
}

/// Every node in the gear that nodes of its type have on average.
std::vector<model::Gear> averaged_by_type(const Predictor& predictor,
                                          const std::vector<model::Gear>& gears) {
  std::vector<model::Gear> averaged = gears;
  for (const std::size_t first : first_of_types(predictor)) {
    double sum = 0;
    double count = 0;
    const auto each = [&](const auto& doing) {
      for (std::size_t n = 0; n < gears.size(); ++n)
        if (predictor.type(n) == predictor.type(first))
          doing(n);
    };
    each([&](std::size_t n) {
      sum += static_cast<double>(gears[n]);
      count += 1;
    });
    each([&](std::size_t n) { averaged[n] = static_cast<model::Gear>(std::lround(sum / count)); });
  }
  return averaged;
}

/// Looks for the plan that is best in the mean over the noise: a search finds gears that suit what
/// happened to coincide in the recorded iterations.
class MeanSearch {
public:
  MeanSearch(const ChanceConstraint& constraint, const Predictor& predictor, std::size_t most_tries,
             const SearchLimits& limits)
      : constraint_(constraint), predictor_(predictor), left_(most_tries), limits_(limits) {}

  void consider(const std::vector<model::Gear>& gears) {
    if (left_ == 0 || tried_.contains(gears))
      return;
    left_ = limits_.out_of_time && limits_.out_of_time() ? 0 : left_ - 1;
    if (left_ == 0)
      return;
    judge(gears, constraint_.spread(gears));
  }
  /// Gears of which this is known.
  void judge(const std::vector<model::Gear>& gears, const model::dependency::Spread& spread) {
    tried_.insert(gears);
    const double value = constraint_.expected(gears, spread);
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
          move_type_of(n, from, step);
        }
    }
  }
  /// All nodes of a type only.
  void climb_by_type() {
    for (std::vector<model::Gear> from; from != best_ && !best_.empty();) {
      from = best_;
      for (const std::size_t n : first_of_types(predictor_))
        for (const int step : {1, -1})
          move_type_of(n, best_, step);
    }
  }

  [[nodiscard]] const std::vector<model::Gear>& best() const { return best_; }
  [[nodiscard]] const model::dependency::Spread& spread() const { return spread_; }
  [[nodiscard]] double value() const { return value_; }

private:
  void move_type_of(std::size_t n, const std::vector<model::Gear>& from, int step) {
    const std::size_t type = predictor_.type(n);
    consider(moved(from, step, [&](std::size_t node) { return predictor_.type(node) == type; }));
  }
  template <class Which>
  [[nodiscard]] std::vector<model::Gear> moved(std::vector<model::Gear> gears, int step,
                                               const Which& which) const {
    for (std::size_t n = 0; n < gears.size(); ++n)
      if (which(n) && (step < 0 ? gears[n] > 0 : gears[n] + 1 < predictor_.gear_count(n)))
        gears[n] = step < 0 ? gears[n] - 1 : gears[n] + 1;
    return gears;
  }

  const ChanceConstraint& constraint_;
  const Predictor& predictor_;
  std::size_t left_;
  const SearchLimits& limits_;
  std::set<std::vector<model::Gear>> tried_;
  std::vector<model::Gear> best_; ///< empty: none keeps the bounds
  model::dependency::Spread spread_;
  double value_ = unreachable;
};

/// What a plan by node has to gain more than one by type, as a share of the gain, before anything
/// tells whether that is more than noise: nothing where there are few nodes of a type, as then
/// there is little to choose from.
double least_advantage(const Predictor& predictor) {
  constexpr double of_many = 0.3;
  constexpr double few = 4; // nodes of a type
  const auto types = static_cast<double>(first_of_types(predictor).size());
  const auto nodes = static_cast<double>(predictor.node_count());
  return of_many * std::max(0.0, 1 - few * types / nodes);
}

/// Nodes that were fast or slow by chance, and messages that met others by chance, are recorded as
/// if they always did: the more nodes there are, the better a plan for each of them looks on the
/// iterations that it was chosen from. So it has to be better than the one by type on other ones.
bool is_worth_it_by_node(const MeanSearch& by_node, const MeanSearch& by_type, double gear0,
                         const ChanceConstraint& constraint, const Predictor& predictor,
                         const Confidence& confidence) {
  if (!(by_type.value() < unreachable))
    return true;
  if (confidence.by_node_before.size() == predictor.node_count()) {
    const auto spread = constraint.spread(confidence.by_node_before);
    return constraint.expected(confidence.by_node_before, spread) < by_type.value();
  }
  return gear0 - by_type.value() < (gear0 - by_node.value()) * (1 - least_advantage(predictor));
}

/// The best in the mean over the noise that is found, by node or by type.
void choose_in_mean(PathSearch& search, const Predictor& predictor,
                    const ChanceConstraint& constraint, const Confidence& confidence,
                    const SearchLimits& limits, DependencyPlan& result) {
  const std::size_t most_tries = limits.most_evaluations / confidence.noise.resamples();
  const std::vector<model::Gear> gear0(result.plan.gears.size(), 0);
  const model::dependency::Spread unscaled{.mean = 1, .deviation = 0};
  MeanSearch by_type(constraint, predictor, most_tries, limits);
  by_type.judge(gear0, unscaled);
  by_type.consider(averaged_by_type(predictor, result.plan.gears));
  by_type.climb_by_type();
  MeanSearch by_node(constraint, predictor, most_tries, limits);
  by_node.judge(gear0, unscaled);
  by_node.judge(result.plan.gears, *result.spread);
  if (by_type.value() < by_node.value())
    by_node.judge(by_type.best(), by_type.spread());
  constexpr std::size_t candidates = 8;
  for (const auto& gears : search.best(candidates))
    by_node.consider(gears);
  by_node.climb();
  const bool worth_it = is_worth_it_by_node(by_node, by_type, constraint.expected(gear0, unscaled),
                                            constraint, predictor, confidence);
  const MeanSearch& best = worth_it ? by_node : by_type;
  result.by_node = by_node.best();
  if (!best.best().empty() && best.best() != result.plan.gears) {
    std::vector<model::Gear> by_node_gears = std::move(result.by_node);
    result = search.result(best.best());
    result.spread = best.spread();
    result.by_node = std::move(by_node_gears);
  }
}

/// Where energy does not count many plans take as long; under a bound the mean of the time is kept.
bool counts_in_mean(const Request& request) {
  return !request.constraints.max_slowdown && !row_of(request.objective).ignores_energy;
}

DependencyPlan choose_under_noise(PathSearch& search, const Predictor& predictor,
                                  const Request& request, const ChanceConstraint& constraint,
                                  const Confidence& confidence, const SearchLimits& limits) {
  DependencyPlan result = search.result();
  result.spread = constraint.spread(result.plan.gears);
  if (!result.plan.feasible())
    return result;
  if (request.constraints.max_slowdown && !constraint.holds(result)) {
    DependencyPlan reserved = result;
    tighten(search, constraint, predictor.baseline().time, result);
    keep_reserve(search, predictor, constraint, reserved);
    if (constraint.expected(reserved) < constraint.expected(result))
      result = std::move(reserved);
  }
  if (counts_in_mean(request))
    choose_in_mean(search, predictor, constraint, confidence, limits, result);
  return result;
}

/// Takes these gears where they are better; of a search that was cut off, with as much reserve as
/// it takes to keep the bound.
void keep_present(PathSearch& search, const Predictor& predictor,
                  const ChanceConstraint& constraint, std::span<const model::Gear> present,
                  bool cut_off, DependencyPlan& result) {
  const std::vector<model::Gear> gears(present.begin(), present.end());
  if (gears.size() != result.plan.gears.size() || gears == result.plan.gears)
    return;
  DependencyPlan kept = search.result(gears);
  kept.spread = constraint.spread(gears);
  if (cut_off && !constraint.holds(kept))
    keep_reserve(search, predictor, constraint, kept);
  if (constraint.expected(kept) >= constraint.expected(result))
    return;
  kept.by_node = std::move(result.by_node);
  result = std::move(kept);
}

} // namespace

DependencyPlan choose(const Predictor& predictor, const Request& request,
                      const SearchLimits& limits) {
  check(request);
  PathSearch search(predictor, request, limits);
  search.run();
  return search.result();
}

SearchLimits limits_of_about(Seconds time, const Predictor& predictor) {
  constexpr double steps_per_second = 1e8; // what a core does at the least
  // Each try makes the bounds that the next ones are compared with longer, so that the time grows
  // with their square: more than so many per second are not tried, however short the timeline is.
  constexpr double tries_per_second = 1000;
  constexpr double boxes_per_second = 10'000;
  constexpr double comparing_per_second = 1e9;
  const auto steps = static_cast<double>(predictor.dependencies().step_count());
  const double most = std::max(50.0, tries_per_second * time.value());
  SearchLimits limits;
  limits.most_evaluations =
      static_cast<std::size_t>(std::clamp(time.value() * steps_per_second / steps, 50.0, most));
  limits.most_boxes = static_cast<std::size_t>(boxes_per_second * time.value());
  limits.most_comparing = comparing_per_second * time.value();
  return limits;
}

DependencyPlan choose(const Predictor& predictor, const Request& request,
                      const Confidence& confidence, const SearchLimits& limits) {
  check(request);
  if (!(confidence.probability >= 0.5 && confidence.probability < 1))
    throw Error(ErrorKind::config, fmt::format("a confidence of {}", confidence.probability),
                "at least 0.5 and less than 1");
  PathSearch search(predictor, request, limits);
  search.run();
  const ChanceConstraint constraint(predictor, request, confidence);
  DependencyPlan result =
      choose_under_noise(search, predictor, request, constraint, confidence, limits);
  keep_present(search, predictor, constraint, confidence.present,
               limits.out_of_time && limits.out_of_time(), result);
  if (counts_in_mean(request) && !confidence.excess.empty())
    constraint.correct(result.plan);
  return result;
}

} // namespace hypermile::select
