// `hypermile fit`: parameters of a model from measured runs.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace hypermile {
namespace {

using nlohmann::json;

class Fit : public testing::Test {
protected:
  [[nodiscard]] std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }
  [[nodiscard]] std::string model() const {
    return written("model.lua", "local work = param('work', 1e10, 'operations in all')\n"
                                "local more = param('more', 1e7, 'operations per rank')\n"
                                "local steps = param('steps', 1)\n"
                                "role('all', function(p)\n"
                                "  for i = 1, steps do\n"
                                "    compute(work / p.ranks + more * p.ranks) allreduce(8)\n"
                                "  end\n"
                                "end)");
  }
  static test::CommandResult fit(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"fit"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return test::run_hypermile(all);
  }
  static void expect_failure(const std::vector<std::string>& arguments, int code,
                             const std::string& what) {
    const auto result = fit(arguments);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(what), std::string::npos) << result.err;
  }

private:
  test::TemporaryFolder folder_;
};

/// What the simulator takes with known parameters is what they are estimated from.
TEST_F(Fit, finds_the_parameters_of_simulated_runs_again) {
  std::string data = "steps,ranks,energy_j\n";
  for (const int ranks : {1, 2, 5, 9, 20}) {
    const auto run =
        test::simulate({"--quiet", "--json", "--fast", "--model", model(), "--set", "work=3e10",
                        "--set", "more=2e8", "--set", "steps=4", "-n", std::to_string(ranks),
                        "--platform", "galera-plus", "--map-by", "node", "--method", "none"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json result = json::parse(run.out);
    EXPECT_EQ(result["idle_nodes"], 32 - ranks);
    const double energy = result["runs"][0]["energy_j"].get<double>() +
                          result["runs"][0]["idle_nodes_energy_j"].get<double>();
    data += "4," + std::to_string(ranks) + "," + std::to_string(energy) + "\n";
  }
  const auto result =
      fit({model(), written("runs.csv", data), "--platform", "galera-plus", "--map-by", "node",
           "--idle-nodes", "--parameter", "work,more", "--quiet", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json fitted = json::parse(result.out);
  EXPECT_EQ(fitted["schema"], "hypermile/fit/1");
  EXPECT_NEAR(fitted["estimates"][0]["value"].get<double>() / 3e10, 1, 1e-3);
  EXPECT_NEAR(fitted["estimates"][1]["value"].get<double>() / 2e8, 1, 1e-3);
  ASSERT_EQ(fitted["observations"].size(), 5U);
  for (const json& row : fitted["observations"]) {
    EXPECT_EQ(row["set"]["steps"], 4);
    EXPECT_NEAR(row["left_out"].get<double>() / row["measured"].get<double>(), 1, 1e-3);
  }
}

TEST_F(Fit, says_how_sure_it_is_and_that_it_is_no_validation) {
  const std::string runs = written("runs.csv", "ranks,time_s\n8,1\n16,0.62\n32,0.44\n64,0.41\n");
  const auto result = fit({model(), runs, "--platform", "galera-plus", "--parameter", "work,more"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* part :
       {"95 % interval", "left out", "root mean square", "This is a fit, not a validation"})
    EXPECT_NE(result.out.find(part), std::string::npos) << result.out;
}

TEST_F(Fit, refuses_what_it_cannot_estimate) {
  const auto with = [&](const std::string& data, const std::string& parameters) {
    return std::vector<std::string>{
        model(), written("runs.csv", data), "--platform", "galera-plus", "--parameter", parameters};
  };
  const std::string good = "ranks,time_s\n1,5\n2,3\n";
  expect_failure(with(good, "work,speed"), 1, "has no parameter 'speed' to estimate");
  expect_failure(with(good, "work,more,steps"), 1, "fewer observations than parameters");
  expect_failure(with("ranks,steps,time_s\n1,2,5\n", "steps"), 1,
                 "'steps' is a column of the data, and cannot be estimated");
  expect_failure(with("ranks,size,time_s\n1,2,5\n", "work"), 1, "there is no parameter 'size'");
  expect_failure(with("ranks,time_s\n", "work"), 1, "there are no rows");
  expect_failure(with("ranks,time_s\n0,5\n", "work"), 1, "runs.csv:2: 0 ranks are not between");
  expect_failure(with("ranks,time_s\n4,-5\n", "work"), 1, "runs.csv:2: time_s is not positive");
  expect_failure(with("ranks,time_s\n4,nan\n", "work"), 1, "runs.csv:2: 'nan' is not");
  expect_failure(with("ranks\n4\n", "work"), 1, "there is no column of what was measured");
  expect_failure(with("ranks,time_s,energy_j\n4,1,2\n", "work"), 1, "are both there; try: --to");
  expect_failure(with("ranks,energy_wh,energy_j\n4,1,2\n", "work"), 1, "are both there; try: one");
  expect_failure({model(), "none.csv", "--platform", "galera-plus", "--parameter", "work"}, 1,
                 "none.csv");
  expect_failure({model(), "none.csv", "--parameter", "work"}, 2, "--platform is required");
}

TEST_F(Fit, takes_energy_in_watt_hours_and_what_it_is_told_to_fit) {
  const std::string both = written("runs.csv", "ranks,time_s,energy_wh\n1,3,0.1\n2,3,0.1\n");
  const auto result = fit({model(), both, "--platform", "galera-plus", "--parameter", "work",
                           "--to", "energy", "--quiet", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out)["observations"][0]["measured"], 360);
}

} // namespace
} // namespace hypermile
