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
  return plan_to_json(problem, select::choose(problem, {.method = *method_named(method)}), 0.5);
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
