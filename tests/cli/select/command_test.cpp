#include "cli/select/golden_file.hpp"
#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace hypermile {
namespace {

using nlohmann::json;
using test::golden_file;
using test::run_hypermile;

constexpr const char* problem = R"({
  "model": "cluster", "note": "ignored",
  "nodes": [
    {"gears_ghz": [2.0, 1.6, 1.2], "tcp_s": 1.0, "tcm_s": 0.2, "pd_w": 20, "ps_w": 4},
    {"gears_ghz": [2.0, 1.6, 1.2], "tcp_s": 0.7, "tcm_s": 0.5, "pd_w": 20, "ps_w": 4}]})";

TEST(select_command, reads_standard_input) {
  const auto result = run_hypermile({"select", "-", "--json"}, problem);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json plan = json::parse(result.out);
  EXPECT_EQ(plan["schema"], "hypermile/plan/1");
  EXPECT_EQ(plan["method"], "exact");
  EXPECT_EQ(plan["objective"], "maxdist");
  EXPECT_EQ(plan["certificate"]["kind"], "exact");
  EXPECT_EQ(plan["certificate"]["gap"], 0);
  EXPECT_GE(plan["microseconds"].get<double>(), 0);
  EXPECT_EQ(plan["gears"].size(), 2U);
  constexpr double frequencies[] = {2.0, 1.6, 1.2};
  for (const int node : {0, 1})
    EXPECT_EQ(plan["frequencies_ghz"][node], frequencies[plan["gears"][node].get<int>()]);
}

TEST(select_command, compares_methods_in_an_array) {
  const auto result =
      run_hypermile({"select", "-", "--json", "--compare", "alg5,exact,slack"}, problem);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json plans = json::parse(result.out);
  ASSERT_EQ(plans.size(), 3U);
  EXPECT_EQ(plans[0]["method"], "alg5");
  EXPECT_EQ(plans[1]["method"], "exact");
  EXPECT_EQ(plans[2]["method"], "slack");
  for (const json& plan : plans)
    EXPECT_NEAR(plan["certificate"]["gap"].get<double>(),
                plans[1]["distance"].get<double>() - plan["distance"].get<double>(), 1e-12);
}

TEST(select_command, infeasible_is_an_answer_with_exit_code_3) {
  const std::vector<std::string> options{"select",          "-",  "--objective", "time",
                                         "--energy-budget", "10J"};
  const auto text = run_hypermile(options, problem);
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_NE(text.out.find("INFEASIBLE"), std::string::npos);
  EXPECT_NE(text.out.find("energy budget of 10 J is not kept"), std::string::npos) << text.out;
  auto with_json = options;
  with_json.push_back("--json");
  const auto result = run_hypermile(with_json, problem);
  EXPECT_EQ(result.exit_code, 3);
  const json plan = json::parse(result.out);
  EXPECT_EQ(plan["feasible"], false);
  EXPECT_EQ(plan["violations"][0]["bound"], "energy_budget_j");
  EXPECT_EQ(plan["violations"][0]["limit"], 10);
  EXPECT_EQ(plan["violations"][0]["reached"], plan["energy_j"]);
}

TEST(select_command, keeps_average_and_peak_power_caps) {
  for (const std::string cap : {"30W", "average:30W", "peak:30W"}) {
    SCOPED_TRACE(cap);
    const auto result = run_hypermile(
        {"select", "-", "--json", "--objective", "time", "--power-cap", cap}, problem);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const json plan = json::parse(result.out);
    EXPECT_LE(plan["energy_j"].get<double>() / plan["time_s"].get<double>(), 30);
  }
}

TEST(select_command, options_do_not_swallow_the_problem_after_them) {
  for (const auto& option : {std::vector<std::string>{"--compare", "exact,alg5"},
                             {"--power-cap", "90W"},
                             {"--power-cap", "90W", "--power-cap", "peak:90W"},
                             {"--method", "slack"}}) {
    std::vector<std::string> words{"select"};
    words.insert(words.end(), option.begin(), option.end());
    words.emplace_back("-");
    const auto result = run_hypermile(words, problem);
    EXPECT_EQ(result.exit_code, 0) << option[0] << result.err;
  }
}

TEST(select_command, prints_the_srun_command_for_the_gears_of_its_plan) {
  const auto plan = json::parse(run_hypermile({"select", "-", "--json"}, problem).out);
  std::vector<int> khz;
  for (const double ghz : plan["frequencies_ghz"])
    khz.push_back(static_cast<int>(1e6 * ghz + 0.5));
  ASSERT_NE(khz[0], khz[1]); // node 1 has slack
  const auto result = run_hypermile(
      {"select", "-", "--print-srun", "--tasks-per-node", "2", "--program", "./app 1"}, problem);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, fmt::format("srun --nodes=1 --ntasks=2 --ntasks-per-node=2 --cpu-freq={} "
                                    "./app 1 : \\\n     --nodes=1 --ntasks=2 --ntasks-per-node=2 "
                                    "--cpu-freq={} ./app 1\n",
                                    khz[0], khz[1]));
}

TEST(select_command, prints_no_srun_command_for_power_limits) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path("limited.yaml")) << R"(schema: hypermile/platform/1
name: limited
description: gears are power limits
types:
  - name: node
    count: 1
    speed: 1Gf
    gears: [2.0GHz, 1.9GHz]
    power_limits: [150W, 100W]
    power: {computing: [200W, 90W], waiting: [80W, 80W], idle: 60W}
network:
  link: {bandwidth: 1Gbps, latency: 50us}
)";
  std::ofstream(folder.path("workload.yaml"))
      << "schema: hypermile/workload/1\nmodel: table\nnodes:\n  - {tcp_s: 1, tcm_s: 0.5}\n";
  const std::vector<std::string> words{"select", "--platform", folder.path("limited.yaml"),
                                       "--workload", folder.path("workload.yaml")};
  EXPECT_EQ(run_hypermile(words).exit_code, 0);
  auto with_srun = words;
  with_srun.emplace_back("--print-srun");
  const auto result = run_hypermile(with_srun);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("the gears of type 'node' are power limits, which srun does not set"),
            std::string::npos)
      << result.err;
}

TEST(select_command, lists_the_front) {
  const auto result =
      run_hypermile({"select", golden_file("public-22-hybrid"), "--pareto", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json front = json::parse(result.out);
  EXPECT_EQ(front["schema"], "hypermile/front/1");
  ASSERT_GT(front["points"].size(), 2U);
  EXPECT_EQ(front["points"][0]["gears"].size(), 16U);
  const auto text = run_hypermile({"select", golden_file("public-22-hybrid"), "--pareto"});
  EXPECT_EQ(text.exit_code, 0);
}

TEST(select_command, text_fits_a_terminal) {
  for (const std::string name :
       {"public-01-homogeneous", "public-11-cluster", "public-23-hybrid"}) {
    const auto result = run_hypermile({"select", golden_file(name)});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(select_command, homogeneous_plans_name_a_gear_for_every_node) {
  const auto result =
      run_hypermile({"select", golden_file("public-03-homogeneous"), "--method", "epsa", "--json"});
  const json plan = json::parse(result.out);
  EXPECT_EQ(plan["gears"].size(), 16U);
  EXPECT_EQ(plan["tasks"]["gears"].size(), 16U);
}

TEST(select_command, wrong_usage_is_exit_code_2) {
  const auto wrong = [](std::vector<std::string> options, const std::string& says) {
    options.insert(options.begin(), "select");
    const auto result = run_hypermile(options, problem);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
    EXPECT_TRUE(result.err.starts_with("hypermile: error: ")) << result.err;
    EXPECT_TRUE(result.err.ends_with("\ntry: hypermile select --help\n")) << result.err;
    EXPECT_EQ(result.out, "");
  };
  wrong({}, "PROBLEM.json, or --platform with --workload, is required\n"
            "usage: hypermile select PROBLEM.json [OPTIONS]\n");
  wrong({"-", "--best"}, "unknown option --best");
  wrong({"-", "more"}, "unexpected argument 'more'");
  wrong({"-", "--method"}, "--method needs a value");
  wrong({"-", "--method", "exact", "--method", "slack"}, "--method takes one value");
  wrong({"-", "--method", "magic"}, "--method: 'magic' is not a method");
  wrong({"-", "--energy-model", "mine"}, "'mine' is none of homogeneous, rauber");
  wrong({"-", "--weight", "3"}, "--weight: '3' is not from 0 to 1");
  wrong({"-", "--max-slowdown", "-5%"}, "--max-slowdown: '-5%' is negative");
  wrong({"-", "--max-slowdown", "5"}, "--max-slowdown: '5' means 500 %; try: 5% or 0.05");
  wrong({"-", "--power-cap", "peak:-90W"}, "--power-cap: 'peak:-90W' is negative");
  wrong({"-", "--objective", "speed"}, "'speed' is not an objective");
  wrong({"-", "--energy-budget", "500"}, "500J");
  wrong({"-", "--max-slowdown", "5W"}, "5%");
  wrong({"-", "--power-cap", "peak:much"}, "90W");
  wrong({"-", "--compare", "exact", "--method", "exact"}, "--compare");
  wrong({"--platform", "x.yaml"}, "--workload");
  wrong({"-", "--pareto", "--objective", "edp"}, "--pareto");
  wrong({"-", "--print-srun", "--json"}, "--print-srun");
  wrong({"-", "--program", "./app"}, "--print-srun");
  wrong({"-", "--print-srun", "--tasks-per-node", "0"}, "--tasks-per-node");
}

TEST(select_command, unusable_input_is_exit_code_1_and_names_the_place) {
  const auto unusable = [](const std::string& input, const std::string& says) {
    const auto result = run_hypermile({"select", "-"}, input);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find("hypermile: error: standard input"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  };
  unusable("", "line 1");
  unusable("{", "line 1, column 2");
  unusable(R"({"model": "cluster"})", "'nodes' is missing");
  const auto missing = run_hypermile({"select", "/no/such/file"});
  EXPECT_EQ(missing.exit_code, 1);
  EXPECT_NE(missing.err.find("/no/such/file"), std::string::npos);
}

TEST(select_command, takes_a_platform_and_a_workload) {
  const auto file = std::filesystem::temp_directory_path() / "hypermile_select_workload.yaml";
  std::ofstream(file) << "schema: hypermile/workload/1\nmodel: cluster\nnodes:\n"
                         "  - {tcp_s: 1.4, tcm_s: 0.2}\n  - {tcp_s: 1.12, tcm_s: 0.48}\n"
                         "  - {tcp_s: 0.93, tcm_s: 0.67}\n  - {tcp_s: 0.8, tcm_s: 0.8}\n";
  const auto result =
      run_hypermile({"select", "--platform", HYPERMILE_SOURCE_DIR "/platforms/table-3.1.yaml",
                     "--workload", file.string(), "--json"});
  std::filesystem::remove(file);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json plan = json::parse(result.out);
  EXPECT_EQ(plan["model"], "cluster");
  EXPECT_EQ(plan["gears"][0], 0);
  EXPECT_EQ(plan["frequencies_ghz"][0], 2.5);
}

} // namespace
} // namespace hypermile
