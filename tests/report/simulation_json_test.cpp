#include "report/simulation_json.hpp"

#include "report/runs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace hypermile::report {
namespace {

using nlohmann::json;

json simulation_as_json(std::vector<simulate::SimulatedRun> runs) {
  simulate::Simulation s;
  s.ranks = 2;
  s.program = {"./app"};
  s.runs = std::move(runs);
  return json::parse(simulation_json(s));
}

TEST(json, has_the_iterations_of_every_rank) {
  auto run = test::unscaled_run();
  run.report.ranks[1].loop.iterations = 50;
  const json loop = simulation_as_json({run})["loop"];
  EXPECT_EQ(loop["iterations"], 100); // rank 0's
  EXPECT_EQ(loop["iterations_per_rank"], (json{100, 50}));
}

TEST(json, says_when_a_choice_reached_the_first_and_the_last_rank) {
  auto run = test::scaled_run({1, 4}, {2}, 10);
  run.report.ranks[1].changes[0].iteration = 30;
  run.report.decisions.push_back(test::decision());
  const json decisions = simulation_as_json({test::unscaled_run(), run})["runs"][1]["decisions"];
  EXPECT_EQ(decisions[0]["took_effect"],
            (json{{"time_s", 2.0}, {"iteration", 30}, {"first_time_s", 1.0}, {"ranks", 2}}));
  EXPECT_EQ(decisions[1]["took_effect"],
            (json{{"time_s", 4.0}, {"iteration", 20}, {"first_time_s", 4.0}, {"ranks", 1}}));
  EXPECT_TRUE(decisions[2]["took_effect"].is_null());
}

} // namespace
} // namespace hypermile::report
