#include "simulate/whole_run_plan.hpp"

#include "runtime/decide/time_model.hpp"
#include "select/objectives.hpp"
#include "select/path_search.hpp"
#include "select/score.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace hypermile::simulate {
namespace {

using model::Gear;
using Gears = std::vector<Gear>;

/// The best gears of the model and, where they keep the bounds, those that look best after them.
std::vector<Gears> search_gears(const Forecast& forecast, const select::Request& request,
                                Seconds time, std::size_t most) {
  const auto limits = select::limits_of_about(time, forecast.predictor());
  select::PathSearch paths(forecast.predictor(), request, limits);
  paths.run();
  std::vector<Gears> found{paths.result().plan.gears};
  const auto fastest = runtime::fastest_under_caps(request);
  if (!fastest || paths.result().plan.feasible()) {
    for (Gears& gears : paths.best(most))
      if (gears != found.front())
        found.push_back(std::move(gears));
    return found;
  }
  select::Request any = request; // where a search for the least time finds none in time
  any.constraints.max_slowdown.reset();
  for (const select::Request& capped : {*fastest, any}) {
    select::PathSearch again(forecast.predictor(), capped, limits);
    again.run();
    found = {again.result().plan.gears};
    if (again.result().plan.feasible())
      break;
  }
  return found;
}

constexpr std::size_t rounds = 3;
/// A forecast that is closer than this to the run shows that the model knows what matters.
constexpr double well_known = 5e-4;

/// Rounds of search and repetition.
class Confirmation {
public:
  Confirmation(const model::Baseline& unscaled, const select::Request& request, Seconds search,
               const Repeat& repeat)
      : unscaled_(unscaled), request_(request), search_(search), repeat_(repeat),
        score_(unscaled, request) {}

  WholeRunPlan run(const Forecast& first) {
    const Gears gear0(first.predictor().node_count(), 0);
    consider(gear0, {unscaled_.time, unscaled_.energy});
    std::optional<Forecast> later;
    for (std::size_t round = 0; round < rounds; ++round) {
      const Forecast& forecast = later ? *later : first;
      const auto candidates = new_gears(forecast);
      if (candidates.empty())
        break;
      const auto runs = repeat_(candidates);
      repetitions_ += runs.size();
      const std::size_t best = best_of(candidates, runs);
      if (!later && best == 0 && is_well_known(forecast, candidates.front(), runs.front()))
        break;
      later.emplace(runs[best].forecast());
    }
    return plan();
  }

private:
  /// The gears of a few runs that have not been made yet, those of the model's plan first.
  std::vector<Gears> new_gears(const Forecast& forecast) const {
    select::Request request = request_;
    const Seconds forecast_of_gear0 = forecast.predictor().baseline().time;
    if (auto& bound = request.constraints.max_slowdown)
      bound = std::max(0.0, (1 + *bound) * (unscaled_.time / forecast_of_gear0) - 1);
    constexpr std::size_t in_a_round = most_repetitions / rounds;
    auto found = search_gears(forecast, request, search_, known_.size() + in_a_round);
    std::erase_if(found, [&](const Gears& gears) { return known_.contains(gears); });
    found.resize(std::min(found.size(), in_a_round));
    return found;
  }

  /// Which of the runs is; the first where none keeps the bounds.
  std::size_t best_of(const std::vector<Gears>& gears, const std::vector<RunInGears>& runs) {
    std::size_t best = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      consider(gears[i], runs[i].took);
      if (score_of(runs[i].took) < score_of(runs[best].took))
        best = i;
    }
    return best;
  }

  void consider(const Gears& gears, const Expectation& took) {
    known_.emplace(gears, took);
    if (best_ == nullptr || score_of(took) < score_of(known_.at(*best_)))
      best_ = &known_.find(gears)->first;
  }

  [[nodiscard]] double score_of(const Expectation& took) const {
    return score_.feasible_score(took.time, took.energy);
  }

  [[nodiscard]] bool is_well_known(const Forecast& forecast, const Gears& gears,
                                   const RunInGears& run) const {
    const double error = forecast.of(gears).time / run.took.time - 1;
    return std::abs(error) < well_known && score_of(run.took) < select::unreachable;
  }

  [[nodiscard]] WholeRunPlan plan() const {
    return {.gears = *best_,
            .expected = known_.at(*best_),
            .baseline = unscaled_,
            .repetitions = repetitions_};
  }

  model::Baseline unscaled_;
  const select::Request& request_;
  Seconds search_;
  const Repeat& repeat_;
  select::Score score_;
  std::map<Gears, Expectation> known_;
  const Gears* best_ = nullptr;
  std::size_t repetitions_ = 0;
};

} // namespace

select::Request request_of(const Experiment& experiment) {
  select::Request request;
  request.objective =
      select::objective_named(experiment.objective).value_or(select::Objective::maxdist);
  request.constraints.max_slowdown = experiment.max_slowdown;
  request.constraints.average_power_cap = experiment.power_caps.average;
  request.constraints.peak_power_cap = experiment.power_caps.peak;
  return request;
}

select::DependencyPlan choose_whole_run(const Forecast& forecast, const select::Request& request,
                                        Seconds search) {
  return select::choose(forecast.predictor(), request,
                        select::limits_of_about(search, forecast.predictor()));
}

WholeRunPlan plan_whole_run(const Forecast& forecast, const select::Request& request,
                            Seconds search) {
  WholeRunPlan plan;
  plan.gears = search_gears(forecast, request, search, 0).front();
  plan.expected = forecast.of(plan.gears);
  plan.baseline = forecast.predictor().baseline();
  return plan;
}

WholeRunPlan plan_by_repetition(const Forecast& forecast, const model::Baseline& unscaled,
                                const select::Request& request, Seconds search,
                                const Repeat& repeat) {
  return Confirmation(unscaled, request, search, repeat).run(forecast);
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
  const auto simulated = std::ranges::find(simulation.runs, planned_method, &SimulatedRun::method);
  if (simulated == simulation.runs.end() && runtime::is_uncoupled(run.report))
    return std::nullopt;
  const select::ScoreReference reference{.baseline = {unscaled.time, unscaled.energy}};
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
