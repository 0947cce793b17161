#include "io/problem_json.hpp"
#include "io/refusal.hpp"

#include <gtest/gtest.h>

namespace hypermile::io {
namespace {

std::string node(const std::string& override_key = "", const std::string& value = "") {
  std::string text = "{";
  for (const auto& [key, normal] : {std::pair<std::string, std::string>{"gears_ghz", "[2.0, 1.0]"},
                                    {"tcp_s", "1.5"},
                                    {"tcm_s", "0.5"},
                                    {"pd_w", "20"},
                                    {"ps_w", "4"},
                                    {"cluster", "0"}})
    text += '"' + key + "\": " + (key == override_key ? value : normal) + ", ";
  text.resize(text.size() - 2);
  return text + "}";
}

std::string problem(const std::string& nodes, const std::string& model = "cluster") {
  return R"({"model": ")" + model + R"(", "nodes": [)" + nodes + "]}";
}

void expect_problem_refused(const std::string& text, const std::string& message) {
  SCOPED_TRACE(text.substr(0, 200));
  EXPECT_EQ(refusal([&] { return parse_problem(text, "p.json"); }).substr(0, message.size()),
            message);
}

TEST(problem_json, reads_every_model) {
  using model::ModelKind;
  for (const auto& [name, kind] :
       {std::pair{"cluster", ModelKind::cluster}, std::pair{"grid", ModelKind::grid},
        std::pair{"hybrid", ModelKind::hybrid}, std::pair{"async", ModelKind::async},
        std::pair{"async_physical", ModelKind::async},
        std::pair{"async_literal", ModelKind::async_literal}})
    EXPECT_EQ(parse_problem(problem(node(), name), "p.json").kind(), kind);
}

TEST(problem_json, ignores_unknown_keys_at_the_top_only) {
  EXPECT_EQ(parse_problem(R"({"model": "cluster", "x": [{}], "nodes": [)" + node() + "]}", "p.json")
                .node_count(),
            1U);
  expect_problem_refused(problem(R"({"gears_ghz": [2.0], "tcp": 1})"),
                         "p.json: nodes[0]: unknown key 'tcp'; try: one of cluster, gears_ghz");
}

TEST(problem_json, reads_tables_with_one_waiting_power_or_one_per_gear) {
  const auto table = [](const std::string& idle) {
    return R"({"model": "table", "nodes": [{"gears_ghz": [2, 1], "tcm_s": 0,
      "gear_time_s": [1, 2], "gear_active_power_w": [30, 12], "idle_power_w": )" +
           idle + "}]}";
  };
  EXPECT_FALSE(parse_problem(table("5"), "p.json").waiting_depends_on_gear());
  const auto per_gear = parse_problem(table("[9, 5]"), "p.json");
  EXPECT_EQ(per_gear.waiting(0, 0), Watts{9});
  EXPECT_EQ(per_gear.waiting(0, 1), Watts{5});
  expect_problem_refused(table("[9]"), "p.json: nodes[0].idle_power_w: has 1 values for 2 gears");
  expect_problem_refused(table("-5"), "p.json: nodes[0].idle_power_w: -5 is negative");
}

TEST(problem_json, names_file_and_key_of_what_it_refuses) {
  expect_problem_refused(problem(node() + "," + node("tcp_s", "-1")),
                         "p.json: nodes[1].tcp_s: -1 is negative");
  expect_problem_refused(problem(node("tcm_s", "\"1\"")),
                         "p.json: nodes[0].tcm_s: \"1\" is not a number");
  expect_problem_refused(problem(node("ps_w", "null")),
                         "p.json: nodes[0].ps_w: null is not a number");
  expect_problem_refused(
      problem(node("gears_ghz", "[]")),
      "p.json: nodes[0].gears_ghz: an array is not an array with at least one number");
  expect_problem_refused(
      problem(node("gears_ghz", "[1.0, 2.0]")),
      "p.json: nodes[0].gears_ghz: gear 1 (2 GHz) is not slower than gear 0 (1 GHz)");
  expect_problem_refused(problem(node("gears_ghz", "[2.0, 0]")),
                         "p.json: nodes[0].gears_ghz: gear 1");
  expect_problem_refused(problem(node("cluster", "1.5")),
                         "p.json: nodes[0].cluster: 1.5 is not a whole number");
  expect_problem_refused(problem(""),
                         "p.json: nodes: an array is not an array with at least one element");
  expect_problem_refused(problem(node(), "magic"), "p.json: model: 'magic' is not a model");
  expect_problem_refused("[]", "p.json: an array is not an object");
  expect_problem_refused(problem(node("pd_w", "0") + "," + node("pd_w", "1e400")), "p.json: ");
  expect_problem_refused(
      R"({"model": "cluster", "nodes": [{"gears_ghz": [1], "tcp_s": 0, "tcm_s": 0,
                  "pd_w": 1, "ps_w": 1}]})",
      "p.json: the program takes no time in gear 0");
}

TEST(problem_json, names_line_and_column_of_bad_syntax) {
  expect_problem_refused("{\"model\":\n nan}", "p.json: line 2, column 3");
  expect_problem_refused("{\"model\": \"cluster\"", "p.json: line 1, column ");
}

TEST(problem_json, refuses_documents_made_to_hurt) {
  expect_problem_refused(std::string(1000000, '['), "p.json: nested deeper than 64 levels");
  expect_problem_refused(R"({"x": )" + std::string(100, '[') + std::string(100, ']') + "}",
                         "p.json: nested deeper than 64 levels");
  expect_problem_refused(R"({"model": "cluster", "model": "grid"})",
                         "p.json: the key 'model' is given twice");
  std::string gears = "[";
  for (int g = 2000; g > 0; --g)
    gears += std::to_string(g) + (g > 1 ? "," : "]");
  expect_problem_refused(problem(node("gears_ghz", gears)),
                         "p.json: nodes[0].gears_ghz: more than 1024 values");
}

} // namespace
} // namespace hypermile::io
