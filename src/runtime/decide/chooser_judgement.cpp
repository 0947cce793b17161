// What came of the choices that were made.

#include "runtime/decide/chooser.hpp"

#include "runtime/decide/common_loop.hpp"
#include "runtime/decide/contention.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hypermile::runtime {

/// Where gear 0 was never measured, or hardly: against what the model makes of the iterations that
/// the last choice rests on, were there as much to do as then.
std::optional<double> Chooser::ratio_to_basis(const std::vector<Measurement>& all) const {
  const auto& basis = learnt_.level.basis;
  const auto now = usual_iteration(all);
  if (!basis || !now || !is_of_last_loop(all))
    return std::nullopt;
  const auto& then = basis->iteration;
  const double work = now->computation / then.computation;
  return basis->time_ratio * (now->time / then.time) / (work > 0 ? work : 1);
}

void Chooser::believe_leaders(std::vector<Measurement>& all) const {
  if (learnt_.decisions.empty())
    return;
  const Decision& last = learnt_.decisions.back();
  for (std::size_t node = 0; node < last.nodes.size(); ++node) {
    const auto on_node = [&](const Measurement& m) { return m.node.name == last.nodes[node]; };
    const auto leader = std::ranges::find_if(all, on_node);
    if (leader == all.end() || leader->gear == last.gears[node])
      continue;
    for (auto m = std::next(leader); m != all.end(); ++m)
      if (on_node(*m) && m->gear == last.gears[node]) {
        m->gear = leader->gear;
        const double scale = m->node.type.gears.scale(m->gear);
        m->computation_in_gear0 = m->computation / scale;
        if (m->timeline)
          m->timeline->scale = scale;
      }
  }
}

bool Chooser::in_effect(const std::vector<Measurement>& all, const NodeProblem& problem) const {
  if (are_of_earlier_gears(all) || learnt_.decisions.empty() ||
      learnt_.decisions.back().nodes != problem.nodes ||
      learnt_.decisions.back().phase != learnt_.phase)
    return false;
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].gear != learnt_.decisions.back().gears[problem.node_of_rank[r]])
      return false;
  return true;
}

void Chooser::judge(const std::vector<Measurement>& all, const NodeProblem& problem) {
  Gear0Ratio& ratio = learnt_.level.gear0_ratio;
  const bool contended = is_contended(all);
  if (all_in_gear0(all)) {
    if (!contended)
      ratio.learn(all);
    if (!contended || !learnt_.gear0.known()) // which takes the least that ranks communicate
      learnt_.gear0.learn(all);
  }
  if (!in_effect(all, problem)) {
    learnt_.budget.expect(std::nullopt); // nobody has tried what it said
    return;
  }
  Decision& last = learnt_.decisions.back();
  if (last.before_loop) // there was nothing to compare with
    return;
  last.measured_time_ratio = contended ? std::nullopt : ratio.tellable_time_ratio(all);
  const bool by_dependencies = last.time_model == TimeModelKind::dependency;
  auto time_ratio = ratio.time_ratio(all);
  if (by_dependencies && !request_.constraints.max_slowdown && !last.measured_time_ratio)
    time_ratio = ratio_to_basis(all);
  if (!by_dependencies && by_means_.keeps_account())
    time_ratio = ratio.time_ratio_of_same_work(all);
  if (!sets_a_gear(last))
    by_dependencies_.forget();
  if (!time_ratio || !sets_a_gear(last) || too_little_to_judge(all))
    return;
  if (by_dependencies)
    by_dependencies_.learn(all, *time_ratio);
  else
    by_means_.learn(all, *time_ratio);
}

/// What was measured since was measured in gear 0, to which ranks went back by themselves.
void Chooser::account_for_left(const std::vector<Measurement>& all) {
  if (!request_.constraints.max_slowdown || !all_in_gear0(all) || learnt_.decisions.empty())
    return;
  const Decision& last = learnt_.decisions.back();
  Seconds measured;
  for (const Measurement& m : all)
    measured = std::max(measured, (m.computation + m.communication) *
                                      static_cast<double>(m.measured_iterations));
  const Seconds until = elapsed_of(all) - measured;
  if (!sets_a_gear(last) || last.before_loop || until <= learnt_.budget.elapsed())
    return;
  learnt_.left = {.by_node = last.gears,
                  .time_ratio = predicted_time_ratio(last),
                  .time = until - learnt_.budget.elapsed()};
  learnt_.budget.spend(until, learnt_.left->time_ratio - 1, own_time_of(all));
}

void Chooser::conclude(const std::vector<RankReport>& ranks) {
  std::vector<Measurement> all;
  for (const RankReport& rank : ranks) {
    const auto& last = rank.last;
    if (!last || !phases_.is_in(learnt_.phase, all.size(), last->phase) ||
        rank.changes.size() != learnt_.decisions.size())
      return;
    const double sensitivity = learnt_.level.sensitivity.of_rank(
        static_cast<std::size_t>(rank.rank), asked_.max_slowdown.has_value());
    all.push_back(
        {.rank = rank.rank,
         .node = rank.node,
         .phase = last->phase,
         .gear = rank.gear,
         .computation = last->computation,
         .computation_in_gear0 =
             last->computation / model::stretch(rank.node.type.gears.scale(rank.gear), sensitivity),
         .communication = last->communication,
         .calls = last->calls,
         .stolen = last->stolen,
         .sensitivity = sensitivity});
  }
  if (!learnt_.decisions.empty() && is_uncoupled(learnt_.decisions.back().time_model)) {
    if (in_effect(all, parts_of(all, TimeModelKind::hybrid).nodes) && !is_contended(all))
      learnt_.decisions.back().measured_time_ratio = uncoupled_.learn(all);
    return;
  }
  all = comparable(std::move(all));
  if (in_effect(all, assemble(all)) && !is_contended(all))
    learnt_.decisions.back().measured_time_ratio =
        learnt_.level.gear0_ratio.tellable_time_ratio(all);
}

/// As the report does it: the last gears other than 0 are what was predicted.
const Decision& Chooser::in_force() const {
  const auto last = std::find_if(learnt_.decisions.rbegin(), learnt_.decisions.rend(), sets_a_gear);
  return last == learnt_.decisions.rend() ? basis_->decision : *last;
}

std::vector<TradeOff> Chooser::trade_offs() const {
  if (!basis_)
    return {};
  select::Request request = request_;
  request.constraints.max_slowdown = asked_.max_slowdown;
  return runtime::trade_offs(*basis_, in_force(), request, model_);
}

std::optional<LoopExample> Chooser::example() const {
  return basis_ ? loop_example(*basis_, in_force(), model_) : std::nullopt;
}

} // namespace hypermile::runtime
