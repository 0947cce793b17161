#include "io/plan_json.hpp"
#include "io/plan_reader.hpp"
#include "io/problem_json.hpp"
#include "select/selector.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hypermile::io {
namespace {

using Gears = std::vector<model::Gear>;

nlohmann::ordered_json printed_plan(const std::string& method) {
  const auto problem = parse_problem(
      R"({"model": "cluster", "nodes": [
          {"gears_ghz": [2, 1.5, 1], "tcp_s": 1, "tcm_s": 0.1, "pd_w": 20, "ps_w": 4},
          {"gears_ghz": [2, 1.5, 1], "tcp_s": 0.4, "tcm_s": 0.7, "pd_w": 20, "ps_w": 4}]})",
      "problem");
  return plan_to_json(problem, select::choose(problem, {.method = *select::method_named(method)}),
                      0.5);
}

TEST(parse_plans, reads_what_select_prints) {
  const auto json = printed_plan("exact");
  const auto plans = parse_plans(json.dump(2), "plan.json");
  ASSERT_EQ(plans.size(), 1u);
  EXPECT_EQ(plans[0], json["gears"].get<Gears>());
  EXPECT_EQ(plans[0].size(), 2u);
}

TEST(parse_plans, reads_every_plan_of_a_comparison) {
  const auto array = nlohmann::ordered_json::array({printed_plan("exact"), printed_plan("alg5")});
  EXPECT_EQ(parse_plans(array.dump(), "plans.json").size(), 2u);
}

TEST(parse_stated_plans, reads_what_was_asked_for) {
  auto json = printed_plan("exact");
  select::Request request{.objective = select::Objective::maxdist, .weight = 0.25};
  request.constraints.max_slowdown = 0.05;
  request.constraints.energy_budget = Joules{500};
  json["request"] = request_to_json(
      {.problem = "-", .platform = "p", .workload = "w.yaml", .energy_model = ""}, request);
  const auto plan = parse_stated_plans(json.dump(2), "plan.json").at(0);
  EXPECT_EQ(plan.gears, json["gears"].get<Gears>());
  EXPECT_EQ(plan.request.method, select::Method::exact);
  EXPECT_EQ(plan.request.objective, select::Objective::maxdist);
  EXPECT_EQ(plan.time.value(), json["time_s"].get<double>());
  EXPECT_EQ(plan.energy.value(), json["energy_j"].get<double>());
  EXPECT_EQ(plan.source.problem, ""); // standard input cannot be read again
  EXPECT_EQ(plan.source.platform, "p");
  EXPECT_EQ(plan.source.workload, "w.yaml");
  EXPECT_EQ(plan.request.weight, 0.25);
  EXPECT_EQ(plan.request.constraints.max_slowdown, 0.05);
  EXPECT_EQ(plan.request.constraints.energy_budget, Joules{500});
  EXPECT_FALSE(plan.request.constraints.peak_power_cap);
}

TEST(parse_stated_plans, reads_plans_that_do_not_say_what_was_asked_for) {
  const auto plan = parse_stated_plans(printed_plan("alg5").dump(), "plan.json").at(0);
  EXPECT_EQ(plan.request.method, select::Method::alg5);
  EXPECT_EQ(plan.source.problem, "");
  EXPECT_TRUE(plan.request.constraints.none());
}

TEST(parse_stated_plans, refuses_what_it_does_not_know_with_its_place) {
  auto json = printed_plan("exact");
  const auto message = [&] {
    try {
      (void)parse_stated_plans(json.dump(), "p");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  json["request"] = {{"max_slowdown", "5%"}};
  EXPECT_TRUE(message().starts_with("p: request.max_slowdown: ")) << message();
  json["request"] = {{"bound", 1}};
  EXPECT_TRUE(message().starts_with("p: request: unknown key 'bound'")) << message();
  json.erase("request");
  json["method"] = "magic";
  EXPECT_TRUE(message().starts_with("p: method: 'magic' is not known")) << message();
  json.erase("method");
  EXPECT_TRUE(message().starts_with("p: the key 'method' is missing")) << message();
}

TEST(parse_plans, refuses_anything_else_with_file_and_place) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "p: line 1"},
      {"7", "p: 7 is not an object"},
      {"[]", "p: an array is not an array with at least one element"},
      {"{}", "p: the key 'schema' is missing"},
      {R"({"schema": "hypermile/front/1", "gears": [0]})", "p: schema: "},
      {R"({"schema": "hypermile/plan/1"})", "p: the key 'gears' is missing"},
      {R"({"schema": "hypermile/plan/1", "gear": [0]})", "p: unknown key 'gear'"},
      {R"({"schema": "hypermile/plan/1", "gears": []})", "p: gears: "},
      {R"([{"schema": "hypermile/plan/1", "gears": [0, -1]}])", "p: [0].gears[1]: -1"},
      {R"({"schema": "hypermile/plan/1", "gears": [0.5]})", "p: gears[0]: 0.5"}};
  for (const auto& [text, begin] : cases) {
    try {
      (void)parse_plans(text, "p");
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).rfind(begin, 0), 0u) << error.what();
    }
  }
}

} // namespace
} // namespace hypermile::io
