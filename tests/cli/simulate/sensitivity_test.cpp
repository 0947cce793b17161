// Computation that reacts less to gears: what is simulated, and what choices learn of it.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace hypermile {
namespace {

using nlohmann::json;
using test::run_of;
using test::simulate;

/// Two nodes whose last gear, number 8, makes computation twice as long; each reacts as it is said.
constexpr const char* platform = R"(schema: hypermile/platform/1
name: p
description: two nodes
types:
  - {name: t, count: 2, speed: 1Gf, sensitivity: SENSITIVITY,
     gears: [2GHz, 1.9GHz, 1.8GHz, 1.7GHz, 1.6GHz, 1.5GHz, 1.4GHz, 1.2GHz, 1GHz],
     power: {dynamic: 20W, static: 4W}}
network:
  link: {bandwidth: 1Gbps, latency: 1us}
)";

/// Each rank computes 10 ms, meets the other, and computes 30 ms before a message.
constexpr const char* model_text = R"(local steps = param("steps", 4, "iterations")
role("all", function(p)
  for i = 1, steps do
    compute(1e7)
    barrier()
    compute(3e7)
    sendrecv(1 - p.rank, 8, 1 - p.rank)
  end
end)
)";

class Sensitivity : public testing::Test {
protected:
  [[nodiscard]] std::string written(const std::string& name, std::string text,
                                    const std::string& sensitivity = "1") const {
    if (const auto place = text.find("SENSITIVITY"); place != std::string::npos)
      text.replace(place, 11, sensitivity);
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }
  [[nodiscard]] json simulation(const std::vector<std::string>& more,
                                const std::string& of_platform = "1") const {
    std::vector<std::string> arguments{
        "--quiet", "--json", "--model",    written("m.lua", model_text),
        "-n",      "2",      "--platform", written("p.yaml", platform, of_platform)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = simulate(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }
  /// How many times as long as in gear 0 the run takes in gear 8, whose S is 2.
  [[nodiscard]] double stretch(const std::vector<std::string>& more,
                               const std::string& of_platform = "1") const {
    std::vector<std::string> arguments{"--gears", "8"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const json runs = simulation(arguments, of_platform)["runs"];
    const json& forecast = runs[1]["predictions"]["dependency"];
    if (!forecast.is_null()) {
      EXPECT_NEAR(forecast["time_s"].get<double>() / runs[1]["time_s"].get<double>(), 1, 0.001);
    }
    return runs[1]["time_s"].get<double>() / runs[0]["time_s"].get<double>();
  }

  test::TemporaryFolder folder_;
};

TEST_F(Sensitivity, makes_computation_take_b_S_and_1_minus_b) {
  for (const std::vector<std::string>& how : {std::vector<std::string>{}, {"--fast"}}) {
    EXPECT_NEAR(stretch(how), 2, 0.002);
    EXPECT_NEAR(stretch(how, "0.6"), 1.6, 0.002);
    auto given = how;
    given.insert(given.end(), {"--sensitivity", "0.25"});
    EXPECT_NEAR(stretch(given, "0.6"), 1.25, 0.002);
    given.back() = "0";
    EXPECT_NEAR(stretch(given), 1, 0.002);
  }
}

/// 10 ms react by 0.2, and 30 ms by 0.8.
TEST_F(Sensitivity, of_a_file_is_that_of_the_computation_before_each_call) {
  const std::string file = written("s.txt", "0.8\nBarrier 0.2\n");
  EXPECT_NEAR(stretch({"--sensitivity", file}), (10 * 1.2 + 30 * 1.8) / 40, 0.002);
  const std::string places = written("q.txt", "0.8\nBarrier/1 0.2\nBarrier/2 1\n");
  EXPECT_NEAR(stretch({"--sensitivity", places}), (10 * 1.2 + 30 * 1.8) / 40, 0.002);
}

TEST_F(Sensitivity, is_learnt_and_used_under_a_bound) {
  const std::vector<std::string> choice{"--set",          "steps=60", "--objective",   "energy",
                                        "--max-slowdown", "10%",      "--sensitivity", "0.3"};
  const json learnt = run_of(simulation(choice), "exact");
  auto without = choice;
  without.emplace_back("--full-sensitivity");
  const json plain = run_of(simulation(without), "exact");
  EXPECT_LE(learnt["slowdown_percent"], 10.3);
  EXPECT_LE(plain["slowdown_percent"], 10.3);
  EXPECT_GT(learnt["saving_percent"].get<double>(), plain["saving_percent"].get<double>() + 3);
  double share = 0;
  for (const json& part : learnt["sensitivities"]) {
    EXPECT_NEAR(part["sensitivity"], 0.3, 0.1);
    share += part["share"].get<double>();
  }
  EXPECT_NEAR(share, 1, 0.05);
  EXPECT_TRUE(plain["sensitivities"].empty());
}

TEST_F(Sensitivity, that_makes_no_sense_is_refused) {
  const std::string model = written("m.lua", model_text);
  const std::string of_nodes = written("p.yaml", platform);
  for (const auto& [option, what] :
       {std::pair<std::string, std::string>{"1.5", "is not a number from 0 to 1"},
        {written("s.txt", "Send\n"), "s.txt:1"}}) {
    const auto result =
        simulate({"--model", model, "-n", "2", "--platform", of_nodes, "--sensitivity", option});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find(what), std::string::npos) << result.err;
  }
  const auto result = simulate(
      {"--model", model, "-n", "2", "--platform", written("q.yaml", platform, "-0.5"), "-q"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("q.yaml:5"), std::string::npos) << result.err;
}

} // namespace
} // namespace hypermile
