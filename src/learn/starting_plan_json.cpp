#include "learn/starting_plan.hpp"

#include "io/json_reader.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace hypermile::learn {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view job_plan_schema = "hypermile/job-plan/1";

ordered_json rank_json(const StartingPlan::Rank& rank) {
  ordered_json outline = ordered_json::array();
  for (const Seconds computed : rank.outline.computation)
    outline.push_back(computed.value());
  ordered_json json{{"node", rank.node},
                    {"type", rank.type},
                    {"gear", rank.gear},
                    {"calls", rank.outline.calls},
                    {"computation_s", rank.outline.total.value()}};
  if (!outline.empty())
    json["computation_after_calls_s"] = std::move(outline);
  return json;
}

StartingPlan::Rank read_rank(const io::JsonReader& at) {
  at.expect_keys({"node", "type", "gear", "calls", "computation_s", "computation_after_calls_s"});
  StartingPlan::Rank rank{
      .node = at.at("node").index(), .type = at.at("type").text(), .gear = at.at("gear").index()};
  rank.outline.calls = at.at("calls").index();
  rank.outline.total = Seconds{at.at("computation_s").not_negative()};
  if (at.has("computation_after_calls_s"))
    for (const io::JsonReader& computed : at.at("computation_after_calls_s").elements())
      rank.outline.computation.emplace_back(computed.not_negative());
  return rank;
}

runtime::PlannedRun read_prediction(const io::JsonReader& at) {
  at.expect_keys({"time_s", "energy_j", "time_in_gear0_s", "energy_in_gear0_j", "slowdown_percent",
                  "saving_percent"});
  runtime::PlannedRun run;
  run.time = Seconds{at.at("time_s").not_negative()};
  run.energy = Joules{at.at("energy_j").not_negative()};
  run.baseline.time = Seconds{at.at("time_in_gear0_s").not_negative()};
  run.baseline.energy = Joules{at.at("energy_in_gear0_j").not_negative()};
  return run;
}

double percent(double ratio) { return 100 * ratio; }

ordered_json prediction_json(const runtime::PlannedRun& run) {
  const bool known = run.baseline.time > Seconds{} && run.baseline.energy > Joules{};
  return {{"time_s", run.time.value()},
          {"energy_j", run.energy.value()},
          {"time_in_gear0_s", run.baseline.time.value()},
          {"energy_in_gear0_j", run.baseline.energy.value()},
          {"slowdown_percent", known ? percent(run.time / run.baseline.time - 1) : 0},
          {"saving_percent", known ? percent(1 - run.energy / run.baseline.energy) : 0}};
}

} // namespace

std::string print_starting_plan(const StartingPlan& plan) {
  ordered_json json{{"schema", job_plan_schema},
                    {"program", plan.program},
                    {"runs", plan.planned.runs},
                    {"objective", plan.objective},
                    {"max_slowdown", nullptr},
                    {"time_model", plan.knows_dependencies ? "dependency" : "cluster"},
                    {"declined", plan.declined},
                    {"predicted", prediction_json(plan.planned)},
                    {"ranks", ordered_json::array()}};
  if (!plan.arguments.empty())
    json["arguments"] = plan.arguments;
  if (plan.max_slowdown)
    json["max_slowdown"] = *plan.max_slowdown;
  for (const StartingPlan::Rank& rank : plan.ranks)
    json["ranks"].push_back(rank_json(rank));
  // Arguments need not be UTF-8.
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

StartingPlan parse_starting_plan(std::string_view text, const std::string& file) {
  const io::JsonReader top(io::parse_json(text, file), file);
  if (!top.has("schema") || top.at("schema").text() != job_plan_schema)
    top.fail(fmt::format("is not of the schema {}", job_plan_schema),
             "a file that 'hypermile plan' wrote");
  top.expect_keys({"schema", "program", "arguments", "runs", "objective", "max_slowdown",
                   "time_model", "declined", "predicted", "ranks"});
  StartingPlan plan;
  plan.program = top.at("program").text();
  if (top.has("arguments"))
    for (const io::JsonReader& argument : top.at("arguments").elements())
      plan.arguments.push_back(argument.text());
  plan.objective = top.at("objective").text();
  if (const auto bound = top.at("max_slowdown"); !bound.is_null())
    plan.max_slowdown = bound.not_negative();
  plan.knows_dependencies = top.at("time_model").text() == "dependency";
  plan.declined = top.at("declined").text();
  plan.planned = read_prediction(top.at("predicted"));
  plan.planned.runs = top.at("runs").index();
  for (const io::JsonReader& rank : top.at("ranks").elements())
    plan.ranks.push_back(read_rank(rank));
  if (plan.ranks.empty())
    top.at("ranks").fail("names no rank");
  return plan;
}

} // namespace hypermile::learn
