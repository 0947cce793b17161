// `hypermile compare` of results that `hypermile simulate` has left.

#include "simulate/simulated.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace hypermile {
namespace {

using nlohmann::json;
using test::contains;
using test::run_hypermile;
using Words = std::vector<std::string>;

struct CompareSimulations : testing::Test {
  test::TemporaryFolder folder;

  /// With its report in a folder of this name.
  json simulated(const std::string& name, Words options = {}) const {
    options.insert(options.end(), {"--report", folder.path(name)});
    return test::simulate_json(test::on_table_3_1(4, options), test::cg_s);
  }
  [[nodiscard]] json compared(Words words) const {
    words.insert(words.begin(), "compare");
    words.emplace_back("--json");
    const auto result = run_hypermile(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out);
  }
  /// What they differ in.
  static Words differing(const json& comparison) {
    Words names;
    for (const json& difference : comparison.at("differences"))
      names.push_back(difference.at("what"));
    return names;
  }
};

/// By hand, from the figures of the simulation itself.
TEST_F(CompareSimulations, has_the_figures_that_the_simulation_has_of_its_methods) {
  const json simulation = simulated("out");
  const json comparison = compared({folder.path("out"), "--with", folder.path("out"), "--method",
                                    "unscaled", "--with-method", "exact"});
  const json& exact = test::run_of(simulation, "exact");
  const json& pair = comparison.at("pairs").at(0);
  EXPECT_NEAR(pair.at("energy").at("percent"), -exact.at("saving_percent").get<double>(), 1e-9);
  EXPECT_NEAR(pair.at("time").at("percent"), exact.at("slowdown_percent"), 1e-9);
  EXPECT_EQ(pair.at("energy_by_a"), Words{"simulated"});
  EXPECT_EQ(differing(comparison), Words{"method"});
}

TEST_F(CompareSimulations, of_the_same_computation_differ_in_nothing) {
  const json simulation = simulated("out");
  std::ofstream(folder.path("again.json")) << simulation.dump();
  const json comparison = compared({folder.path("out"), folder.path("again.json")});
  EXPECT_EQ(comparison.at("pairs").size(), 2U);
  EXPECT_EQ(comparison.at("like_for_like"), true);
  for (const json& pair : comparison.at("pairs"))
    EXPECT_EQ(pair.at("time").at("percent"), 0);
}

TEST_F(CompareSimulations, tell_that_another_bound_was_asked_for) {
  simulated("a");
  simulated("b", {"--max-slowdown", "1%", "--objective", "energy"});
  EXPECT_EQ(differing(compared({folder.path("a"), folder.path("b")})),
            (Words{"objective", "bound on slowdown"}));
}

/// Copies in which times are edited, such that the truth is known.
TEST_F(CompareSimulations, find_the_slowdown_that_was_written_into_copies) {
  const json simulation = simulated("out");
  const auto copy = [&](const std::string& name, double factor) {
    json edited = simulation;
    for (json& run : edited.at("runs"))
      run["time_s"] = run.at("time_s").get<double>() * factor;
    std::ofstream(folder.path(name)) << edited.dump();
    return folder.path(name);
  };
  const Words words{copy("a1", 0.99), copy("a2", 1.01), copy("a3", 1.0), "--with",
                    copy("b1", 1.09), copy("b2", 1.11), copy("b3", 1.1)};
  for (const json& pair : compared(words).at("pairs")) {
    EXPECT_NEAR(pair.at("time").at("percent"), 10, 1e-6);
    EXPECT_LT(pair.at("time").at("percent_low"), 10);
    EXPECT_GT(pair.at("time").at("percent_low"), 5);
    EXPECT_EQ(pair.at("time").at("shown"), true);
    EXPECT_EQ(pair.at("energy").at("shown"), false);
  }
}

TEST_F(CompareSimulations, take_the_results_of_studies) {
  const std::string study = folder.path("study.yaml");
  std::ofstream(study) << "schema: hypermile/study/1\nstudy: two\nprograms: [{name: cg, command: \""
                       << test::smpi_app("cg") << " --class S\", ranks: [2, 4]}]\n"
                       << "platforms: [table-3.1]\nmethods: [exact]\n"
                       << "options: {reference-speed: 110Gf}\n";
  const auto swept = run_hypermile({"sweep", study, "--results", folder.path("results"), "--json"});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  std::ofstream(folder.path("sweep.json")) << swept.out;
  const json comparison = compared({folder.path("results"), folder.path("sweep.json")});
  EXPECT_EQ(comparison.at("pairs").size(), json::parse(swept.out).at("rows").size());
  for (const json& pair : comparison.at("pairs"))
    EXPECT_EQ(pair.at("energy").at("percent"), 0);
  for (const json& mean : comparison.at("means"))
    EXPECT_EQ(mean.at("cells"), 2);
}

} // namespace
} // namespace hypermile
