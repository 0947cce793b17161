#include "runtime/decide/dependency_policy.hpp"

#include "model/dependency/assignment.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace hypermile::runtime {
namespace {

/// What is measured may exceed what was predicted by this, besides three standard errors.
constexpr double tolerated_excess = 0.02;
/// Once may be noise. Without a bound there is time to learn what the model does not know.
constexpr std::size_t surprises_with_bound = 1;
constexpr std::size_t surprises_without = 3;

/// Why no gears can be chosen from the events of a program that decides while it runs who does
/// what; empty if it does not, or there are no events.
std::string assignment(const std::vector<Measurement>& all) {
  for (const Measurement& m : all)
    if (m.timeline && model::dependency::assigns_work(*m.timeline))
      return fmt::format(
          "rank {} gives work to whoever asks for it, so that with other gears others "
          "would do it, and no recording tells how long that takes",
          m.rank);
  return "";
}

} // namespace

std::optional<Decision> DependencyPolicy::choose(const std::vector<Measurement>& all,
                                                 const NodeProblem& problem) {
  LearntOfLevel& level = learnt_.level;
  if (level.given_up.empty())
    level.given_up = assignment(all);
  if (!level.given_up.empty() || level.kept || !needs_events(request_, model_) ||
      problem.computation_share < least_computation_share)
    return std::nullopt;
  try {
    auto choice = choose_by_dependencies(all, request_, model_, learnt_.budget, decision_budget_,
                                         level.excess);
    if (!choice)
      return std::nullopt;
    level.expected = {choice->time, choice->computation};
    return std::move(choice->decision);
  } catch (const Error&) { // of events that make no sense: the totals still may
    return std::nullopt;
  }
}

void DependencyPolicy::learn(const std::vector<Measurement>& all, double time_ratio) {
  LearntOfLevel& level = learnt_.level;
  const Decision& last = learnt_.decisions.back();
  const double expected =
      std::max({predicted_time_ratio(last), learnt_.budget.expected(), level.accepted});
  if (time_ratio - expected <= tolerated_excess + 3 * level.gear0_ratio.error(all)) {
    level.surprises = 0;
    level.good = last;
    return;
  }
  learnt_.budget.correct(time_ratio - 1);
  const bool bounded = request_.constraints.max_slowdown.has_value();
  if (!bounded)
    learn_excess(all, time_ratio / expected - 1);
  if (++level.surprises > (bounded ? surprises_with_bound : surprises_without))
    step_back(all, time_ratio);
}

void DependencyPolicy::forget() {
  learnt_.level.surprises = 0;
  for (auto& [type, excess] : learnt_.level.excess)
    excess /= 2;
}

/// Iterations took so much longer than predicted: which nodes' gears do that is not known, so each
/// one's counts by how slow it is.
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
    excess = std::min(excess, most);
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
  const auto baseline = learnt_.gear0.baseline(all).value_or(last.baseline);
  const bool worth_it = measured_distance(all, baseline) > worst_distance;
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
