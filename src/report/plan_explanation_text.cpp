#include "report/plan_explanation.hpp"

#include "report/neighbours.hpp"
#include "units/wrapped.hpp"

#include "io/plan_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hypermile::report {
namespace {

using model::ModelKind;
using model::Problem;
using select::PlanExplanation;

std::string gigahertz(const Problem& problem, const PlanExplanation::Node& node) {
  return fmt::format("{:.3f}", problem.gears(node.unit).frequency(node.gear).value() / 1e9);
}

std::string decisive(const Problem& problem, const PlanExplanation& explanation,
                     const PlanExplanation::Group& group) {
  const auto& node = explanation.nodes[group.slowest];
  return fmt::format("node {}, which computes {:.6g} s in gear {} ({} GHz)", group.slowest,
                     group.computation.value(), node.gear, gigahertz(problem, node));
}

std::string communication(const PlanExplanation::Group& group) {
  return group.communication > Seconds{}
             ? fmt::format(", and {:.6g} s of communication, which no gear changes",
                           group.communication.value())
             : "";
}

/// Who decides the time, where all nodes wait for each other.
std::string one_group(const Problem& problem, const PlanExplanation& explanation) {
  const auto& group = explanation.groups.front();
  const auto also = std::ranges::count_if(explanation.nodes,
                                          [](const auto& node) { return node.slack <= Seconds{}; });
  return wrapped(
      fmt::format("The slowest node decides the time: {}{}.{}",
                  decisive(problem, explanation, group), communication(group),
                  also > 1 ? fmt::format(" {} nodes have no slack: the time falls only if all of "
                                         "them become faster.",
                                         also)
                           : ""));
}

std::string several_groups(const Problem& problem, const PlanExplanation& explanation) {
  const auto& groups = explanation.groups;
  if (problem.kind() != ModelKind::hybrid)
    return wrapped("No node waits for another: the time is the mean computation time of the "
                   "nodes, so every node contributes to it.");
  std::string text = wrapped(
      fmt::format("Clusters do not wait for each other: the time is the mean over all {} clusters.",
                  groups.size()));
  for (std::size_t k = 0; k < std::min(most_lines, groups.size()); ++k)
    text += wrapped(fmt::format("Cluster {}: {:.6g} s, decided by {}{}.", groups[k].cluster,
                                groups[k].time().value(), decisive(problem, explanation, groups[k]),
                                communication(groups[k])));
  return text + more_lines(most_lines, groups.size());
}

std::string slack_table(const Problem& problem, const PlanExplanation& explanation) {
  std::string text = fmt::format("\n{:>6}{:>9}{:>6}{:>9}{:>14}{:>14}{:>10}\n", "node", "cluster",
                                 "gear", "GHz", "computes s", "slack ms", "slack %");
  for (std::size_t n = 0; n < std::min(most_lines, explanation.nodes.size()); ++n) {
    const auto& node = explanation.nodes[n];
    const double time = explanation.groups[node.group].time().value();
    text += fmt::format("{:>6}{:>9}{:>6}{:>9}{:>14.6g}{:>14.4g}{:>10.2f}\n", n,
                        problem.cluster(node.unit), node.gear, gigahertz(problem, node),
                        node.computation.value(), 1e3 * node.slack.value(),
                        time > 0 ? 100 * node.slack.value() / time : 0);
  }
  return text + more_lines(most_lines, explanation.nodes.size());
}

} // namespace

std::string plan_explanation_text(const ExplainedPlan& plan, const Problem& problem,
                                  const PlanExplanation& explanation) {
  std::string text = wrapped(fmt::format(
      "{}: by {} for {}, model {}, {} node{}; problem {}", plan.file,
      select::name_of(plan.request.method), aim_in_words(plan.request), io::name_of(problem.kind()),
      problem.node_count(), problem.node_count() == 1 ? "" : "s", plan.problem));
  if (!plan.remark.empty())
    text += wrapped(plan.remark);
  text += fmt::format(
      "\n{}", wrapped(fmt::format("One iteration takes {}",
                                  figures_in_words(explanation.neighbourhood.present.prediction))));
  text += explanation.groups.size() == 1 ? one_group(problem, explanation)
                                         : several_groups(problem, explanation);
  text += slack_table(problem, explanation);
  std::vector<GearHolder> holders;
  for (std::size_t unit = 0; unit < problem.unit_count(); ++unit)
    holders.push_back({problem.nodes_per_unit() > 1 ? "all nodes" : fmt::format("node {}", unit),
                       explanation.nodes[unit * problem.nodes_per_unit()].gear});
  text += '\n';
  return text + neighbours_text(holders, explanation.neighbourhood, plan.request);
}

} // namespace hypermile::report
