// Runs whose gears are given: --gears, --plan, --gears-file.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace hypermile {
namespace {

using nlohmann::json;
using test::on_table_3_1;
using test::run_of;
using test::simulate;
using test::simulate_json;
using test::smpi_app;
using test::smpi_program;

const std::vector<std::string> allreduce{smpi_program("only_allreduce"), "40", "500"};
const std::vector<std::string> two_by_two{
    "-q", "--platform", HYPERMILE_SOURCE_DIR "/tests/cli/simulate/two_by_two.yaml",
    "--reference-speed", "300Gf"};

std::vector<std::string> with_more(std::vector<std::string> options,
                                   const std::vector<std::string>& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::vector<std::string> methods_of(const json& simulation) {
  std::vector<std::string> methods;
  for (const json& run : simulation.at("runs"))
    methods.push_back(run.at("method"));
  return methods;
}

std::string write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}

/// The options on four nodes of Table 3.1 are refused, and nothing is simulated.
void expect_gears_refused(const std::vector<std::string>& options, int exit_code,
                          const std::string& words) {
  auto arguments =
      with_more({"--platform", "table-3.1", "-n", "4", "--reference-speed", "300Gf"}, options);
  arguments = with_more(arguments, {"--", smpi_program("ring"), "5", "10"});
  const auto result = simulate(arguments);
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(words), std::string::npos) << words << "\nis not in\n" << result.err;
  EXPECT_EQ(result.err.find("simulating"), std::string::npos) << result.err;
}

TEST(given_gears, are_those_of_the_nodes_to_the_end_and_nothing_else_is_run) {
  const json simulation =
      simulate_json(on_table_3_1(4, {"--gears", "0,3,5,2", "--gears", "1"}), allreduce);
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(methods_of(simulation),
            (std::vector<std::string>{"none", "gears:0,3,5,2", "gears:1,1,1,1"}));
  const json& run = run_of(simulation, "gears:0,3,5,2");
  EXPECT_EQ(run["gears"], (json{0, 3, 5, 2}));
  EXPECT_EQ(run["nodes"].size(), 4u);
  EXPECT_TRUE(run["decisions"].empty());
  const double time = run["time_s"];
  const double energy = run["energy_j"];
  EXPECT_NEAR(run["predictions"]["dependency"]["time_s"].get<double>() / time, 1, 0.005);
  EXPECT_NEAR(run["predictions"]["dependency"]["energy_j"].get<double>() / energy, 1, 0.005);
  EXPECT_FALSE(run["predictions"]["cluster"].is_null());
  EXPECT_EQ(run["divergences"], 0);
  EXPECT_LT(run["energy_j"], simulation["runs"][0]["energy_j"]);
}

TEST(given_gears, come_after_the_methods_that_are_asked_for) {
  const json simulation =
      simulate_json(on_table_3_1(4, {"--gears", "1", "--method", "slack"}), allreduce);
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(methods_of(simulation), (std::vector<std::string>{"none", "slack", "gears:1,1,1,1"}));
}

TEST(given_gears, of_a_type_are_those_of_all_its_nodes) {
  const json simulation = simulate_json(on_table_3_1(8, {"--gears", "type1=2,type3=1"}),
                                        allreduce); // two nodes of each type
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["runs"][1]["gears"], (json{2, 2, 0, 0, 1, 1, 0, 0}));
}

TEST(given_gears, are_per_node_where_several_ranks_share_one) {
  const json simulation = simulate_json(with_more(two_by_two, {"--gears", "10,4"}), allreduce);
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["runs"][1]["gears"], (json{10, 4}));
}

TEST(given_gears, hold_from_the_first_computation_on) {
  // 2 GHz / 1 GHz: everything that one rank computes takes twice as long, for half the power of
  // its core above the 8 W of the node: 24 W / 2^3.
  const json simulation = simulate_json(with_more(two_by_two, {"-n", "1", "--gears", "10"}),
                                        {smpi_program("no_communication"), "5", "2000"});
  ASSERT_FALSE(simulation.is_discarded());
  const json& unscaled = simulation["runs"][0];
  const json& run = simulation["runs"][1];
  const double time = run["time_s"].get<double>();
  EXPECT_NEAR(time / unscaled["time_s"].get<double>(), 2, 1e-6);
  EXPECT_NEAR(run["energy_j"].get<double>() / time, 8 + 40.0 / 8 / 2, 1e-3);
}

TEST(given_gears, on_a_platform_in_xml_go_by_its_hosts) {
  const std::string hosts = HYPERMILE_SOURCE_DIR "/tests/cli/simulate/hosts.xml";
  const std::vector<std::string> platform{"-q", "--platform", hosts, "--reference-speed", "300Gf"};
  const json simulation = simulate_json(with_more(platform, {"--gears", "tortoise=2"}), allreduce);
  ASSERT_FALSE(simulation.is_discarded());
  const json& run = simulation["runs"][1];
  for (std::size_t n = 0; n < 2; ++n)
    EXPECT_EQ(run["gears"][n], run["nodes"][n]["name"] == "tortoise" ? 2 : 0);
  const auto result =
      simulate(with_more(platform, {"--gears", "3", "--", smpi_program("ring"), "5", "10"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find(" has 3 gears"), std::string::npos) << result.err;
}

TEST(given_gears, repeat_to_the_last_digit_with_any_number_of_jobs) {
  const test::TemporaryFolder folder;
  const std::vector<std::string> cg{smpi_app("cg"), "--class", "S"};
  const json first =
      simulate_json(on_table_3_1(4, {"--gears", "3,0,2,5", "--report", folder.path()}), cg);
  const std::string list = write(folder.path("list"), "3,0,2,5\n7\n3,0,2,5\n");
  const json again =
      simulate_json(on_table_3_1(4, {"--gears-file", list, "--jobs", "3", "--computation",
                                     folder.path("computation.txt")}),
                    cg);
  ASSERT_FALSE(first.is_discarded() || again.is_discarded());
  ASSERT_EQ(again["runs"].size(), 4u);
  EXPECT_EQ(again["runs"][0], first["runs"][0]);
  EXPECT_EQ(again["runs"][1], first["runs"][1]);
  EXPECT_EQ(again["runs"][3], first["runs"][1]);
  EXPECT_NE(again["runs"][2]["time_s"], first["runs"][1]["time_s"]);
}

TEST(plan, as_select_prints_it_is_run) {
  const test::TemporaryFolder folder;
  const std::string problem = HYPERMILE_SOURCE_DIR "/tests/golden/public-08-cluster.json";
  const auto plan = test::run_hypermile({"select", problem, "--json"});
  ASSERT_EQ(plan.exit_code, 0) << plan.err;
  const json simulation = simulate_json(
      on_table_3_1(8, {"--plan", write(folder.path("plan.json"), plan.out)}), allreduce);
  ASSERT_FALSE(simulation.is_discarded());
  EXPECT_EQ(simulation["runs"][1]["gears"], json::parse(plan.out)["gears"]);
}

TEST(gears_file, is_a_run_per_line_and_the_progress_counts_them) {
  const test::TemporaryFolder folder;
  const std::string list = write(folder.path("list"), "# all in one\n0,1,2,3\n\n4\ntype2=1\n");
  const auto result = simulate({"--platform", "table-3.1", "-n", "4", "--reference-speed", "300Gf",
                                "--gears-file", list, "--", smpi_program("ring"), "5", "10"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* line : {" 1 of 3: gears:", " 2 of 3: gears:", " 3 of 3: gears:"})
    EXPECT_NE(result.err.find(line), std::string::npos) << result.err;
  for (const char* row : {"\ngears:0,1,2,3 ", "\ngears:4,4,4,4 ", "\ngears:0,1,0,0 "})
    EXPECT_NE(result.out.find(row), std::string::npos) << result.out;
}

TEST(bad_gears, that_the_nodes_do_not_have) {
  expect_gears_refused({"--gears", "0,0,99,0"}, 2, "--gears 0,0,99,0: node type3-0 has ");
  expect_gears_refused({"--gears", "99"}, 2, "node type1-0 has ");
  expect_gears_refused({"--gears", "0,0,0"}, 2, "there are 3 gears for 4 nodes");
  expect_gears_refused({"--gears", "type5=1"}, 2,
                       "of type 'type5'; try: type1, type2, type3, type4");
}

TEST(bad_gears, that_are_none) {
  expect_gears_refused({"--gears", "fast"}, 2, "'fast' is not a gear");
  expect_gears_refused({"--gears", ""}, 2, "'' is not a gear");
}

TEST(bad_gears, in_a_file_are_refused_with_its_line) {
  const test::TemporaryFolder folder;
  const std::string list = write(folder.path("list"), "0\n1,1,1,1\n0,0\n");
  expect_gears_refused({"--gears-file", list}, 2, list + ":3: there are 2 gears for 4 nodes");
  write(list, "0\n0,zero,0,0\n");
  expect_gears_refused({"--gears-file", list}, 1, list + ":2: 'zero' is not a gear");
  expect_gears_refused({"--gears-file", folder.path("none")}, 1,
                       "cannot read " + folder.path("none"));
}

TEST(bad_gears, in_a_plan_are_refused_with_its_place) {
  const test::TemporaryFolder folder;
  const std::string plan =
      write(folder.path("plan"), R"({"schema": "hypermile/plan/1", "gears": [0, 1]})");
  expect_gears_refused({"--plan", plan}, 2, plan + ": there are 2 gears for 4 nodes");
  write(plan, R"({"schema": "hypermile/plan/1", "gears": [0, "1"]})");
  expect_gears_refused({"--plan", plan}, 1, plan + ": gears[1]: ");
}

} // namespace
} // namespace hypermile
