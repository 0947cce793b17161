// hypermile explain DIR, on folders that `hypermile simulate --report` left.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace hypermile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::cg_s;
using test::on_table_3_1;
using test::simulate_json;
using test::smpi_program;
using Words = std::vector<std::string>;

test::CommandResult explain(Words words) {
  words.insert(words.begin(), "explain");
  return test::run_hypermile(words);
}

json explained(Words words) {
  words.emplace_back("--json");
  const auto result = explain(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return json::parse(result.out, nullptr, false);
}

void expect_refusal(const Words& words, int exit_code, const std::string& part) {
  const auto result = explain(words);
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(part), std::string::npos) << part << "\nis not in\n" << result.err;
}

double sum(const json& list, const char* key) {
  double total = 0;
  for (const json& element : list)
    total += element.at(key).get<double>();
  return total;
}

/// CG on four nodes, unscaled, as chosen by `exact`, and in gears 3,0,2,5.
class ExplainRun : public testing::Test {
protected:
  static void SetUpTestSuite() {
    shared = std::make_unique<test::TemporaryFolder>();
    simulation =
        simulate_json(on_table_3_1(4, {"--method", "exact", "--gears", "3,0,2,5", "--max-slowdown",
                                       "20%", "--report", shared->path()}),
                      cg_s);
  }
  static void TearDownTestSuite() { shared.reset(); }

  void SetUp() override { ASSERT_FALSE(simulation.is_discarded()); }
  static std::string folder() { return shared->path(); }

  /// A copy that a test may damage.
  std::string copy() const {
    fs::copy(folder(), mine.path("copy"));
    return mine.path("copy");
  }

  static std::unique_ptr<test::TemporaryFolder> shared;
  static json simulation;
  test::TemporaryFolder mine;
};

std::unique_ptr<test::TemporaryFolder> ExplainRun::shared;
json ExplainRun::simulation;

TEST_F(ExplainRun, adds_up_to_the_predicted_time) {
  for (const Words& gears :
       {Words{"--run", "unscaled"}, Words{"--run", "gears-1"}, Words{"--gears", "7,7,0,0"}}) {
    SCOPED_TRACE(gears[1]);
    const json e = explained({folder(), gears[0], gears[1], "--top", "100000"});
    ASSERT_FALSE(e.is_discarded());
    const json& path = e["path"];
    const double time = path["time_s"];
    const double computing = path["computing_s"];
    const double inside = path["inside_s"];
    EXPECT_NEAR(path["late_begin_s"].get<double>() + computing + inside, time, 1e-9);
    EXPECT_NEAR(e["time_s"].get<double>() / time, 1, 1e-9);
    EXPECT_NEAR(sum(e["ranks"], "on_path_s"), computing, 1e-9);
    EXPECT_EQ(path["calls"].size(), path["calls_in_all"]);
    EXPECT_NEAR(sum(path["calls"], "inside_s"), inside, 1e-9);
    EXPECT_NEAR(sum(path["longest_segments"], "computing_s"), computing, 1e-9);
    EXPECT_NEAR(sum(path["longest_segments"], "inside_s"), inside, 1e-9);
    EXPECT_EQ(path["longest_segments"].size(), path["handovers"].get<std::size_t>() + 1);
    for (const json& rank : e["ranks"])
      EXPECT_NEAR(rank["computing_s"].get<double>() + rank["messages_s"].get<double>() +
                      rank["waiting_s"].get<double>(),
                  time, 1e-6);
  }
}

TEST_F(ExplainRun, takes_as_long_as_the_simulation_in_the_same_gears) {
  for (const char* name : {"unscaled", "gears-1"}) {
    const json e = explained({folder(), "--run", name});
    EXPECT_EQ(e["simulated"]["gears_changed_on_the_way"], false);
    EXPECT_NEAR(e["time_s"].get<double>() / e["simulated"]["time_s"].get<double>(), 1, 0.005);
    EXPECT_NEAR(e["energy_j"].get<double>() / e["simulated"]["energy_j"].get<double>(), 1, 0.005);
  }
}

TEST_F(ExplainRun, has_neighbours_that_are_those_of_a_simulation) {
  const json e = explained({folder(), "--run", "gears-1"});
  const std::vector<int> gears{3, 0, 2, 5};
  Words options;
  std::vector<const json*> neighbours;
  for (std::size_t n = 0; n < gears.size(); ++n)
    for (const char* side : {"faster", "slower"}) {
      const json& neighbour = e["nodes"][n][side];
      if (neighbour.is_null())
        continue;
      std::string text;
      for (std::size_t m = 0; m < gears.size(); ++m)
        text +=
            (m == 0 ? "" : ",") + std::to_string(m == n ? neighbour["gear"].get<int>() : gears[m]);
      options.insert(options.end(), {"--gears", text});
      neighbours.push_back(&neighbour);
    }
  ASSERT_EQ(neighbours.size(), 7U); // node 1 has no faster gear
  options.insert(options.end(), {"--computation", folder() + "/computation.txt"});
  const json simulated = simulate_json(on_table_3_1(4, options), cg_s);
  ASSERT_FALSE(simulated.is_discarded());
  const json& now = simulation["runs"][2];
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    SCOPED_TRACE(i);
    const json& run = simulated["runs"][i + 1];
    const json& neighbour = *neighbours[i];
    const double time = run["time_s"];
    const double energy = run["energy_j"];
    EXPECT_NEAR(neighbour["time_s"].get<double>() / time, 1, 0.005);
    EXPECT_NEAR(neighbour["energy_j"].get<double>() / energy, 1, 0.005);
    EXPECT_NEAR(neighbour["time_percent"].get<double>(),
                100 * (time / now["time_s"].get<double>() - 1), 0.5);
    EXPECT_NEAR(neighbour["distance_points"].get<double>(),
                run["distance_points"].get<double>() - now["distance_points"].get<double>(), 0.5);
  }
}

TEST_F(ExplainRun, takes_the_gears_of_exact_and_says_which_others_there_are) {
  const json e = explained({folder()});
  EXPECT_EQ(e["schema"], "hypermile/explanation/1");
  EXPECT_EQ(e["of"], "run");
  EXPECT_EQ(e["run"], "exact");
  EXPECT_EQ(e["objective"], "maxdist");
  EXPECT_EQ(e["max_slowdown"], 0.2);
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(e["nodes"][n]["gear"], simulation["runs"][1]["gears"][n]);
    EXPECT_EQ(e["nodes"][n]["name"], simulation["runs"][1]["nodes"][n]["name"]);
  }
  const auto text = explain({folder()});
  for (const char* part :
       {"The gears that run exact had at its end are applied", "gears-1", "--run",
        "Critical path: ", "The most expensive MPI call: Wait of rank ",
        "waiting for others; slack in ms", "One node in the next gear", "\ntype1-0 "})
    EXPECT_NE(text.out.find(part), std::string::npos) << part << "\nis not in\n" << text.out;
  std::istringstream lines(text.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(line.size() <= 80 || line.find('/') != std::string::npos) << line;
}

TEST_F(ExplainRun, lists_as_much_of_the_path_as_is_asked_for) {
  const json e = explained({folder(), "--top", "3"});
  EXPECT_EQ(e["path"]["calls"].size(), 3U);
  EXPECT_EQ(e["path"]["longest_segments"].size(), 3U);
  EXPECT_GT(e["path"]["calls_in_all"], 3);
}

TEST_F(ExplainRun, takes_gears_as_simulate_does) {
  const auto gears_of = [](const json& e) {
    std::vector<int> gears;
    for (const json& node : e.at("nodes"))
      gears.push_back(node.at("gear"));
    return gears;
  };
  EXPECT_EQ(gears_of(explained({folder(), "--gears", "2"})), (std::vector{2, 2, 2, 2}));
  EXPECT_EQ(gears_of(explained({folder(), "--gears", "type3=1"})), (std::vector{0, 0, 1, 0}));
  const std::string plan = mine.path("plan.json");
  std::ofstream(plan) << R"({"schema": "hypermile/plan/1", "gears": [1, 2, 3, 4]})";
  const json e = explained({folder(), "--plan", plan});
  EXPECT_EQ(gears_of(e), (std::vector{1, 2, 3, 4}));
  EXPECT_TRUE(e["run"].is_null());
  EXPECT_TRUE(e["simulated"].is_null());
}

TEST_F(ExplainRun, refuses_runs_and_gears_that_there_are_not) {
  expect_refusal({folder(), "--run", "alg5"}, 2,
                 "there is no run 'alg5' in " + folder() + "; try: unscaled, exact, gears-1");
  expect_refusal({folder(), "--gears", "1,2"}, 2, "there are 2 gears for 4 nodes");
  expect_refusal({folder(), "--gears", "99"}, 2, "none of them is gear 99");
  expect_refusal({folder(), "--gears", "fast"}, 2, "'fast' is not a gear");
  expect_refusal({folder(), "--gears", "1", "--run", "exact"}, 2, "--");
  expect_refusal({folder(), "--problem", "p"}, 2, "--problem: is for a plan");
}

TEST_F(ExplainRun, says_what_is_missing_or_damaged_in_the_folder) {
  expect_refusal({mine.path()}, 1, "cannot read " + mine.path("simulation.json"));
  const std::string damaged = copy();
  fs::remove(damaged + "/unscaled.timeline.txt");
  expect_refusal({damaged}, 1, "cannot read " + damaged + "/unscaled.timeline.txt");
  std::ofstream(damaged + "/none.run") << "{";
  expect_refusal({damaged}, 1, damaged + "/none.run: ");
}

TEST(explain, tells_why_a_timeline_is_incomplete) {
  const test::TemporaryFolder folder;
  const json simulation =
      simulate_json(on_table_3_1(4, {"--method", "none", "--report", folder.path()}),
                    {smpi_program("one_sided")});
  ASSERT_FALSE(simulation.is_discarded());
  expect_refusal({folder.path()}, 1, folder.path() + ": the timeline of rank ");
  expect_refusal({folder.path()}, 1, " is not complete: MPI_");
}

} // namespace
} // namespace hypermile
