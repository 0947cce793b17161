#include "select/dependency_search.hpp"

#include "select/box_search.hpp"
#include "select/climb.hpp"
#include "select/exact.hpp"
#include "select/trials.hpp"
#include "units/error.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace hypermile::select {
namespace {

using model::dependency::Predictor;

/// With more nodes, passes that slow down one of them only are better spent otherwise.
constexpr std::size_t most_alone = 32;

constexpr std::string_view theorem = "Theorem 8 (priced paths)";

/// How long a node makes the program in each gear, as a table problem.
using NodeTime = std::function<Seconds(std::size_t node, double scale)>;

std::vector<model::TableNode> table(const Predictor& predictor, const NodeTime& time,
                                    Seconds communication) {
  std::vector<model::TableNode> nodes;
  for (std::size_t n = 0; n < predictor.node_count(); ++n) {
    std::vector<model::MeasuredGear> measured;
    for (model::Gear g = 0; g < predictor.gear_count(n); ++g) {
      const Seconds t = time(n, predictor.scale(n, g));
      const Watts waiting = predictor.waiting(n, g);
      measured.push_back({t, waiting * t + predictor.computing(n, g), waiting});
    }
    nodes.push_back({predictor.gears(n), std::move(measured), communication, 0});
  }
  return nodes;
}

class Search {
public:
  Search(const Predictor& predictor, const Score& score, const SearchLimits& limits)
      : predictor_(predictor), score_(score), trials_(predictor, score, limits), climb_(trials_) {}

  void run() {
    (void)trials_.attempt(std::vector<model::Gear>(predictor_.node_count(), 0));
    approach(cluster_plan());
    bound_by_each_node();
    approach(relaxed_plan());
    BoxSearch boxes(trials_, climb_);
    boxes.run();
    looked_at_ = boxes.boxes();
    proven_ = std::max(relaxed_score_, boxes.proven());
    if (proven_ < trials_.best().value)
      climb_again();
  }

  [[nodiscard]] DependencyPlan result(const Request& request) const {
    DependencyPlan result{.plan = {},
                          .evaluations = trials_.evaluations(),
                          .paths = trials_.bounds().size(),
                          .boxes = looked_at_};
    Plan& plan = result.plan;
    plan.objective = request.objective;
    plan.gears.assign(trials_.best_gears().begin(), trials_.best_gears().end());
    plan.prediction = trials_.best_prediction();
    plan.certificate = certificate();
    find_violations(predictor_.baseline(), trials_.peak(plan.gears), request.constraints, plan);
    return result;
  }

private:
  /// Gears between gear 0 and these: what a simpler model overdoes, a part of it may do.
  void approach(const std::vector<model::Gear>& gears) {
    constexpr int steps = 8;
    for (int step = steps; step > 0 && !trials_.exhausted(); --step) {
      std::vector<model::Gear> part(gears.size(), 0);
      for (std::size_t n = 0; n < gears.size(); ++n) {
        const double most = 1 + (predictor_.scale(n, gears[n]) - 1) * step / steps;
        for (model::Gear g = 0; g < predictor_.gear_count(n); ++g)
          if (predictor_.scale(n, g) <= most)
            part[n] = g;
      }
      (void)trials_.glance(part);
    }
  }

  /// T never falls with S and is convex, so the line through two points of it lies below it
  /// outside them. Both are taken beyond the slowest gear, with the other nodes in gear 0.
  void bound_by_each_node() {
    own_slopes_.assign(predictor_.node_count(), Seconds{});
    own_constants_.assign(predictor_.node_count(), Seconds{});
    if (predictor_.node_count() > most_alone)
      return;
    for (std::size_t n = 0; n < predictor_.node_count(); ++n) {
      double slowest = 1;
      for (model::Gear g = 0; g < predictor_.gear_count(n); ++g)
        slowest = std::max(slowest, predictor_.scale(n, g));
      std::vector<double> scales(predictor_.node_count(), 1);
      scales[n] = slowest;
      const Seconds at_slowest = trials_.time(scales);
      scales[n] = 2 * slowest;
      std::vector<Seconds> slopes(predictor_.node_count());
      slopes[n] = (trials_.time(scales) - at_slowest) / slowest;
      trials_.bounds().add(at_slowest - slopes[n] * slowest, slopes);
      own_slopes_[n] = slopes[n];
      own_constants_[n] = at_slowest - slopes[n] * slowest;
    }
  }

  /// The exact plan of nodes that wait for each other once.
  [[nodiscard]] std::vector<model::Gear> cluster_plan() {
    std::vector<Seconds> slowest(predictor_.node_count());
    Seconds longest;
    for (std::size_t n = 0; n < slowest.size(); ++n) {
      for (const std::uint32_t rank : predictor_.ranks(n))
        slowest[n] = std::max(slowest[n], predictor_.dependencies().computation()[rank]);
      longest = std::max(longest, slowest[n]);
    }
    const Seconds communication = std::max(Seconds{}, predictor_.baseline().time - longest);
    return sweep(table(
                     predictor_, [&](std::size_t n, double scale) { return slowest[n] * scale; },
                     communication))
        .gears;
  }

  /// The optimum if every node delayed the program by itself only: none is better.
  [[nodiscard]] std::vector<model::Gear> relaxed_plan() {
    const Plan plan = sweep(table(
        predictor_,
        [&](std::size_t n, double scale) {
          return std::max(predictor_.baseline().time, own_constants_[n] + own_slopes_[n] * scale);
        },
        Seconds{}));
    // The peak power of the table is no more than the nodes', so its cap relaxes theirs.
    if (plan.certificate.kind == Certificate::Kind::exact)
      relaxed_score_ =
          score_.monotone().feasible_score(plan.prediction.time, plan.prediction.energy);
    return plan.gears;
  }

  [[nodiscard]] Plan sweep(const std::vector<model::TableNode>& nodes) {
    Plan plan;
    exact_.solve(model::table_problem(nodes), score_.monotone(), plan);
    return plan;
  }

  /// From gears near the best ones, as long as the limits allow.
  void climb_again() {
    std::mt19937 engine(trials_.limits().seed);
    constexpr int most_restarts = 1000;
    for (int i = 0; i < most_restarts && !trials_.exhausted(); ++i) {
      std::vector<model::Gear> gears(trials_.best_gears().begin(), trials_.best_gears().end());
      for (std::size_t left = 1 + gears.size() / 4; left > 0; --left) {
        const std::size_t node = engine() % gears.size();
        gears[node] = engine() % predictor_.gear_count(node);
      }
      climb_.run(gears);
    }
  }

  [[nodiscard]] Certificate certificate() const {
    const Worth& best = trials_.best();
    if (best.misses_bounds)
      return proven_ < unreachable ? Certificate{}
                                   : Certificate{Certificate::Kind::exact, 0.0, theorem};
    // Times have gone through many sums: scores nearer than this are equal.
    constexpr double equal = 1e-8;
    const double time_only = score_(predictor_.baseline().time, Joules{});
    const double gap = std::max(0.0, best.value - proven_);
    if (gap <= equal * std::max(std::abs(best.value), std::abs(time_only)))
      return {Certificate::Kind::exact, 0.0, theorem};
    return {Certificate::Kind::bound, gap, theorem};
  }

  const Predictor& predictor_;
  const Score& score_;
  Trials trials_;
  Climb climb_;
  ExactSolver exact_;
  std::vector<Seconds> own_slopes_;
  std::vector<Seconds> own_constants_;
  double relaxed_score_ = -unreachable;
  double proven_ = -unreachable;
  std::size_t looked_at_ = 0;
};

DependencyPlan solve(const Predictor& predictor, const Request& request, const Score& score,
                     const SearchLimits& limits) {
  Search search(predictor, score, limits);
  search.run();
  return search.result(request);
}

} // namespace

DependencyPlan choose(const Predictor& predictor, const Request& request,
                      const SearchLimits& limits) {
  if (request.method != Method::exact)
    throw Error(ErrorKind::model, "this method knows no dependencies between ranks", "exact");
  const Score score(predictor.baseline(), request);
  DependencyPlan result = solve(predictor, request, score, limits);
  if (request.objective != Objective::time || !result.plan.feasible())
    return result;
  // Among the plans that take as long, the one of least energy.
  Request cheaper = request;
  cheaper.objective = Objective::energy;
  const Seconds time = result.plan.prediction.time * (1 + bound_tolerance);
  const Score energy = Score(predictor.baseline(), cheaper).with_time_limit(time);
  const DependencyPlan least = solve(predictor, request, energy, limits);
  const model::Prediction& predicted = least.plan.prediction;
  if (least.plan.feasible() && predicted.time <= time &&
      predicted.energy < result.plan.prediction.energy) {
    result.plan.gears = least.plan.gears;
    result.plan.prediction = predicted;
  }
  result.evaluations += least.evaluations;
  result.boxes += least.boxes;
  return result;
}

} // namespace hypermile::select
