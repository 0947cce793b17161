#include "select/path_search.hpp"

#include "select/box_search.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace hypermile::select {
namespace {

using model::dependency::Predictor;

constexpr std::string_view priced_paths = "Theorem 8 (priced paths)";

/// With more nodes, passes that slow down one of them only are better spent otherwise.
constexpr std::size_t most_alone = 32;
constexpr int most_restarts = 1000;

/// Relative; scores nearer than this are equal (times have gone through many sums).
constexpr double equal = 1e-8;

double slowest_scale(const Predictor& predictor, std::size_t node) {
  double slowest = 1;
  for (model::Gear g = 0; g < predictor.gear_count(node); ++g)
    slowest = std::max(slowest, predictor.scale(node, g));
  return slowest;
}

} // namespace

PathSearch::PathSearch(const Predictor& predictor, const Request& request,
                       const SearchLimits& limits)
    : predictor_(predictor), request_(request), score_(predictor.baseline(), request),
      trials_(predictor, score_, limits), climb_(trials_), alone_(predictor.node_count()) {}

void PathSearch::run() {
  (void)trials_.evaluate_with_cut(std::vector<model::Gear>(predictor_.node_count(), 0));
  approach(cluster_plan());
  bound_by_each_node();
  prove();
  if (score_.objective().ignores_energy && !misses_bounds())
    save_energy();
}

void PathSearch::judge_by(const Score& score) {
  score_ = score;
  trials_.judge_by(score);
}

void PathSearch::run_within(Seconds limit) {
  judge_by(Score(predictor_.baseline(), request_).with_time_limit(limit));
  prove();
  if (score_.objective().ignores_energy && !misses_bounds())
    save_energy();
}

DependencyPlan PathSearch::result() const {
  DependencyPlan result{.plan = {},
                        .evaluations = trials_.evaluations(),
                        .paths = trials_.bounds().size(),
                        .boxes = boxes_};
  Plan& plan = result.plan;
  plan.objective = request_.objective;
  plan.gears.assign(trials_.best_gears().begin(), trials_.best_gears().end());
  plan.prediction = trials_.best_prediction();
  plan.certificate = certificate_;
  find_violations(predictor_.baseline(), trials_.peak(plan.gears), request_.constraints, plan);
  return result;
}

DependencyPlan PathSearch::result(const std::vector<model::Gear>& gears) {
  DependencyPlan result = this->result();
  Plan& plan = result.plan;
  const Worth worth = trials_.evaluate(gears);
  plan.gears = gears;
  plan.prediction = trials_.prediction(gears);
  plan.certificate = certificate(worth);
  plan.violations.clear();
  find_violations(predictor_.baseline(), trials_.peak(gears), request_.constraints, plan);
  return result;
}

void PathSearch::prove() {
  proven_ = -unreachable;
  approach(relaxed_plan());
  BoxSearch boxes(trials_, climb_);
  boxes.run();
  boxes_ += boxes.boxes();
  proven_ = std::max(proven_, boxes.proven());
  certificate_ = certificate(trials_.best());
  if (certificate_.kind == Certificate::Kind::exact)
    return;
  climb_again();
  certificate_ = certificate(trials_.best());
}

/// Of the gears that take as long as the best, those of least energy.
void PathSearch::save_energy() {
  const Certificate certificate = certificate_;
  Request cheaper = request_;
  cheaper.objective = Objective::energy;
  const Seconds time = trials_.best_prediction().time * (1 + bound_tolerance);
  judge_by(Score(predictor_.baseline(), cheaper).with_time_limit(time));
  prove();
  certificate_ = certificate;
}

/// Tries gears between gear 0 and these: what a simpler model overdoes, a part of it may do.
void PathSearch::approach(const std::vector<model::Gear>& gears) {
  constexpr int steps = 8;
  for (int step = steps; step > 0 && !trials_.exhausted(); --step) {
    std::vector<model::Gear> part(gears.size(), 0);
    for (std::size_t n = 0; n < gears.size(); ++n) {
      const double most = 1 + (predictor_.scale(n, gears[n]) - 1) * step / steps;
      for (model::Gear g = 0; g < predictor_.gear_count(n); ++g)
        if (predictor_.scale(n, g) <= most)
          part[n] = g;
    }
    (void)trials_.evaluate(part);
  }
}

/// Theorem 8 (b), with both points beyond the slowest gear.
void PathSearch::bound_by_each_node() {
  if (predictor_.node_count() > most_alone)
    return;
  for (std::size_t n = 0; n < predictor_.node_count(); ++n) {
    const double slowest = slowest_scale(predictor_, n);
    std::vector<double> scales(predictor_.node_count(), 1);
    scales[n] = slowest;
    const Seconds at_slowest = trials_.time(scales);
    scales[n] = 2 * slowest;
    std::vector<Seconds> slopes(predictor_.node_count());
    slopes[n] = (trials_.time(scales) - at_slowest) / slowest;
    alone_[n] = {at_slowest - slopes[n] * slowest, slopes[n]};
    trials_.bounds().add(alone_[n].constant, slopes);
  }
}

/// The exact plan of nodes that wait for each other once.
std::vector<model::Gear> PathSearch::cluster_plan() {
  std::vector<Seconds> slowest(predictor_.node_count());
  Seconds longest;
  for (std::size_t n = 0; n < slowest.size(); ++n) {
    for (const std::uint32_t rank : predictor_.ranks(n))
      slowest[n] = std::max(slowest[n], predictor_.dependencies().computation()[rank]);
    longest = std::max(longest, slowest[n]);
  }
  const auto time = [&](std::size_t n, double scale) { return slowest[n] * scale; };
  return sweep(time, std::max(Seconds{}, predictor_.baseline().time - longest)).gears;
}

/// The optimum if every node delayed the program by itself only: none is better.
std::vector<model::Gear> PathSearch::relaxed_plan() {
  const auto time = [&](std::size_t n, double scale) {
    return std::max(predictor_.baseline().time, alone_[n].constant + alone_[n].slope * scale);
  };
  const Plan plan = sweep(time, Seconds{});
  // The peak power of the table is no more than the nodes', so its cap relaxes theirs.
  if (plan.certificate.kind == Certificate::Kind::exact)
    proven_ = score_.monotone().feasible_score(plan.prediction.time, plan.prediction.energy);
  return plan.gears;
}

Plan PathSearch::sweep(const NodeTime& time, Seconds communication) {
  std::vector<model::TableNode> nodes;
  for (std::size_t n = 0; n < predictor_.node_count(); ++n) {
    std::vector<model::MeasuredGear> measured;
    for (model::Gear g = 0; g < predictor_.gear_count(n); ++g) {
      const Seconds t = time(n, predictor_.scale(n, g));
      const Watts waiting = predictor_.waiting(n, g);
      measured.push_back({t, waiting * t + predictor_.computing(n, g), waiting});
    }
    nodes.push_back({predictor_.gears(n), std::move(measured), communication, 0});
  }
  Plan plan;
  exact_.solve(model::table_problem(nodes), score_.monotone(), plan);
  return plan;
}

/// From gears near the best ones, as long as the limits allow.
void PathSearch::climb_again() {
  std::mt19937 engine(trials_.limits().seed);
  for (int i = 0; i < most_restarts && !trials_.exhausted(); ++i) {
    std::vector<model::Gear> gears(trials_.best_gears().begin(), trials_.best_gears().end());
    for (std::size_t left = i == 0 ? 0 : 1 + gears.size() / 4; left > 0; --left) {
      const std::size_t node = engine() % gears.size();
      gears[node] = engine() % predictor_.gear_count(node);
    }
    climb_.run(gears);
  }
}

Certificate PathSearch::certificate(const Worth& chosen) const {
  if (chosen.misses_bounds)
    return proven_ < unreachable ? Certificate{}
                                 : Certificate{Certificate::Kind::exact, 0.0, priced_paths};
  const double time_only = score_(predictor_.baseline().time, Joules{});
  const double gap = std::max(0.0, chosen.value - proven_);
  if (gap <= equal * std::max(std::abs(chosen.value), std::abs(time_only)))
    return {Certificate::Kind::exact, 0.0, priced_paths};
  return {Certificate::Kind::bound, gap, priced_paths};
}

} // namespace hypermile::select
