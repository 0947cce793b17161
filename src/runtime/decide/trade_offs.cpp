#include "runtime/decide/trade_offs.hpp"

#include "runtime/decide/node_problem.hpp"
#include "select/objectives.hpp"

#include <algorithm>
#include <optional>

namespace hypermile::runtime {
namespace {

using Bounds = std::vector<std::optional<double>>;

/// By ascending bound, the one without last.
Bounds bounds_with(const std::optional<double>& in_force) {
  std::vector<double> bounds{0, 0.03, 0.05, 0.1};
  if (in_force && std::ranges::find(bounds, *in_force) == bounds.end())
    bounds.push_back(*in_force);
  std::ranges::sort(bounds);
  Bounds all(bounds.begin(), bounds.end());
  all.emplace_back();
  return all;
}

/// By the cluster model, as predict_by_dependencies(). The time of gear 0 that choices refer to may
/// not be that of the model.
std::vector<std::optional<model::Prediction>>
predict_by_means(const ChoiceBasis& basis, const select::Request& request, const Bounds& bounds) {
  const auto problem = model::table_problem(assemble(basis.measurements).table);
  const model::Baseline& in_gear0 = basis.decision.baseline;
  const double reference = in_gear0.time / problem.baseline().time;
  select::Selector selector;
  std::vector<std::optional<model::Prediction>> predictions;
  for (const auto& bound : bounds) {
    select::Request asked = request;
    asked.constraints.max_slowdown = bound;
    if (bound)
      asked.constraints.max_slowdown =
          std::max((1 + basis.budget.aim(*bound)) * reference - 1, 0.0);
    select::Plan plan = selector.choose(problem, asked);
    Decision decision{};
    if (const auto fastest = fastest_under_caps(asked); fastest && !plan.feasible())
      plan = tell_given_up(selector.choose(problem, *fastest), asked, decision);
    if (!decision.violated.empty()) {
      predictions.emplace_back();
      continue;
    }
    const bool stays =
        std::ranges::all_of(plan.gears, [](const model::Gear gear) { return gear == 0; });
    predictions.emplace_back(
        stays ? model::normalised(in_gear0, in_gear0.time, in_gear0.energy)
              : model::normalised(in_gear0, plan.prediction.time, plan.prediction.energy));
  }
  return predictions;
}

/// Whatever keeps a tighter bound keeps this one. `keeps`: whether what is in force keeps its own.
void keep_best(const select::Request& request, bool keeps, std::vector<TradeOff>& rows) {
  const select::ScoreReference reference{.baseline = {Seconds{1}, Joules{1}}};
  const auto score = [&](const TradeOff& row) {
    return select::score_of(request.objective, reference, Seconds{row.time_ratio},
                            Joules{row.energy_ratio});
  };
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (!rows[i].in_force && (keeps || !rows[i - 1].in_force) &&
        score(rows[i - 1]) < score(rows[i])) {
      rows[i].time_ratio = rows[i - 1].time_ratio;
      rows[i].energy_ratio = rows[i - 1].energy_ratio;
    }
}

} // namespace

std::vector<TradeOff> trade_offs(const ChoiceBasis& basis, const Decision& in_force,
                                 const select::Request& request, const TimeModel& model) {
  const auto& bound = request.constraints.max_slowdown;
  if (!select::row_of(request.method).keeps_bounds || !(in_force.prediction.p_norm > 0))
    return {};
  const Bounds bounds = bounds_with(bound);
  Bounds used = bounds;
  for (auto& of_choice : used)
    if (of_choice)
      of_choice = SlowdownBudget::usable(*of_choice);
  const auto predictions =
      basis.decision.time_model == TimeModelKind::dependency
          ? predict_by_dependencies(basis.measurements, request, model, basis.budget, basis.excess,
                                    basis.bias, used)
          : predict_by_means(basis, request, used);
  std::vector<TradeOff> rows;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const bool is_in_force = bounds[i] == bound;
    const auto& p = is_in_force ? std::optional(in_force.prediction) : predictions[i];
    if (p && p->p_norm > 0)
      rows.push_back({bounds[i], 1 / p->p_norm, p->e_norm, is_in_force});
  }
  keep_best(request, in_force.violated.empty(), rows);
  return rows;
}

} // namespace hypermile::runtime
