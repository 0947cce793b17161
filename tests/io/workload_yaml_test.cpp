#include "io/platform_yaml.hpp"
#include "io/refusal.hpp"
#include "io/workload_yaml.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

namespace hypermile::io {
namespace {

model::Platform platform(const std::string& power = "{dynamic: 20W, static: 4W}") {
  return parse_platform("schema: hypermile/platform/1\nname: two\ndescription: two nodes\n"
                        "types:\n  - {name: a, count: 2, cores: 8, speed: 1Gf, "
                        "gears: [2GHz, 1GHz], power: " +
                            power +
                            "}\n"
                            "network: {link: {bandwidth: 1Gbps, latency: 50us}}\n",
                        "p.yaml");
}

constexpr const char* two_nodes = "  - {tcp_s: 1, tcm_s: 0.5}\n  - {tcp_s: 0.5, tcm_s: 1}\n";

std::string workload(const std::string& model, const std::string& nodes = two_nodes) {
  return "schema: hypermile/workload/1\n" + (model.empty() ? "" : "model: " + model + "\n") +
         "nodes:\n" + nodes;
}

TEST(workload, without_a_model_takes_the_platforms_power_per_gear) {
  const auto problem = parse_workload(workload(""), "w.yaml", platform());
  EXPECT_EQ(problem.kind(), model::ModelKind::table);
  EXPECT_EQ(problem.node_count(), 2U);
  // Node 0 in S = 2: 2 s of 4 + 20 / 8 W, then 0.5 s of 4 W; node 1: 0.5 s of 24 W, 2 s of 4 W.
  const auto p = predict(problem, std::vector<model::Gear>{1, 0});
  EXPECT_DOUBLE_EQ(p.time.value(), 2.5);
  EXPECT_DOUBLE_EQ(p.energy.value(), 2 * 6.5 + 0.5 * 4 + 0.5 * 24 + 2 * 4);
}

TEST(workload, analytic_models_get_dynamic_and_static_power) {
  const auto problem = parse_workload(workload("cluster"), "w.yaml", platform());
  EXPECT_EQ(problem.kind(), model::ModelKind::cluster);
  EXPECT_DOUBLE_EQ(problem.baseline().energy.value(), 20 * 1.5 + 8 * 1.5);
}

TEST(workload, may_be_json) {
  const auto problem = parse_workload(
      R"({"schema": "hypermile/workload/1", "nodes": [{"tcp_s": 1, "tcm_s": 0},
          {"tcp_s": 1, "tcm_s": 0, "cluster": 1}]})",
      "w.json", platform());
  EXPECT_EQ(problem.cluster(1), 1U);
}

void expect_workload_refused(const std::string& text, const model::Platform& machines,
                             const std::string& says) {
  const std::string said = refusal([&] { return parse_workload(text, "w.yaml", machines); });
  EXPECT_EQ(said.rfind("w.yaml", 0), 0U) << said;
  test::expect_part(said, says);
}

TEST(workload, refuses_what_does_not_fit) {
  expect_workload_refused(workload("", "  - {tcp_s: -1, tcm_s: 0}\n"), platform(),
                          "-1 is negative");
  expect_workload_refused(workload("", "  - {tcp_s: .nan, tcm_s: 0}\n"), platform(),
                          "is not a number");
  expect_workload_refused(workload("", "  - {tcp_s: 1}\n"), platform(), "'tcm_s' is missing");
  expect_workload_refused(workload("", "  - {tcp_s: 1, tcm_s: 0, speed: 1}\n"), platform(),
                          "speed");
  expect_workload_refused(workload("magic"), platform(), "'magic' is not a model");
  expect_workload_refused("schema: hypermile/workload/2\nnodes: [{tcp_s: 1, tcm_s: 0}]", platform(),
                          "hypermile/workload/2");
  const std::string three = std::string(two_nodes) + "  - {tcp_s: 1, tcm_s: 0}\n";
  expect_workload_refused(workload("", three), platform(), "");
}

TEST(workload, analytic_models_need_cubic_power) {
  const auto table = platform("{computing: [24W, 20W], waiting: 4W, idle: 4W}");
  expect_workload_refused(workload("cluster"), table, "model: table");
  EXPECT_EQ(parse_workload(workload("table"), "w.yaml", table).node_count(), 2U);
}

} // namespace
} // namespace hypermile::io
