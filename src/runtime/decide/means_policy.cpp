#include "runtime/decide/means_policy.hpp"

#include "estimate/normal.hpp"
#include "runtime/decide/contention.hpp"
#include "runtime/decide/time_model.hpp"
#include "select/dependency_search.hpp"
#include "select/methods.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hypermile::runtime {
namespace {

/// Once gears have been set, the model's own time for gear 0 holds waiting that they cause.
void refer_to(const model::Baseline& baseline, Decision& decision) {
  decision.baseline = baseline;
  model::Prediction& p = decision.prediction;
  if (std::ranges::all_of(decision.gears, [](model::Gear gear) { return gear == 0; })) {
    p = {baseline.time, baseline.energy, 1, 1, 0};
    return;
  }
  p.p_norm = baseline.time / p.time;
  p.e_norm = p.energy / baseline.energy;
  p.distance = p.p_norm - p.e_norm;
}

/// Why gears that were set before must be given up; empty if they need not, as far as is known.
std::string disappointment(const std::vector<Measurement>& all, const Gear0Ratio& gear0) {
  const auto time_ratio = gear0.time_ratio(all);
  const double distance = time_ratio ? measured_distance(all, *time_ratio) : 0;
  if (distance + gear0.error(all) >= -worst_distance)
    return "";
  return fmt::format("measured after they were set, the gears cost more than they save (distance "
                     "{:.1f} points); the ranks wait for each other in ways that the model does "
                     "not know",
                     100 * distance);
}

/// Nodes that compute for so much longer, but for no longer than the slowest: gears that are chosen
/// for these leave slack for what the means do not tell.
std::vector<model::TableNode> with_margin(std::vector<model::TableNode> nodes, double margin) {
  const auto computation = [](const model::TableNode& node) { return node.measured.front().time; };
  const Seconds slowest = computation(*std::ranges::max_element(nodes, {}, computation));
  for (model::TableNode& node : nodes) {
    if (computation(node) <= Seconds{})
      continue;
    const double more = std::min(1 + margin, slowest / computation(node));
    for (model::MeasuredGear& gear : node.measured)
      gear.time = gear.time * more;
  }
  return nodes;
}

void take(const select::Plan& plan, Decision& decision) {
  decision.gears = plan.gears;
  decision.prediction = plan.prediction;
  decision.exact = plan.certificate.kind == select::Certificate::Kind::exact;
  decision.gap = plan.certificate.gap;
}

} // namespace

bool MeansPolicy::keeps_account() const {
  return select::row_of(request_.method).keeps_bounds && request_.constraints.max_slowdown;
}

void MeansPolicy::spend(const std::vector<Measurement>& all) {
  const Seconds elapsed = elapsed_of(all);
  const LearntOfLevel& level = learnt_.level;
  const bool in_gear0 = all_in_gear0(all) || learnt_.decisions.empty();
  const double otherwise =
      in_gear0 ? 1 : predicted_time_ratio(learnt_.decisions.back()) + level.bias.value();
  // The bound is kept by the clock: more work is believed once gear 0 has shown it.
  const auto clocked =
      is_contended(all) ? std::nullopt : level.gear0_ratio.time_ratio_of_same_work(all);
  learnt_.budget.spend(elapsed, clocked.value_or(otherwise) - 1, own_time_of(all));
}

void MeansPolicy::learn(const std::vector<Measurement>& all, double time_ratio) {
  LearntOfLevel& level = learnt_.level;
  level.bias.learn(time_ratio - predicted_time_ratio(learnt_.decisions.back()),
                   level.gear0_ratio.error(all));
}

/// The mean of hardly any iterations may be that of unusual ones, and who gives out work may have
/// given as much to all.
std::string MeansPolicy::objection(const std::vector<Measurement>& all) const {
  constexpr std::size_t enough = 3;
  const bool few =
      std::ranges::any_of(all, [](const Measurement& m) { return m.measured_iterations < enough; });
  if (!learnt_.level.given_up.empty())
    return learnt_.level.given_up;
  if (!keeps_account() || !few)
    return learnt_.assignment.doubt();
  return "too few iterations have been measured for a choice that keeps a bound";
}

Decision MeansPolicy::choose(const std::vector<Measurement>& all, const NodeProblem& problem) {
  LearntOfLevel& level = learnt_.level;
  level.look_soon = level.given_up.empty() && !objection(all).empty();
  if (all_in_gear0(all))
    return decide(problem, objection(all));
  const auto baseline = learnt_.gear0.baseline(all);
  if (!baseline)
    return decide(problem, level.given_up.empty() ? learnt_.unknown_gear0 : level.given_up);
  if (level.given_up.empty() && !too_little_to_judge(all)) {
    const std::string reason = disappointment(all, level.gear0_ratio);
    if (level.doubtful)
      level.given_up = reason;
    level.doubtful = !reason.empty() && level.given_up.empty();
  }
  Decision decision = decide(problem, objection(all), baseline);
  refer_to(*baseline, decision);
  return decision;
}

Decision MeansPolicy::decide(const NodeProblem& nodes, const std::string& objection,
                             const std::optional<model::Baseline>& in_gear0) {
  const model::Problem problem = model::table_problem(nodes.table);
  const double reference = in_gear0 ? in_gear0->time / problem.baseline().time : 1;
  Decision decision;
  decision.nodes = nodes.nodes;
  decision.gears.assign(nodes.nodes.size(), 0);
  decision.baseline = problem.baseline();
  select::Request request = request_;
  decision.declined = nodes.computation_share < least_computation_share
                          ? "the ranks hardly compute in this loop"
                          : objection;
  Room room;
  double margin = 0;
  if (keeps_account() && decision.declined.empty()) {
    room = room_left();
    const double sure = room.left - room.bias - room.unsure;
    double& bound = *request.constraints.max_slowdown;
    bound = (1 + sure) * reference - 1;
    // From gear 0, what the slowest node does not need is there however long it takes.
    if (bound < 0 && !in_gear0 && room.left >= room.bias)
      margin = -std::exchange(bound, 0);
    if (bound < 0)
      decision.declined = tell_no_room(room);
  }
  if (!decision.declined.empty()) {
    decision.prediction = model::predict(problem, decision.gears);
    return decision;
  }
  try {
    if (margin > 0) {
      const model::Problem careful = model::table_problem(with_margin(nodes.table, margin));
      take(plan(careful, request, decision), decision);
      decision.prediction = model::predict(problem, decision.gears);
      if (!sets_a_gear(decision))
        decline(decision, tell_no_room(room));
    } else {
      choose_gears(nodes, problem, request, decision);
    }
  } catch (const Error& error) { // the program is not to blame, and runs on
    decision.declined = error.what();
    decision.prediction = model::predict(problem, decision.gears);
  }
  return decision;
}

void MeansPolicy::choose_gears(const NodeProblem& nodes, const model::Problem& problem,
                               const select::Request& request, Decision& decision) {
  const select::MethodRow& method = select::row_of(request.method);
  if (method.models.contain(problem.kind()))
    return take(plan(problem, request, decision), decision);
  auto cluster = model::homogeneous_cluster(nodes.table);
  if (!cluster)
    throw Error(ErrorKind::model, fmt::format("the method {} is for nodes that are alike, and "
                                              "these differ in their gears or their power",
                                              method.name));
  // The method may have frequencies of its own for each node, and an energy that is not theirs.
  const select::Plan& chosen =
      selector_.choose(model::homogeneous_problem(std::move(*cluster)), request);
  decision.gears = chosen.tasks->gears;
  decision.prediction = model::predict(problem, decision.gears);
}

const select::Plan& MeansPolicy::plan(const model::Problem& problem, const select::Request& request,
                                      Decision& decision) {
  const select::Plan& asked = selector_.choose(problem, request);
  const auto fastest = fastest_under_caps(request);
  return asked.feasible() || !fastest
             ? asked
             : tell_given_up(selector_.choose(problem, *fastest), request, decision);
}

Decision MeansPolicy::keep_caps(const NodeProblem& nodes, const Decision& instead_of) {
  const model::Problem problem = model::table_problem(nodes.table);
  Decision decision;
  decision.nodes = nodes.nodes;
  decision.baseline = problem.baseline();
  try {
    take(
        tell_given_up(selector_.choose(problem, *fastest_under_caps(request_)), request_, decision),
        decision);
  } catch (const Error&) { // the caps cannot be kept by what is known
    return instead_of;
  }
  learnt_.budget.expect(std::nullopt);
  return decision;
}

MeansPolicy::Room MeansPolicy::room_left() const {
  const LearntOfLevel& level = learnt_.level;
  return {.left = learnt_.budget.aim(*request_.constraints.max_slowdown),
          .bias = level.bias.value(),
          .unsure = estimate::normal_quantile(confidence_) * level.gear0_ratio.reference_error()};
}

std::string MeansPolicy::tell_no_room(const Room& room) {
  learnt_.level.bias.relax();
  return fmt::format("the bound on slowdown leaves no room: {:.1f} % are left of it, {:.1f} % more "
                     "were measured than predicted, and gear 0 is known to {:.1f} %",
                     100 * room.left, 100 * room.bias, 100 * room.unsure);
}

} // namespace hypermile::runtime
