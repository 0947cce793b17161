#include "io/plan_reader.hpp"

#include "io/json_reader.hpp"
#include "units/error.hpp"

#include <fmt/format.h>

namespace hypermile::io {
namespace {

constexpr std::string_view plan_schema = "hypermile/plan/1";

std::vector<model::Gear> read_gear_numbers(const JsonReader& at) {
  if (at.at("schema").text() != plan_schema)
    at.at("schema").fail(fmt::format("is not '{}'", plan_schema),
                         "a plan that 'hypermile select --json' printed");
  at.expect_keys({"schema", "model", "method", "objective", "feasible", "gears", "frequencies_ghz",
                  "time_s", "energy_j", "p_norm", "e_norm", "distance", "certificate",
                  "microseconds", "violations", "tasks", "request", "run"});
  std::vector<model::Gear> gears;
  for (const JsonReader& gear : at.at("gears").elements())
    gears.push_back(gear.index());
  return gears;
}

/// What `known` makes of the name there.
template <class Known> auto read_name(const JsonReader& at, Known known) {
  const std::string name = at.text();
  const auto value = known(name);
  if (!value)
    at.fail(fmt::format("'{}' is not known", name));
  return *value;
}

std::string text_at(const JsonReader& at, std::string_view key) {
  return at.has(key) && !at.at(key).is_null() ? at.at(key).text() : "";
}

template <class Value> std::optional<Value> number_at(const JsonReader& at, std::string_view key) {
  if (!at.has(key) || at.at(key).is_null())
    return std::nullopt;
  return Value{at.at(key).not_negative()};
}

void read_request(const JsonReader& at, StatedPlan& plan) {
  at.expect_keys({"problem", "platform", "workload", "energy_model", "weight", "max_slowdown",
                  "energy_budget_j", "average_power_cap_w", "peak_power_cap_w"});
  plan.source.problem = text_at(at, "problem");
  plan.source.platform = text_at(at, "platform");
  plan.source.workload = text_at(at, "workload");
  plan.source.energy_model = text_at(at, "energy_model");
  plan.request.weight = number_at<double>(at, "weight");
  select::Constraints& bounds = plan.request.constraints;
  bounds.max_slowdown = number_at<double>(at, "max_slowdown");
  bounds.energy_budget = number_at<Joules>(at, "energy_budget_j");
  bounds.average_power_cap = number_at<Watts>(at, "average_power_cap_w");
  bounds.peak_power_cap = number_at<Watts>(at, "peak_power_cap_w");
}

StatedPlan read_plan(const JsonReader& at) {
  StatedPlan plan;
  plan.gears = read_gear_numbers(at);
  plan.request.method = read_name(at.at("method"), select::method_named);
  plan.request.objective = read_name(at.at("objective"), select::objective_named);
  plan.time = Seconds{at.at("time_s").not_negative()};
  plan.energy = Joules{at.at("energy_j").not_negative()};
  plan.is_of_run = at.has("run");
  if (at.has("request"))
    read_request(at.at("request"), plan);
  return plan;
}

/// What `read` makes of the plan, or of each of an array of them.
template <class Read> auto read_all(std::string_view text, const std::string& file, Read read) {
  const JsonReader top(parse_json(text, file), file);
  std::vector<decltype(read(top))> plans;
  if (!top.is_array())
    plans.push_back(read(top));
  else
    for (const JsonReader& plan : top.elements())
      plans.push_back(read(plan));
  return plans;
}

} // namespace

std::vector<std::vector<model::Gear>> parse_plans(std::string_view text, const std::string& file) {
  return read_all(text, file, read_gear_numbers);
}

std::vector<StatedPlan> parse_stated_plans(std::string_view text, const std::string& file) {
  return read_all(text, file, read_plan);
}

std::vector<model::Gear> gears_of_units(const model::Problem& problem,
                                        const std::vector<model::Gear>& gears,
                                        const std::string& name, const std::string& advice) {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::config, fmt::format("{}: {}", name, what), advice);
  };
  if (gears.size() != problem.node_count())
    fail(fmt::format("there are {} gears, and the problem has {} nodes", gears.size(),
                     problem.node_count()));
  std::vector<model::Gear> of_units;
  for (std::size_t node = 0; node < gears.size(); ++node) {
    const std::size_t unit = node / problem.nodes_per_unit();
    if (gears[node] >= problem.gear_count(unit))
      fail(fmt::format("gears[{}]: the node has {} gears, none of them is gear {}", node,
                       problem.gear_count(unit), gears[node]));
    if (node % problem.nodes_per_unit() == 0)
      of_units.push_back(gears[node]);
    else if (gears[node] != of_units.back())
      fail(fmt::format("gears[{}]: all nodes of this problem share a gear", node));
  }
  return of_units;
}

} // namespace hypermile::io
