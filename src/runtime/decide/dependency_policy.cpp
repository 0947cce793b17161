#include "runtime/decide/dependency_policy.hpp"

#include "runtime/decide/common_loop.hpp"
#include "runtime/decide/contention.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace hypermile::runtime {
namespace {

/// What is measured may exceed what was predicted by this, besides three standard errors.
constexpr double tolerated_excess = 0.02;
/// No gear makes iterations shorter: below this they have changed.
constexpr double shorter = 0.99;
/// Once may be noise. Without a bound there is time to learn what the model does not know.
constexpr std::size_t surprises_with_bound = 1;
constexpr std::size_t surprises_without = 3;

/// Few iterations of which one takes far longer than another say little of those to come: what was
/// found may be a part of the loop, with the rest of it in one of them.
bool are_unlike(const std::vector<Measurement>& all) {
  constexpr std::size_t few = 3;
  constexpr double alike = 2;
  std::size_t count = few + 1;
  for (const Measurement& m : all)
    count = std::min(count, m.computations.size());
  if (count < 2 || count > few)
    return false;
  std::vector<Seconds> sums(count);
  for (const Measurement& m : all)
    for (std::size_t i = 0; i < count; ++i)
      sums[i] += m.computations[m.computations.size() - count + i];
  return std::ranges::max(sums) > std::ranges::min(sums) * alike;
}

} // namespace

std::optional<Decision> DependencyPolicy::choose(const std::vector<Measurement>& all,
                                                 const NodeProblem& problem) {
  LearntOfLevel& level = learnt_.level;
  if (level.given_up.empty())
    level.given_up = learnt_.assignment.found();
  if (!level.given_up.empty() || level.kept || !needs_events(request_, model_) ||
      problem.computation_share < least_computation_share)
    return std::nullopt;
  try {
    const bool bounded = request_.constraints.max_slowdown.has_value();
    const bool in_gear0 = all_in_gear0(all);
    KnownBefore known{
        .excess = level.excess, .by_node = level.by_node, .inherited = level.inherited};
    known.present = learnt_.gears_of_phase();
    if (learnt_.left)
      known.left = learnt_.left->by_node;
    Clocked& clocked = known.clocked;
    if (bounded && in_gear0)
      clocked.bias = level.recorded_bias;
    if (bounded && !too_little_to_judge(all))
      clocked.time_ratio = clocked_time_ratio(all);
    if (clocked.time_ratio)
      clocked.error = level.gear0_ratio.error(all);
    auto choice =
        choose_by_dependencies(all, request_, model_, learnt_.budget, decision_budget_, known);
    if (!choice)
      return std::nullopt;
    if (choice->left)
      account_for_misfit(*choice->left, longest_iteration(all));
    constexpr double little = 0.5; // of the bound
    learnt_.short_of_room = bounded && !sets_a_gear(choice->decision) &&
                            learnt_.budget.aim(*request_.constraints.max_slowdown) <
                                little * *request_.constraints.max_slowdown;
    level.by_node = choice->by_node;
    level.basis.reset();
    if (const auto usual = usual_iteration(all);
        usual && !is_contended(all) && !are_of_earlier_gears(all))
      level.basis = {*usual, 1 + choice->slowdown};
    level.tells_bias = in_gear0;
    level.look_soon = false;
    if (const std::string& doubt = learnt_.assignment.doubt(); !doubt.empty()) {
      stay_in_gear0(doubt, choice->decision);
      level.look_soon = true;
    } else if (bounded && are_unlike(all))
      wait_for_like(choice->decision);
    else if (!choice->decision.violated.empty()) // no clock says whether a cap is kept
      return std::move(choice->decision);
    else if (bounded && in_gear0 && !resumes(choice->decision))
      leave_room(choice->decision);
    else if (bounded && !is_contended(all) && !is_confirmed(clocked.time_ratio, choice->slowdown))
      rest_on_clocks(all, clocked.time_ratio, choice->decision);
    return std::move(choice->decision);
  } catch (const Error&) { // of events that make no sense: the totals still may
    return std::nullopt;
  }
}

/// What the gears that were left cost until it was noticed that they no longer fitted. `now`: what
/// they do to the iterations as they are now, which take so long in gear 0.
void DependencyPolicy::account_for_misfit(const model::Prediction& now, Seconds iteration) {
  constexpr double to_notice = 3; // iterations
  const LeftGears& left = *learnt_.left;
  const double time_ratio = 1 / now.p_norm;
  if (time_ratio <= left.time_ratio)
    return;
  const Seconds time = std::min(iteration * time_ratio * to_notice, left.time);
  learnt_.decisions.back().misfit = {time, time_ratio, now.e_norm};
  learnt_.budget.lose(time / left.time_ratio - time / time_ratio);
}

/// None where there is nothing in gear 0 to compare with, or what there is is of other iterations
/// than now.
std::optional<double> DependencyPolicy::clocked_time_ratio(const std::vector<Measurement>& all) {
  Gear0Ratio& reference = learnt_.level.gear0_ratio;
  const auto time_ratio = reference.tellable_time_ratio(all);
  if ((!time_ratio || *time_ratio >= shorter) && !reference.is_outdated(all))
    return time_ratio;
  reference.forget();
  return std::nullopt;
}

void DependencyPolicy::stay_in_gear0(std::string why, Decision& decision) {
  decline(decision, std::move(why));
  learnt_.budget.expect(std::nullopt);
}

/// Iterations that are alike are waited for. What was chosen for a loop inside may go on meanwhile.
void DependencyPolicy::wait_for_like(Decision& decision) {
  const Decision last = learnt_.decisions.empty() ? Decision{} : learnt_.decisions.back();
  const bool of_phase = last.phase == learnt_.phase && !last.before_loop;
  const double left = learnt_.budget.allowed(*request_.constraints.max_slowdown);
  if (!of_phase || !sets_a_gear(last) || predicted_time_ratio(last) - 1 > left)
    return stay_in_gear0("the few iterations that there were differ too much", decision);
  learnt_.budget.expect(std::nullopt);
  decision = last;
  decision.measured_time_ratio.reset();
}

/// The gears that were given up to measure gear 0, where clocks do not tell that they break the
/// bound: they rest on more iterations than what was measured since.
bool DependencyPolicy::resumes(Decision& decision) {
  const auto before = std::exchange(learnt_.level.interrupted, std::nullopt);
  if (!before || are_of_earlier_gears(before->measured))
    return false;
  const Gear0Ratio& reference = learnt_.level.gear0_ratio;
  const auto time_ratio = reference.time_ratio(before->measured);
  const double error = reference.error(before->measured);
  const double left = learnt_.budget.aim(*request_.constraints.max_slowdown);
  if (!time_ratio || *time_ratio < shorter - error || *time_ratio - 1 > left + error ||
      before->decision.prediction.e_norm > decision.prediction.e_norm)
    return false;
  learnt_.budget.expect(std::nullopt);
  decision = before->decision;
  decision.measured_time_ratio.reset();
  learnt_.level.tells_bias = false;
  return true;
}

/// Where gears took longer than predicted by more than the bound, none are safe. They are tried
/// again when that has been forgotten.
void DependencyPolicy::leave_room(Decision& decision) {
  constexpr double kept = 0.8;
  LearntOfLevel& level = learnt_.level;
  const double left = learnt_.budget.aim(*request_.constraints.max_slowdown);
  if (level.recorded_bias <= 1 + left) {
    level.look_soon = level.looked_back > Seconds{} && sets_a_gear(decision);
    return;
  }
  const double more = level.recorded_bias - 1;
  stay_in_gear0(fmt::format("the bound on slowdown leaves no room: {:.1f} % are left of it, and "
                            "gears took {:.1f} % longer than predicted",
                            100 * left, 100 * more),
                decision);
  level.recorded_bias = 1 + kept * more;
}

/// Whether clocks say the same of the present gears as the model: what was recorded in them then
/// tells what others would do.
bool DependencyPolicy::is_confirmed(const std::optional<double>& time_ratio, double slowdown) {
  constexpr double same = 0.015;
  return time_ratio && std::abs(*time_ratio / (1 + slowdown) - 1) <= same;
}

/// The present gears stay as long as they use the bound and keep it; and where they only do not use
/// it, until the run has taken twice as long as it had when gear 0 was last looked at. Otherwise
/// gear 0 is measured again, and gears are chosen from what is recorded in it. Where nothing was
/// decided yet, a node may have refused to leave the gear that the run began in.
void DependencyPolicy::rest_on_clocks(const std::vector<Measurement>& all,
                                      const std::optional<double>& time_ratio, Decision& decision) {
  constexpr double used = 0.5; // of the bound
  LearntOfLevel& level = learnt_.level;
  const double bound = *request_.constraints.max_slowdown;
  const Decision last = learnt_.decisions.empty() ? Decision{} : learnt_.decisions.back();
  const bool soon_again = elapsed_of(all) < 2 * level.looked_back;
  if (time_ratio && last.measured_time_ratio && (*time_ratio - 1 >= used * bound || soon_again) &&
      *time_ratio - 1 <= learnt_.budget.allowed(bound)) {
    learnt_.budget.expect(std::nullopt);
    decision = last;
    decision.measured_time_ratio.reset();
    return;
  }
  if (time_ratio)
    level.looks_in_vain = 0;
  else if (!is_worth_looking_back(all))
    return;
  else
    ++level.looks_in_vain;
  if (sets_a_gear(last)) {
    level.interrupted = LearntOfLevel::Interrupted{last, all, overdue(last, all)};
    for (Measurement& m : level.interrupted->measured)
      m.timeline.reset();
  }
  stay_in_gear0("gear 0 is measured again: a bound is kept against it", decision);
  level.look_soon = true;
  level.looked_back = elapsed_of(all);
}

/// When gear 0 should have been measured; never where the gears were chosen for another loop.
std::optional<Seconds> DependencyPolicy::overdue(const Decision& last,
                                                 const std::vector<Measurement>& all) {
  constexpr double most = 10; // iterations
  constexpr double alike = 2;
  const Seconds iteration = longest_iteration(all);
  const double ratio = last.prediction.time / iteration;
  if (ratio > alike || ratio * alike < 1)
    return std::nullopt;
  return elapsed_of(all) + iteration * most;
}

/// Whether the few iterations that it takes to measure gear 0 are few of all. Where iterations vary
/// too much to be compared, they did not tell anything the last time either.
bool DependencyPolicy::is_worth_looking_back(const std::vector<Measurement>& all) const {
  constexpr double many = 16; // iterations
  constexpr std::size_t most_doublings = 3;
  const LearntOfLevel& level = learnt_.level;
  const double pause = std::exp2(std::min(level.looks_in_vain, most_doublings));
  const Seconds elapsed = elapsed_of(all);
  return elapsed >= many * longest_iteration(all) && elapsed >= pause * level.looked_back;
}

/// The last gears were chosen from what was recorded in gear 0.
void DependencyPolicy::learn_bias(double time_ratio) {
  constexpr double most = 1.3; // no less than 1: what took less time than predicted was luck
  LearntOfLevel& level = learnt_.level;
  if (!std::exchange(level.tells_bias, false))
    return;
  const double bias = time_ratio / predicted_time_ratio(learnt_.decisions.back());
  level.recorded_bias = std::clamp((level.recorded_bias + bias) / 2, 1.0, most);
}

void DependencyPolicy::learn(const std::vector<Measurement>& all, double time_ratio) {
  LearntOfLevel& level = learnt_.level;
  const Decision& last = learnt_.decisions.back();
  const bool bounded = request_.constraints.max_slowdown.has_value();
  if (bounded && last.measured_time_ratio)
    return learn_bias(*last.measured_time_ratio);
  const double expected =
      std::max({predicted_time_ratio(last), learnt_.budget.expected(), level.accepted});
  if (time_ratio - expected <= tolerated_excess + 3 * level.gear0_ratio.error(all)) {
    level.surprises = 0;
    level.good = last;
    if (time_ratio < expected)
      learn_excess(all, time_ratio / expected - 1);
    return;
  }
  learnt_.budget.correct(time_ratio - 1);
  const double surplus = time_ratio / expected - 1;
  if (!bounded && level.surprises > 0) // once may be noise
    learn_excess(all, std::min(surplus, level.surplus));
  level.surplus = surplus;
  if (++level.surprises > (bounded ? surprises_with_bound : surprises_without))
    step_back(all, time_ratio);
}

void DependencyPolicy::forget() {
  learnt_.level.surprises = 0;
  for (auto& [type, excess] : learnt_.level.excess)
    excess /= 2;
}

/// Iterations took so much longer than predicted, or shorter: which nodes' gears do that is not
/// known, so each one's counts by how slow it is.
void DependencyPolicy::learn_excess(const std::vector<Measurement>& all, double surplus) {
  std::map<std::string, double> slowness;
  std::set<std::string> nodes;
  for (const Measurement& m : all)
    if (nodes.insert(m.node.name).second)
      slowness[m.node.type.name] += m.node.type.gears.scale(m.gear) - 1;
  double squares = 0;
  for (const auto& [type, slow] : slowness)
    squares += slow * slow;
  constexpr double gain = 0.7;
  constexpr double most_surplus = 0.2; // what is further off is not the same loop
  constexpr double little = 0.1;       // gears a little slower than gear 0 tell little of others
  constexpr double most = 0.5;
  for (const auto& [type, slow] : slowness) {
    double& excess = learnt_.level.excess[type];
    excess += gain * std::min(surplus, most_surplus) * slow / (squares + little);
    excess = std::clamp(excess, 0.0, most);
  }
}

/// To the last gears that did what was predicted of them. Where there are none, to gear 0, unless
/// the present ones are, as measured, worth having.
void DependencyPolicy::step_back(const std::vector<Measurement>& all, double time_ratio) {
  LearntOfLevel& level = learnt_.level;
  const Decision& last = learnt_.decisions.back();
  const std::string why = fmt::format(
      "measured after they were set, iterations took {:.1f} % longer than in gear 0, where {:.1f} "
      "% were predicted; who does what depends on the gears, or the ranks wait for each other in "
      "ways that the model does not know",
      100 * (time_ratio - 1), 100 * (predicted_time_ratio(last) - 1));
  const bool bounded = request_.constraints.max_slowdown.has_value();
  const bool worth_it = measured_distance(all, time_ratio) > worst_distance;
  level.surprises = 0;
  learnt_.budget.expect(std::nullopt);
  if (!level.kept && level.good && level.good->gears != last.gears) {
    level.kept = level.good;
  } else if (!level.kept && worth_it && !bounded) {
    level.kept = last;
    level.accepted = time_ratio;
  } else {
    level.kept.reset();
    level.given_up = why;
  }
  if (level.kept) {
    level.kept->stepped_back = why;
    level.kept->measured_time_ratio.reset();
  }
}

} // namespace hypermile::runtime
