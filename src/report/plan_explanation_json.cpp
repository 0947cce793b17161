#include "report/plan_explanation.hpp"

#include "report/neighbours.hpp"

#include "io/plan_json.hpp"

#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

using nlohmann::ordered_json;

ordered_json groups_json(const select::PlanExplanation& explanation) {
  ordered_json groups = ordered_json::array();
  for (const auto& group : explanation.groups)
    groups.push_back({{"cluster", group.cluster},
                      {"slowest_node", group.slowest},
                      {"time_s", group.time().value()},
                      {"computing_s", group.computation.value()},
                      {"communication_s", group.communication.value()}});
  return groups;
}

} // namespace

std::string plan_explanation_json(const ExplainedPlan& plan, const model::Problem& problem,
                                  const select::PlanExplanation& explanation) {
  const select::Neighbourhood& around = explanation.neighbourhood;
  ordered_json json{{"schema", "hypermile/explanation/1"},
                    {"of", "plan"},
                    {"plan", plan.file},
                    {"problem", plan.problem},
                    {"model", io::name_of(problem.kind())},
                    {"method", select::name_of(plan.request.method)},
                    {"remark", plan.remark}};
  add_aim_and_figures(plan.request, around, json);
  json["baseline"] = {{"time_s", problem.baseline().time.value()},
                      {"energy_j", problem.baseline().energy.value()}};
  json["groups"] = groups_json(explanation);
  json["nodes"] = ordered_json::array();
  for (const auto& node : explanation.nodes)
    json["nodes"].push_back(
        {{"group", node.group},
         {"gear", node.gear},
         {"frequency_ghz", problem.gears(node.unit).frequency(node.gear).value() / 1e9},
         {"computing_s", node.computation.value()},
         {"slack_s", node.slack.value()},
         {"faster", neighbour_json(around.units[node.unit].faster)},
         {"slower", neighbour_json(around.units[node.unit].slower)}});
  json["better"] = nullptr;
  if (const auto found = best(around))
    json["better"] = {{"node", found->unit * problem.nodes_per_unit()},
                      {"gear", found->neighbour.gear}};
  return json.dump(2) + "\n";
}

} // namespace hypermile::report
