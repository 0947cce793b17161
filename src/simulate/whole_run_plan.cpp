#include "simulate/whole_run_plan.hpp"

#include "runtime/decide/time_model.hpp"
#include "select/dependency_search.hpp"
#include "select/path_search.hpp"
#include "select/score.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>
#include <thread>

namespace hypermile::simulate {
namespace {

using model::Gear;
using Gears = std::vector<Gear>;

/// What a core does at the least.
constexpr double steps_per_second = 1e8;
constexpr Seconds per_shared_message{2e-6};

/// Each try makes the bounds that the next ones are compared with longer, so that the time grows
/// with their square: more than so many per second are not tried, however short the timeline is.
constexpr double tries_per_second = 1000;
constexpr double boxes_per_second = 10'000;

select::SearchLimits search_limits(const Forecast& forecast, Seconds time) {
  const auto steps = static_cast<double>(forecast.predictor().dependencies().step_count());
  const double most = std::max(50.0, tries_per_second * time.value());
  select::SearchLimits limits;
  limits.most_evaluations =
      static_cast<std::size_t>(std::clamp(time.value() * steps_per_second / steps, 50.0, most));
  limits.most_boxes = static_cast<std::size_t>(boxes_per_second * time.value());
  return limits;
}

/// Local search from the gears that look best with constant costs: one node, or all nodes of a
/// type, a gear up or down.
class SharedSearch {
public:
  SharedSearch(const Forecast& forecast, const select::Request& request, std::size_t evaluations)
      : forecast_(forecast), score_(baseline(forecast), request), left_(evaluations) {}

  static model::Baseline baseline(const Forecast& forecast) {
    const auto [time, energy] = forecast.of(Gears(forecast.predictor().node_count(), 0));
    return {time, energy};
  }

  Gears run(std::vector<Gears> start) {
    consider(start);
    for (bool better = true; better && left_ > 0;)
      better = consider(moves());
    return best_;
  }

private:
  /// Whether one of them is better than all before.
  bool consider(std::vector<Gears> candidates) {
    std::erase_if(candidates, [&](const Gears& gears) { return !tried_.insert(gears).second; });
    candidates.resize(std::min(candidates.size(), left_));
    left_ -= candidates.size();
    const auto scores = evaluate(candidates);
    bool better = false;
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (best_.empty() || scores[i] < best_score_) {
        best_score_ = scores[i];
        best_ = candidates[i];
        better = true;
      }
    return better;
  }

  /// On all cores: a forecast of many ranks takes a second or so.
  std::vector<double> evaluate(const std::vector<Gears>& candidates) const {
    std::vector<double> scores(candidates.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < candidates.size(); i = next++) {
        const auto [time, energy] = forecast_.of(candidates[i]);
        scores[i] = score_.feasible_score(time, energy);
      }
    };
    std::vector<std::jthread> others;
    const std::size_t cores = std::thread::hardware_concurrency();
    for (std::size_t i = 1; i < std::min(cores, candidates.size()); ++i)
      others.emplace_back(work);
    work();
    return scores;
  }

  [[nodiscard]] std::vector<Gears> moves() const {
    std::vector<Gears> all;
    const std::size_t nodes = best_.size();
    for (const int step : {1, -1})
      for (std::size_t n = 0; n < nodes; ++n) {
        add(all, step, [n](std::size_t node) { return node == n; });
        add(all, step, [this, n](std::size_t node) {
          return forecast_.predictor().type(node) == forecast_.predictor().type(n);
        });
      }
    return all;
  }

  template <class Moves> void add(std::vector<Gears>& all, int step, const Moves& moves) const {
    Gears gears = best_;
    for (std::size_t n = 0; n < gears.size(); ++n) {
      const bool last =
          step < 0 ? gears[n] == 0 : gears[n] + 1 == forecast_.predictor().gear_count(n);
      if (moves(n) && !last)
        gears[n] = step < 0 ? gears[n] - 1 : gears[n] + 1;
    }
    all.push_back(std::move(gears));
  }

  const Forecast& forecast_;
  select::Score score_;
  std::size_t left_;
  std::set<Gears> tried_;
  Gears best_;
  double best_score_ = select::unreachable;
};

std::size_t shared_evaluations(const Forecast& forecast, Seconds time) {
  const Seconds one = per_shared_message * static_cast<double>(forecast.shared_messages());
  return static_cast<std::size_t>(std::clamp(time / one, 4.0, 1e4));
}

} // namespace

WholeRunPlan plan_whole_run(const Forecast& forecast, const select::Request& asked,
                            const PlanningLimits& limits) {
  constexpr std::size_t candidates = 12;
  select::Request request = asked;
  if (auto& bound = request.constraints.max_slowdown)
    bound = std::max(0.0, *bound - forecast.network().contention.misfit);
  const auto search = search_limits(forecast, limits.search);
  select::PathSearch paths(forecast.predictor(), request, search);
  paths.run();
  WholeRunPlan plan;
  plan.gears = paths.result().plan.gears;
  const auto fastest = runtime::fastest_under_caps(request);
  if (fastest && !paths.result().plan.feasible()) {
    select::Request any = request; // where a search for the least time finds none in time
    any.constraints.max_slowdown.reset();
    for (const select::Request& capped : {*fastest, any}) {
      select::PathSearch again(forecast.predictor(), capped, search);
      again.run();
      plan.gears = again.result().plan.gears;
      if (again.result().plan.feasible())
        break;
    }
  }
  if (!fastest && forecast.shares_network() && limits.local_search > Seconds{}) {
    SharedSearch shared(forecast, request, shared_evaluations(forecast, limits.local_search));
    auto start = paths.best(candidates);
    start.insert(start.begin(), Gears(plan.gears.size(), 0)); // keeps every bound that can be kept
    start.insert(start.begin(), plan.gears);
    plan.gears = shared.run(std::move(start));
  }
  plan.expected = forecast.of(plan.gears);
  plan.baseline = SharedSearch::baseline(forecast);
  return plan;
}

runtime::NodeProblem totals_of(const runtime::RunReport& unscaled) {
  std::vector<runtime::Measurement> whole;
  for (const auto& rank : unscaled.ranks)
    whole.push_back({.rank = rank.rank,
                     .node = rank.node,
                     .computation = rank.computation,
                     .computation_in_gear0 = rank.computation,
                     .communication = rank.communication,
                     .timeline = std::nullopt});
  return runtime::assemble(whole);
}

std::optional<double> behind_plan(const Simulation& simulation, const SimulatedRun& run) {
  if (!simulation.planned)
    return std::nullopt;
  const auto objective =
      select::objective_named(simulation.objective).value_or(select::Objective::maxdist);
  const SimulatedRun& unscaled = simulation.runs.front();
  const select::ScoreReference reference{.baseline = {unscaled.time, unscaled.energy}};
  const auto simulated = std::ranges::find(simulation.runs, planned_method, &SimulatedRun::method);
  // A forecast is compared with the forecast of the unscaled run.
  const WholeRunPlan& plan = *simulation.planned;
  const double best =
      simulated != simulation.runs.end()
          ? select::score_of(objective, reference, simulated->time, simulated->energy)
          : select::score_of(objective, reference,
                             unscaled.time * (plan.expected.time / plan.baseline.time),
                             unscaled.energy * (plan.expected.energy / plan.baseline.energy));
  return select::score_of(objective, reference, run.time, run.energy) - best;
}

WholeRunPlan plan_by_totals(const runtime::RunReport& unscaled, const select::Request& request) {
  const auto problem = model::table_problem(totals_of(unscaled).table);
  select::Plan chosen = select::choose(problem, request);
  const auto fastest = runtime::fastest_under_caps(request);
  if (fastest && !chosen.feasible())
    chosen = select::choose(problem, *fastest);
  return {.gears = chosen.gears,
          .expected = {chosen.prediction.time, chosen.prediction.energy},
          .baseline = problem.baseline(),
          .time_model = runtime::TimeModelKind::cluster};
}

} // namespace hypermile::simulate
