#include "runtime/decide/chooser.hpp"

#include "runtime/decide/common_loop.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace hypermile::runtime {

std::vector<Message> Chooser::choose(std::vector<Measurement> all, bool changed) {
  believe_leaders(all);
  all = comparable(std::move(all));
  begin_phase(all);
  if (changed)
    begin_level();
  if (!loops_.empty() && !is_of_last_loop(all))
    begin_loop(all);
  const NodeProblem problem = assemble(all);
  judge(all, problem);
  learnt_.decisions.push_back(decide(all, problem));
  loops_.clear();
  for (const Measurement& m : all)
    loops_.push_back(m.loop);
  return orders(all, look_again());
}

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

/// The loop that the last choice was made for, on every rank.
bool Chooser::is_of_last_loop(const std::vector<Measurement>& all) const {
  return std::ranges::equal(all, loops_, {}, &Measurement::loop);
}

std::vector<Message> Chooser::choose_early(const std::vector<EarlyMeasurement>& all) {
  auto decision = before_loop_.choose(all);
  if (!decision)
    return {};
  learnt_.decisions.push_back(std::move(*decision));
  return orders(all, false);
}

/// What the last decision means to each rank; the first rank of a node sets its gear.
template <class OfRank>
std::vector<Message> Chooser::orders(const std::vector<OfRank>& all, bool again) const {
  const Decision& decision = learnt_.decisions.back();
  std::vector<Message> orders;
  std::vector<bool> led(decision.nodes.size(), false);
  for (const OfRank& of_rank : all) {
    const auto found = std::ranges::find(decision.nodes, of_rank.node.name);
    const auto node = static_cast<std::size_t>(found - decision.nodes.begin());
    orders.emplace_back(Order{.gear = decision.gears[node],
                              .set_it = !led[node],
                              .look_again = again,
                              .before_loop = decision.before_loop});
    led[node] = true;
  }
  return orders;
}

Decision Chooser::decide(const std::vector<Measurement>& all, const NodeProblem& problem) {
  if (auto decision = by_dependencies_.choose(all, problem))
    return *decision;
  if (!all.front().of_one_loop && stays_as_it_is(all)) {
    Decision same = learnt_.decisions.back();
    same.measured_time_ratio.reset();
    return same;
  }
  if (by_means_.keeps_account())
    by_means_.spend(all);
  return learnt_.level.kept ? *learnt_.level.kept : by_means_.choose(all, problem);
}

/// Means of different loops say little of each other. Where events, which would, are of too short a
/// time, the gears stay until there are more.
bool Chooser::stays_as_it_is(const std::vector<Measurement>& all) const {
  const LearntOfLevel& level = learnt_.level;
  return level.given_up.empty() && !level.kept && !learnt_.decisions.empty() &&
         !learnt_.decisions.back().before_loop && request_.constraints.none() &&
         std::ranges::all_of(all, [](const Measurement& m) { return m.timeline.has_value(); });
}

/// What was only assumed is soon looked at: how a phase goes in gear 0, whether its first gears do
/// what was expected of them, whether gears that seem to harm really do.
bool Chooser::look_again() {
  LearntOfLevel& level = learnt_.level;
  const Decision& decision = learnt_.decisions.back();
  const bool by_means = decision.time_model == TimeModelKind::cluster;
  const bool tried = sets_a_gear(decision) || !by_means || !by_means_.keeps_account();
  return (by_means && !learnt_.gear0.known()) ||
         (tried && std::exchange(level.first_gears, false)) || level.doubtful || level.look_soon ||
         (level.surprises > 0 && request_.constraints.max_slowdown);
}

void Chooser::begin_phase(const std::vector<Measurement>& all) {
  const std::size_t phase = std::ranges::max(all, {}, &Measurement::phase).phase;
  if (phase == learnt_.phase)
    return;
  learnt_.phase = phase;
  begin_level();
  learnt_.gear0.forget();
  learnt_.unknown_gear0 =
      "the program went on with another loop, which is measured in gear 0 first";
}

/// One around the last, or inside. What was measured in gear 0 may say something of it, too.
void Chooser::begin_loop(const std::vector<Measurement>& all) {
  LearntOfLevel level{.bias = learnt_.level.bias};
  if (learnt_.level.gear0_ratio.extends_to(all))
    level.gear0_ratio = std::move(learnt_.level.gear0_ratio);
  learnt_.level = std::move(level);
}

/// Choices by the means need to know gear 0 only where they have a bound to keep.
void Chooser::begin_level() {
  if (by_means_.keeps_account()) {
    learnt_.gear0.forget();
    learnt_.unknown_gear0 = "the iterations have changed, and are measured in gear 0 first";
  }
  learnt_.level = {};
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
  if (learnt_.decisions.empty() || learnt_.decisions.back().nodes != problem.nodes)
    return false;
  for (std::size_t r = 0; r < all.size(); ++r)
    if (all[r].gear != learnt_.decisions.back().gears[problem.node_of_rank[r]])
      return false;
  return true;
}

void Chooser::judge(const std::vector<Measurement>& all, const NodeProblem& problem) {
  Gear0Ratio& ratio = learnt_.level.gear0_ratio;
  if (all_in_gear0(all)) {
    ratio.learn(all);
    learnt_.gear0.learn(all);
  }
  if (!in_effect(all, problem)) {
    learnt_.budget.expect(std::nullopt); // nobody has tried what it said
    return;
  }
  Decision& last = learnt_.decisions.back();
  if (last.before_loop) // there was nothing to compare with
    return;
  last.measured_time_ratio = ratio.tellable_time_ratio(all);
  const bool by_dependencies = last.time_model == TimeModelKind::dependency;
  auto time_ratio = ratio.time_ratio(all);
  if (by_dependencies && !request_.constraints.max_slowdown && !last.measured_time_ratio)
    time_ratio = ratio_to_basis(all);
  if (!sets_a_gear(last))
    by_dependencies_.forget();
  if (!time_ratio || !sets_a_gear(last) || too_few_to_judge(all))
    return;
  if (by_dependencies)
    by_dependencies_.learn(all, *time_ratio);
  else
    by_means_.learn(all, *time_ratio);
}

void Chooser::conclude(const std::vector<RankReport>& ranks) {
  std::vector<Measurement> all;
  for (const RankReport& rank : ranks) {
    const auto& last = rank.last;
    if (!last || last->phase != learnt_.phase || rank.changes.size() != learnt_.decisions.size())
      return;
    all.push_back(
        {.rank = rank.rank,
         .node = rank.node,
         .phase = last->phase,
         .gear = rank.gear,
         .computation = last->computation,
         .computation_in_gear0 = last->computation / rank.node.type.gears.scale(rank.gear),
         .communication = last->communication,
         .calls = last->calls});
  }
  all = comparable(std::move(all));
  if (in_effect(all, assemble(all)))
    learnt_.decisions.back().measured_time_ratio =
        learnt_.level.gear0_ratio.tellable_time_ratio(all);
}

} // namespace hypermile::runtime
