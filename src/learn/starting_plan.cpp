#include "learn/starting_plan.hpp"

#include "learn/condensed.hpp"
#include "model/dependency/assignment.hpp"
#include "runtime/decide/node_problem.hpp"
#include "runtime/decide/time_model.hpp"
#include "select/dependency_search.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace hypermile::learn {
namespace {

namespace dependency = model::dependency;

/// Of a bound on slowdown; the rest is for what the next run does otherwise.
constexpr double used_of_bound = 0.85;
struct Chosen {
  std::vector<model::Gear> gears; ///< by node
  model::Baseline baseline;
  model::Prediction prediction;
};

Chosen chosen_of(const select::Plan& plan, const model::Baseline& baseline) {
  return {plan.gears, baseline, plan.prediction};
}

Chosen by_dependencies(const model::Timeline& timeline, const std::vector<dependency::Node>& nodes,
                       const select::Request& request, const dependency::Protocol& assumed,
                       Seconds think) {
  const dependency::Dependencies dependencies(timeline, assumed);
  const dependency::Predictor predictor(dependencies, nodes);
  const auto begin = std::chrono::steady_clock::now();
  select::SearchLimits limits;
  limits.out_of_time = [begin, think] {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return Seconds{passed.count()} >= think;
  };
  select::Plan plan = select::choose(predictor, request, limits).plan;
  const auto fastest = runtime::fastest_under_caps(request);
  if (fastest && !plan.feasible())
    plan = select::choose(predictor, *fastest, limits).plan;
  return chosen_of(plan, predictor.baseline());
}

Chosen by_totals(const std::vector<runtime::RankReport>& ranks, const select::Request& request) {
  std::vector<runtime::Measurement> whole;
  for (const auto& rank : ranks)
    whole.push_back({.rank = rank.rank,
                     .node = rank.node,
                     .computation = rank.lesson->outline.total,
                     .computation_in_gear0 = rank.lesson->outline.total,
                     .communication = rank.communication,
                     .timeline = std::nullopt});
  const auto problem = model::table_problem(runtime::assemble(whole).table);
  select::Plan plan = select::choose(problem, request);
  const auto fastest = runtime::fastest_under_caps(request);
  if (fastest && !plan.feasible())
    plan = select::choose(problem, *fastest);
  return chosen_of(plan, problem.baseline());
}

/// The number of its node, by rank.
std::vector<std::size_t> node_of_rank(const std::vector<runtime::RankNode>& nodes) {
  std::map<std::string, std::size_t> numbers;
  std::vector<std::size_t> of_rank;
  for (const runtime::RankNode& node : nodes)
    of_rank.push_back(numbers.emplace(node.name, numbers.size()).first->second);
  return of_rank;
}

StartingPlan blank_plan(const Memory& memory, const select::Request& request) {
  StartingPlan plan{.program = memory.identity.program,
                    .arguments = memory.identity.arguments,
                    .objective = std::string(select::name_of(request.objective)),
                    .max_slowdown = request.constraints.max_slowdown,
                    .planned = {},
                    .declined = {},
                    .ranks = {}};
  plan.planned.runs = memory.runs;
  const auto nodes = node_of_rank(memory.identity.nodes);
  for (std::size_t r = 0; r < nodes.size(); ++r)
    plan.ranks.push_back({.node = nodes[r],
                          .type = memory.ranks[r].node.type.name,
                          .outline = memory.ranks[r].lesson->outline});
  return plan;
}

bool assigns_work(const Memory& memory) {
  return std::ranges::any_of(memory.ranks, [](const auto& rank) {
    return dependency::assigns_work(rank.lesson->timeline);
  });
}

} // namespace

StartingPlan make_plan(const Memory& memory, const select::Request& asked,
                       const dependency::Protocol& assumed, Seconds think) {
  StartingPlan plan = blank_plan(memory, asked);
  if (assigns_work(memory)) {
    plan.declined = "the program gives work to whichever rank asks for it, so that other gears "
                    "would change which rank does what";
    return plan;
  }
  select::Request request = asked;
  if (auto& bound = request.constraints.max_slowdown)
    *bound *= used_of_bound;
  const auto timeline =
      select::row_of(request.method).knows_dependencies ? condensed(memory) : std::nullopt;
  plan.knows_dependencies = timeline.has_value();
  const Chosen chosen = timeline ? by_dependencies(*timeline, runtime::nodes_of(memory.ranks),
                                                   request, assumed, think)
                                 : by_totals(memory.ranks, request);
  plan.planned.baseline = chosen.baseline;
  plan.planned.time = chosen.prediction.time;
  plan.planned.energy = chosen.prediction.energy;
  for (StartingPlan::Rank& rank : plan.ranks)
    rank.gear = chosen.gears[rank.node];
  return plan;
}

std::string mismatch(const StartingPlan& plan, const Identity& identity) {
  if (plan.program != identity.program || plan.arguments != identity.arguments)
    return fmt::format("it is for '{}', and this is '{}'",
                       command_of({plan.program, plan.arguments, {}}), command_of(identity));
  if (plan.ranks.size() != identity.nodes.size())
    return fmt::format("it is for {} ranks, and there are {}", plan.ranks.size(),
                       identity.nodes.size());
  const auto nodes = node_of_rank(identity.nodes);
  for (std::size_t r = 0; r < nodes.size(); ++r) {
    const model::NodeType& type = identity.nodes[r].type;
    if (plan.ranks[r].node != nodes[r])
      return fmt::format("rank {} is on another node than in the plan", r);
    if (plan.ranks[r].type != type.name || plan.ranks[r].gear >= type.gears.size())
      return fmt::format("rank {} is on a node of type {} with {} gears, and should be on one of "
                         "type {} in gear {}",
                         r, type.name, type.gears.size(), plan.ranks[r].type, plan.ranks[r].gear);
  }
  return "";
}

} // namespace hypermile::learn
