#include "runtime/decide/chooser.hpp"

#include "runtime/decide/common_loop.hpp"
#include "runtime/decide/contention.hpp"
#include "select/score.hpp"

#include <algorithm>
#include <utility>

namespace hypermile::runtime {
namespace {

select::Request with_reserve(select::Request request) {
  if (auto& bound = request.constraints.max_slowdown)
    bound = SlowdownBudget::usable(*bound);
  return request;
}

} // namespace

Chooser::Chooser(const select::Request& request, TimeModel model)
    : request_(with_reserve(request)), asked_(request.constraints), model_(std::move(model)) {}

std::vector<Message> Chooser::choose(std::vector<Measurement> all, bool changed, Seconds pause) {
  locate(all);
  believe_leaders(all);
  if (uncoupled_.takes(all))
    return choose_uncoupled(all, changed);
  by_dependencies_.begin(elapsed_of(all));
  all = comparable(std::move(all));
  const bool is_back = begin_phase(all) && !changed;
  learnt_.left.reset();
  if (changed) {
    account_for_left(all);
    begin_level();
  }
  if (!loops_.empty() && !is_back && !is_of_last_loop(all))
    begin_loop(all);
  learn_sensitivity(all);
  const NodeProblem problem = assemble(all);
  judge(all, problem);
  if (asked_.average_power_cap) {
    account_.enter(all);
    request_.constraints.average_power_cap = account_.allowed(*asked_.average_power_cap);
  }
  const auto as_then = is_back ? as_before(all) : std::nullopt;
  learnt_.decisions.push_back(
      without_beaten(within_caps(as_then ? *as_then : decide(all, problem), problem)));
  learnt_.decisions.back().phase = learnt_.phase;
  forgive_making_up(learnt_.decisions.back());
  loops_.clear();
  for (const Measurement& m : all)
    loops_.push_back(m.loop);
  note_amounts(all);
  expect_news(all, pause);
  const bool again = look_again();
  keep_basis(std::move(all));
  by_dependencies_.end();
  return orders(again);
}

std::vector<Message> Chooser::choose_uncoupled(const std::vector<Measurement>& all, bool changed) {
  const bool same_loop = loops_.empty() || is_of_last_loop(all);
  if (phases_.enter(all, learnt_) != PhaseMemory::Entry::none || changed || !same_loop)
    uncoupled_.forget();
  const bool in_gears = in_effect(all, parts_of(all, TimeModelKind::hybrid).nodes);
  if (all_in_gear0(all) || in_gears) {
    const auto time_ratio = uncoupled_.learn(all);
    if (in_gears && is_uncoupled(learnt_.decisions.back().time_model))
      learnt_.decisions.back().measured_time_ratio = time_ratio;
  }
  const bool again = uncoupled_.looks_again();
  learnt_.decisions.push_back(without_beaten(uncoupled_.choose(all)));
  learnt_.decisions.back().phase = learnt_.phase;
  loops_.clear();
  for (const Measurement& m : all)
    loops_.push_back(m.loop);
  by_events_.clear();
  basis_.reset();
  return orders(again);
}

/// What is known of it is taken into account in all that follows. Programs whose work changes by
/// itself would teach what is wrong, and so would time that others had the cores, and iterations
/// that were only divided to match those of another rank's loop.
void Chooser::learn_sensitivity(std::vector<Measurement>& all) {
  if (!model_.learns_sensitivity || model_.repetition.adaptive || model_.repetition.every)
    return;
  if (is_contended(all) || !all.front().of_one_loop || are_of_earlier_gears(all))
    learnt_.level.sensitivity.pass_over(all);
  else
    learnt_.level.sensitivity.learn(all);
  learnt_.level.sensitivity.apply(all, asked_.max_slowdown.has_value());
}

std::vector<LearntSensitivity> Chooser::sensitivities() const {
  auto learnt = learnt_.level.sensitivity.report(model_.functions);
  for (LearntSensitivity& each : learnt)
    each.phase = learnt_.phase;
  return learnt;
}

/// Half of the time until now is what ranks take to measure again.
void Chooser::expect_news(const std::vector<Measurement>& all, Seconds pause) {
  constexpr double most = 10; // iterations
  const Seconds now = elapsed_of(all);
  news_ = {.overdue = now + std::max(now, pause * 2) + longest_iteration(all) * most,
           .own = own_time_of(all)};
}

/// What the loops held whose events the last gears were chosen from.
void Chooser::note_amounts(const std::vector<Measurement>& all) {
  const Decision& last = learnt_.decisions.back();
  if (last.time_model != TimeModelKind::dependency || !last.declined.empty())
    return by_events_.clear();
  if (!std::ranges::all_of(all, [](const Measurement& m) { return m.timeline.has_value(); }))
    return;
  by_events_.clear();
  for (const Measurement& m : all)
    by_events_.push_back({m.calls, m.computation_in_gear0});
}

/// Of a choice that was made before, and only kept, what it rested on then.
void Chooser::keep_basis(std::vector<Measurement> all) {
  const Decision& last = learnt_.decisions.back();
  if (!model_.tells_trade_offs || !last.declined.empty() ||
      (basis_ && basis_->decision.prediction.time == last.prediction.time &&
       basis_->decision.gears == last.gears))
    return;
  if (sets_a_gear(last) || !basis_ || !sets_a_gear(basis_->decision))
    basis_ = {.decision = last,
              .measurements = std::move(all),
              .budget = learnt_.budget,
              .excess = learnt_.level.excess,
              .bias = learnt_.level.tells_bias ? learnt_.level.recorded_bias : 1};
}

/// The loop that the last choice was made for, on every rank.
bool Chooser::is_of_last_loop(const std::vector<Measurement>& all) const {
  return std::ranges::equal(all, loops_, {}, &Measurement::loop);
}

std::vector<Message> Chooser::choose_early(const std::vector<EarlyMeasurement>& all) {
  auto decision = before_loop_.choose(all);
  if (!decision)
    return {};
  locate(all);
  learnt_.decisions.push_back(without_beaten(std::move(*decision)));
  return orders(false);
}

std::vector<Message> Chooser::end_look(Seconds elapsed) {
  auto& interrupted = learnt_.level.interrupted;
  if (!interrupted || !interrupted->overdue || elapsed < *interrupted->overdue ||
      sets_a_gear(learnt_.decisions.back()))
    return {};
  learnt_.decisions.push_back(std::move(interrupted->decision));
  learnt_.decisions.back().measured_time_ratio.reset();
  learnt_.decisions.back().phase = learnt_.phase;
  interrupted.reset();
  learnt_.level.look_soon = false;
  return orders(false);
}

std::vector<Message> Chooser::end_unheard(Seconds elapsed) {
  const auto& bound = request_.constraints.max_slowdown;
  if (!bound || !news_ || elapsed < news_->overdue || !sets_a_gear(learnt_.decisions.back()))
    return {};
  // What they cost is not known either.
  const double slowdown = predicted_time_ratio(learnt_.decisions.back()) - 1;
  learnt_.budget.spend(elapsed, std::max(slowdown, *bound), news_->own);
  news_.reset();
  Decision decision = last_again();
  decision.stepped_back.clear();
  decline(decision, "nothing was heard for long of what the last gears came to: the program does "
                    "something else, or some ranks no longer find their loop");
  learnt_.decisions.push_back(std::move(decision));
  learnt_.budget.expect(std::nullopt);
  return orders(false);
}

template <class OfRank> void Chooser::locate(const std::vector<OfRank>& all) {
  node_of_rank_.clear();
  for (const OfRank& of_rank : all)
    node_of_rank_.push_back(of_rank.node.name);
}

/// Methods that go by speed alone may choose a gear that another one beats. What was predicted is
/// of that gear: the other one does no worse.
Decision Chooser::without_beaten(Decision decision) const {
  for (std::size_t n = 0; n < decision.nodes.size(); ++n) {
    const auto of_node = beaten_.find(decision.nodes[n]);
    if (of_node != beaten_.end() && decision.gears[n] < of_node->second.size())
      decision.gears[n] = of_node->second[decision.gears[n]].value_or(decision.gears[n]);
  }
  return decision;
}

/// What the last decision means to each rank; the first rank of a node sets its gear.
std::vector<Message> Chooser::orders(bool again) const {
  const Decision& decision = learnt_.decisions.back();
  std::vector<Message> orders;
  std::vector<bool> led(decision.nodes.size(), false);
  for (const std::string& name : node_of_rank_) {
    const auto found = std::ranges::find(decision.nodes, name);
    const auto node = static_cast<std::size_t>(found - decision.nodes.begin());
    orders.emplace_back(GearOrder{.gear = decision.gears[node],
                                  .set_it = !led[node],
                                  .look_again = again,
                                  .before_loop = decision.before_loop,
                                  .any_gear = sets_a_gear(decision)});
    led[node] = true;
  }
  return orders;
}

Decision Chooser::decide(const std::vector<Measurement>& all, const NodeProblem& problem) {
  learnt_.assignment.learn(all);
  const bool knows_events = !uncoupled_.found_timing();
  if (auto decision = knows_events ? by_dependencies_.choose(all, problem) : std::nullopt)
    return *decision;
  if (by_means_.keeps_account())
    by_means_.spend(all);
  const bool means_tell = problem.computation_share >= least_computation_share;
  if (knows_events && may_go_on() &&
      ((!all.front().of_one_loop && stays_as_it_is(all)) ||
       (means_tell && repeats_known_loop(all)))) {
    learnt_.budget.expect(std::nullopt);
    return go_on();
  }
  if (may_stay(all))
    return last_again();
  return learnt_.level.kept ? *learnt_.level.kept : by_means_.choose(all, problem);
}

/// A look at gear 0 for the dependency model is short, and made up for.
Decision Chooser::within_caps(Decision decision, const NodeProblem& nodes) {
  const auto& [average, peak] =
      std::pair{request_.constraints.average_power_cap, request_.constraints.peak_power_cap};
  const bool looks = learnt_.level.look_soon && decision.time_model == TimeModelKind::dependency &&
                     !sets_a_gear(decision);
  if ((!average && !peak) || looks || decision.prediction.time <= Seconds{})
    return decision;
  const model::Problem problem = model::table_problem(nodes.table);
  constexpr double rounding = 1 + 1e-9;
  const bool kept =
      (!average || decision.prediction.energy <= *average * decision.prediction.time * rounding) &&
      (!peak || select::peak_power(problem, decision.gears) <= *peak * rounding);
  return kept ? decision : by_means_.keep_caps(nodes, decision);
}

/// A cap that only less power than it would break, to make up for more before, can be kept.
void Chooser::forgive_making_up(Decision& decision) const {
  const auto& average = asked_.average_power_cap;
  const bool peak_kept = !asked_.peak_power_cap;
  if (average && peak_kept && decision.prediction.energy <= *average * decision.prediction.time)
    std::erase(decision.violated, cap_given_up);
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

bool Chooser::begin_phase(const std::vector<Measurement>& all) {
  const auto entry = phases_.enter(all, learnt_);
  if (entry == PhaseMemory::Entry::first)
    learnt_.unknown_gear0 =
        "the program went on with another loop, which is measured in gear 0 first";
  return entry == PhaseMemory::Entry::again;
}

/// One around the last, or inside. What was measured in gear 0 may say something of it, too.
void Chooser::begin_loop(const std::vector<Measurement>& all) {
  LearntOfLevel level{.bias = learnt_.level.bias, .inherited = learnt_.gears_of_phase()};
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

} // namespace hypermile::runtime
