// hypermile explain PLAN: also without SimGrid.

#include "cli/select/golden_file.hpp"
#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace hypermile {
namespace {

using nlohmann::json;
using test::golden_file;
using test::run_hypermile;
using Words = std::vector<std::string>;

std::string write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}

/// What `hypermile select --json` prints with these words.
std::string selected(Words words) {
  words.insert(words.begin(), {"select", "--json"});
  const auto result = run_hypermile(words);
  EXPECT_LE(result.exit_code, 3) << result.err;
  return result.out;
}

json explained(Words words, const std::string& input = "") {
  words.insert(words.begin(), {"explain", "--json"});
  const auto result = run_hypermile(words, input);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

void expect_refusal(Words words, int exit_code, const std::string& part,
                    const std::string& input = "") {
  words.insert(words.begin(), "explain");
  const auto result = run_hypermile(words, input);
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(part), std::string::npos) << part << "\nis not in\n" << result.err;
}

class ExplainPlan : public testing::Test {
protected:
  std::string plan(const Words& words) const {
    return write(folder.path("plan.json"), selected(words));
  }
  test::TemporaryFolder folder;
};

TEST_F(ExplainPlan, takes_the_problem_that_the_plan_names) {
  const std::string file = plan({golden_file("public-08-cluster")});
  const json planned = json::parse(std::ifstream(file));
  const json e = explained({file});
  EXPECT_EQ(e["schema"], "hypermile/explanation/1");
  EXPECT_EQ(e["of"], "plan");
  EXPECT_EQ(e["problem"], golden_file("public-08-cluster"));
  EXPECT_EQ(e["method"], "exact");
  EXPECT_EQ(e["objective"], "maxdist");
  EXPECT_EQ(e["remark"], "");
  EXPECT_NEAR(e["time_s"].get<double>(), planned["time_s"].get<double>(), 1e-12);
  EXPECT_NEAR(e["distance"].get<double>(), planned["distance"].get<double>(), 1e-12);
  ASSERT_EQ(e["nodes"].size(), 8U);
  double least = 1;
  for (std::size_t n = 0; n < 8; ++n) {
    EXPECT_EQ(e["nodes"][n]["gear"], planned["gears"][n]);
    least = std::min(least, e["nodes"][n]["slack_s"].get<double>());
  }
  EXPECT_EQ(least, 0);
  EXPECT_EQ(e["nodes"][e["groups"][0]["slowest_node"].get<std::size_t>()]["slack_s"], 0);
  EXPECT_NEAR(e["groups"][0]["time_s"].get<double>(), e["time_s"].get<double>(), 1e-12);
  EXPECT_TRUE(e["better"].is_null()); // it is the optimum
}

/// A neighbour is what the model predicts of it: alone in a plan of its own it has that distance.
TEST_F(ExplainPlan, says_which_step_is_better_and_by_how_much) {
  json planned = json::parse(selected({golden_file("public-08-cluster")}));
  const json optimum = planned;
  planned["gears"][0] = planned["gears"][0].get<int>() + 2;
  const std::string file = write(folder.path("plan.json"), planned.dump());
  const json e = explained({file});
  EXPECT_NE(e["remark"].get<std::string>().find("changed since"), std::string::npos);
  ASSERT_FALSE(e["better"].is_null());
  EXPECT_EQ(e["better"]["node"], 0);
  const json& step = e["nodes"][0]["faster"];
  EXPECT_TRUE(step["better"].get<bool>());
  planned["gears"][0] = step["gear"];
  write(file, planned.dump());
  const json after = explained({file});
  EXPECT_NEAR(after["time_s"].get<double>(), step["time_s"].get<double>(), 1e-12);
  EXPECT_NEAR(after["energy_j"].get<double>(), step["energy_j"].get<double>(), 1e-9);
  EXPECT_NEAR(after["distance"].get<double>() - e["distance"].get<double>(),
              step["gain"].get<double>(), 1e-12);
  const auto text = run_hypermile({"explain", file});
  EXPECT_NE(text.out.find("better"), std::string::npos) << text.out;
}

TEST_F(ExplainPlan, finds_the_problem_beside_the_plan) {
  std::ifstream problem(golden_file("public-18-grid"));
  std::ostringstream text;
  text << problem.rdbuf();
  write(folder.path("p.json"), text.str());
  json planned = json::parse(selected({golden_file("public-18-grid")}));
  planned["request"]["problem"] = "p.json";
  const json e = explained({write(folder.path("plan.json"), planned.dump())});
  EXPECT_EQ(e["problem"], folder.path("p.json"));
}

TEST_F(ExplainPlan, knows_every_model) {
  for (const char* name : {"public-01-homogeneous", "public-08-cluster", "public-18-grid",
                           "public-22-hybrid", "public-25-async_literal"}) {
    SCOPED_TRACE(name);
    const std::string file = plan({golden_file(name)});
    const json e = explained({file});
    ASSERT_FALSE(e.is_discarded());
    EXPECT_TRUE(e["better"].is_null());
    double mean = 0;
    for (const json& group : e["groups"])
      mean += group["time_s"].get<double>() / static_cast<double>(e["groups"].size());
    EXPECT_NEAR(mean / e["time_s"].get<double>(), 1, 1e-12);
    const auto text = run_hypermile({"explain", file});
    EXPECT_EQ(text.exit_code, 0) << text.err;
    std::istringstream lines(text.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_TRUE(line.size() <= 80 || line.find("/") != std::string::npos) << line;
  }
}

TEST_F(ExplainPlan, picks_one_of_several_by_its_method) {
  const std::string file =
      plan({golden_file("public-08-cluster"), "--compare", "alg5-literal,exact"});
  EXPECT_EQ(explained({file})["method"], "alg5-literal");
  EXPECT_EQ(explained({file, "--run", "exact"})["method"], "exact");
  expect_refusal({file, "--run", "alg7"}, 2, "has no plan by 'alg7'; try: alg5-literal, exact");
}

TEST_F(ExplainPlan, keeps_the_bounds_that_were_asked_for) {
  const std::string file =
      plan({golden_file("public-08-cluster"), "--objective", "energy", "--max-slowdown", "5%"});
  const json e = explained({file});
  EXPECT_EQ(e["objective"], "energy");
  EXPECT_EQ(e["max_slowdown"], 0.05);
  EXPECT_TRUE(e["keeps_bounds"].get<bool>());
  EXPECT_TRUE(e["better"].is_null());
  const json tighter = explained({file, "--max-slowdown", "1%", "--objective", "time"});
  EXPECT_EQ(tighter["objective"], "time");
  EXPECT_FALSE(tighter["keeps_bounds"].get<bool>());
}

TEST_F(ExplainPlan, reads_standard_input_and_a_problem_that_is_named) {
  const std::string problem = golden_file("public-08-cluster");
  json planned = json::parse(selected({problem}));
  planned["request"]["problem"] = nullptr;
  expect_refusal({"-"}, 2, "does not name its problem", planned.dump());
  EXPECT_EQ(explained({"-", "--problem", problem}, planned.dump())["plan"], "standard input");
  planned.erase("request"); // as an older hypermile printed it
  EXPECT_EQ(explained({"-", "--problem", problem}, planned.dump())["method"], "exact");
}

TEST_F(ExplainPlan, with_a_workload_on_a_platform) {
  const std::string workload = write(folder.path("w.yaml"), R"(schema: hypermile/workload/1
model: cluster
nodes: [{tcp_s: 1, tcm_s: 0.3}, {tcp_s: 0.7, tcm_s: 0.6}, {tcp_s: 1, tcm_s: 0.3}, {tcp_s: 1, tcm_s: 0.3}]
)");
  const std::string file = plan({"--platform", "table-3.1", "--workload", workload});
  const json e = explained({file});
  ASSERT_FALSE(e.is_discarded());
  EXPECT_EQ(e["problem"], workload + " on table-3.1");
  EXPECT_EQ(e["nodes"].size(), 4U);
}

TEST_F(ExplainPlan, refuses_what_does_not_fit_together) {
  const std::string file = plan({golden_file("public-08-cluster")});
  expect_refusal(
      {file, "--problem", golden_file("public-01-homogeneous"), "--energy-model", "rauber"}, 1,
      "all nodes of this problem share a gear");
  expect_refusal({file, "--problem", golden_file("public-18-grid")}, 1, "there are 8 gears");
  expect_refusal({file, "--gears", "1"}, 2, "--gears: is for a run, or a folder");
  expect_refusal({file, "--top", "3"}, 2, "--top: is for a run, or a folder");
  expect_refusal({file, "--problem", folder.path("none")}, 1, "cannot read");
  expect_refusal({folder.path("none")}, 1, "cannot read " + folder.path("none"));
  expect_refusal({}, 2, "PLAN, DIR, a recorded run or --model is required");
  json planned = json::parse(std::ifstream(file));
  planned["gears"][3] = 99;
  write(file, planned.dump());
  expect_refusal({file}, 1, "gears[3]: the node has ");
  write(file, "{");
  expect_refusal({file}, 1, file + ": line 1");
}

#ifndef HYPERMILE_SIMGRID
TEST_F(ExplainPlan, says_that_folders_need_simgrid) {
  expect_refusal({folder.path()}, 1, "built without SimGrid");
}
#endif

} // namespace
} // namespace hypermile
