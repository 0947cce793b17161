// select and explain for models and recorded runs; models of which some steps are simulated.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace hypermile {
namespace {

using nlohmann::json;
using test::simulate;
using test::smpi_app;

class RunsOfModels : public testing::Test {
protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }

  /// A file with this model.
  [[nodiscard]] std::string model(const std::string& text) const {
    const std::string file = path("model.lua");
    std::ofstream(file) << text;
    return file;
  }

  static json json_of(const std::string& command, std::vector<std::string> arguments,
                      int exit_code = 0) {
    arguments.insert(arguments.begin(), command);
    arguments.insert(arguments.end(), {"--quiet", "--json"});
    const auto result = test::run_hypermile(arguments);
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  static std::string text_of(std::vector<std::string> arguments) {
    const auto result = test::run_hypermile(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  }

  static void expect_refusal(const std::vector<std::string>& arguments, int code,
                             const std::string& what) {
    const auto result = test::run_hypermile(arguments);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(what), std::string::npos) << result.err;
  }

  [[nodiscard]] std::string recorded_ring() const {
    const auto result =
        test::record({"-q", "--platform", "table-3.1", "-n", "4", "--reference-speed", "300Gf",
                      "-o", path("run.hmr"), "--", smpi_app("halo2d"), "--class", "S"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return path("run.hmr");
  }

private:
  test::TemporaryFolder folder_;
};

const std::vector<std::string> stencil{"--model",    "stencil",   "--set", "steps=8",
                                       "--platform", "table-3.1", "-n",    "4"};

std::vector<std::string> with(std::vector<std::string> words,
                              const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST_F(RunsOfModels, select_chooses_gears_that_simulate_confirms) {
  for (const bool fast : {true, false}) {
    auto options = stencil;
    if (fast)
      options.emplace_back("--fast");
    const json plan = json_of("select", options);
    EXPECT_EQ(plan["schema"], "hypermile/plan/1");
    EXPECT_EQ(plan["model"], "dependency");
    EXPECT_EQ(plan["feasible"], true);
    EXPECT_EQ(plan["certificate"]["kind"], "exact"); // of 4 nodes
    EXPECT_EQ(plan["run"]["ranks"], 4);
    EXPECT_EQ(plan["run"]["uncontended"], fast);
    EXPECT_EQ(plan["frequencies_ghz"].size(), 4U);
    std::ofstream(path("plan.json")) << plan;
    const json taken = json_of("simulate", with(options, {"--plan", path("plan.json")}));
    ASSERT_EQ(taken["runs"].size(), 2U);
    const json& run = taken["runs"][1];
    EXPECT_EQ(run["gears"], plan["gears"]);
    const double close = fast ? 1e-6 : 0.03; // messages meet otherwise in other gears
    EXPECT_NEAR(run["time_s"].get<double>() / plan["time_s"].get<double>(), 1, close);
    EXPECT_NEAR(run["energy_j"].get<double>() / plan["energy_j"].get<double>(), 1, close);
    EXPECT_GT(run["distance_points"].get<double>(), 5);
  }
}

TEST_F(RunsOfModels, select_keeps_bounds_and_says_where_none_can) {
  const auto fast = with(stencil, {"--fast"});
  const json careful =
      json_of("select", with(fast, {"--objective", "energy", "--max-slowdown", "2%"}));
  const json free = json_of("select", with(fast, {"--objective", "energy"}));
  EXPECT_GE(careful["p_norm"].get<double>(), 1 / 1.02 - 1e-9);
  EXPECT_LT(free["energy_j"].get<double>(), careful["energy_j"].get<double>());
  const json impossible = json_of("select", with(fast, {"--power-cap", "1W"}), 3);
  EXPECT_EQ(impossible["feasible"], false);
}

TEST_F(RunsOfModels, select_and_explain_read_recorded_runs) {
  const std::string run = recorded_ring();
  const json plan = json_of("select", {run});
  EXPECT_EQ(plan["run"]["ranks"], 4);
  EXPECT_EQ(plan["request"]["platform"], "table-3.1");
  const json unscaled = json_of("explain", {run});
  EXPECT_EQ(unscaled["folder"], nullptr);
  EXPECT_EQ(unscaled["run"], "unscaled");
  std::ofstream(path("plan.json")) << plan;
  const json planned = json_of("explain", {run, "--plan", path("plan.json")});
  EXPECT_NEAR(planned["time_s"].get<double>() / plan["time_s"].get<double>(), 1, 1e-9);
  EXPECT_NEAR(planned["energy_j"].get<double>() / plan["energy_j"].get<double>(), 1, 1e-9);
  EXPECT_GE(planned["time_s"].get<double>(), unscaled["time_s"].get<double>());
}

TEST_F(RunsOfModels, explain_is_that_of_the_folder_that_simulate_leaves) {
  const auto fast = with(stencil, {"--fast"});
  (void)json_of("simulate", with(fast, {"--report", path("out")}));
  json of_folder = json_of("explain", {path("out"), "--run", "planned"});
  json direct = json_of("explain", with(fast, {"--run", "planned"}));
  of_folder.erase("folder");
  direct.erase("folder");
  EXPECT_EQ(direct, of_folder);
}

TEST_F(RunsOfModels, explain_takes_gears_of_all_kinds) {
  const auto fast = with(stencil, {"--fast"});
  EXPECT_EQ(json_of("explain", with(fast, {"--gears", "1,2,0,3"}))["nodes"][3]["gear"], 3);
  EXPECT_EQ(json_of("explain", with(fast, {"--gears", "type2=4"}))["nodes"][1]["gear"], 4);
  EXPECT_EQ(json_of("explain", with(stencil, {"--run", "exact"}))["run"], "exact");
}

TEST_F(RunsOfModels, swap_takes_another_component) {
  const std::vector<std::string> on_galera{
      "--model", "stencil", "--set", "steps=4", "--fast", "-n", "16", "--platform", "galera-plus"};
  for (const char* command : {"select", "explain"}) {
    const json slow =
        json_of(command, with(on_galera, {"--swap", "network=ethernet-1g", "--map-by", "node"}));
    const json quick = json_of(command, with(on_galera, {"--map-by", "node"}));
    EXPECT_GT(slow["time_s"].get<double>(), quick["time_s"].get<double>()) << command;
  }
}

TEST_F(RunsOfModels, wrong_options_are_refused) {
  const std::string text = model("role('all', function() compute(-1) end)");
  for (const char* command : {"select", "explain"}) {
    expect_refusal({command, "--model", "stencil", "-n", "4"}, 2, "--platform, with --model,");
    expect_refusal({command, "--model", "stencil", "--platform", "table-3.1"}, 2, "-n, with");
    expect_refusal({command, "x.json", "--model", "stencil", "--platform", "table-3.1", "-n", "4"},
                   2, "without x.json");
    expect_refusal({command, "x.json", "-n", "4"}, 2, "is for a run");
    expect_refusal({command, "x.json", "--fast"}, 2, "is for models");
    expect_refusal({command, "x.json", "--platform", "table-3.1"}, 2, "--workload");
    expect_refusal(with({command, "-q"}, {"--model", text, "--platform", "table-3.1", "-n", "4"}),
                   1, "model.lua:1: rank 0, role 'all'");
  }
  expect_refusal(with({"select", "-q", "--fast", "--method", "alg5"}, stencil), 1,
                 "only 'exact' knows who waits for whom");
  expect_refusal(with({"select", "-q", "--fast", "--pareto"}, stencil), 1, "no Pareto front");
  expect_refusal(with({"explain", "-q", "--run", "fastest"}, stencil), 2, "'fastest'");
  expect_refusal(with({"explain", "-q", "--fast", "--gears", "99"}, stencil), 2, "99");
  std::ofstream(path("broken.hmr")) << "hypermile/recorded-run/1\nno";
  expect_refusal({"select", "-q", path("broken.hmr")}, 1, "broken.hmr");
  expect_refusal({"explain", "-q", path("broken.hmr")}, 1, "broken.hmr");
}

TEST_F(RunsOfModels, explain_refuses_a_plan_of_a_run_without_the_run) {
  std::ofstream(path("plan.json")) << json_of("select", with(stencil, {"--fast"}));
  expect_refusal({"explain", path("plan.json")}, 1, "is a plan for a run");
}

constexpr const char* stepping = "role('all', function(p)\n"
                                 "  compute(2e8) bcast(0, 1e6)\n"
                                 "  steps(200, 12, function()\n"
                                 "    compute(1e7 * (1 + p.rank % 3))\n"
                                 "    sendrecv((p.rank + 1) % ranks, 8e4, (p.rank - 1) % ranks)\n"
                                 "    allreduce(8)\n"
                                 "  end)\n"
                                 "  compute(1e8) reduce(0, 8)\n"
                                 "end)";

TEST_F(RunsOfModels, simulate_extrapolates_steps_under_simgrid_and_without_it) {
  const std::vector<std::string> options{
      "--model", model(stepping), "--platform", "table-3.1", "-n",
      "4",       "--gears",       "0,3,2,5",    "--gears",   "4"};
  for (const bool fast : {true, false}) {
    const auto here = fast ? with(options, {"--fast"}) : options;
    const json part = json_of("simulate", here);
    const json whole = json_of("simulate", with(here, {"--all-steps"}));
    EXPECT_EQ(whole["extrapolated"], nullptr);
    EXPECT_EQ(part["extrapolated"], (json{{{"line", 3},
                                           {"loops", 1},
                                           {"steps", 200},
                                           {"simulated", 12},
                                           {"taken_from_last", 4}}}));
    ASSERT_EQ(part["runs"].size(), 3U);
    for (std::size_t r = 0; r < 3; ++r) {
      const json& run = part["runs"][r];
      EXPECT_EQ(whole["runs"][r]["simulated_part"], nullptr);
      EXPECT_LT(run["simulated_part"]["time_s"].get<double>(), 0.5 * run["time_s"].get<double>());
      EXPECT_NEAR(run["simulated_part"]["unsettled_percent"].get<double>(), 0, 0.1);
      for (const char* figure : {"time_s", "energy_j"})
        EXPECT_NEAR(run[figure].get<double>() / whole["runs"][r][figure].get<double>(), 1, 1e-3)
            << r << figure << fast;
    }
  }
}

TEST_F(RunsOfModels, all_reports_tell_that_steps_were_extrapolated) {
  const std::string file = model(stepping);
  const std::vector<std::string> options{"-q",        "--model", file, "--platform",
                                         "table-3.1", "-n",      "4",  "--fast"};
  const std::string said = "Of the 200 steps in line 3, 12 were simulated.";
  const std::string simulated = text_of(with({"simulate", "--report", path("out")}, options));
  EXPECT_NE(simulated.find(said), std::string::npos) << simulated;
  EXPECT_NE(simulated.find("extrapolated"), std::string::npos) << simulated;
  const std::string selected = text_of(with({"select"}, options));
  EXPECT_NE(selected.find(said), std::string::npos) << selected;
  for (const auto& explained :
       {text_of({"explain", path("out")}), text_of(with({"explain"}, options))})
    EXPECT_NE(explained.find("The whole run takes"), std::string::npos) << explained;
  const json explained = json_of(
      "explain", with({}, {"--model", file, "--platform", "table-3.1", "-n", "4", "--fast"}));
  EXPECT_GT(explained["whole"]["time_s"].get<double>(), explained["time_s"].get<double>());
}

TEST_F(RunsOfModels, fast_says_where_messages_overlap_on_a_link) {
  // Two messages of 1 MB leave rank 0 at a time, over a link that takes 8 ms for each.
  const std::string twice = model("role('all', function(p)\n"
                                  "  if p.rank == 0 then isend(1, 1e6) isend(2, 1e6) wait()\n"
                                  "  else recv(0) end\n"
                                  "end)");
  const std::vector<std::string> options{"--model", twice, "--platform", "table-3.1",
                                         "-n",      "3",   "--fast"};
  EXPECT_NEAR(json_of("simulate", options)["overlap_s"].get<double>(), 8e-3, 1e-9);
  const std::string told = text_of(with({"simulate", "-q"}, options));
  EXPECT_NE(told.find("Here they do"), std::string::npos) << told;
  const std::vector<std::string> spmd{"--model", "spmd", "--platform", "table-3.1", "-n", "8"};
  const json fast = json_of("simulate", with(spmd, {"--fast", "--method", "none"}));
  EXPECT_GT(fast["overlap_s"].get<double>(), 0.01 * fast["runs"][0]["time_s"].get<double>());
  (void)model("role('all', function(p)\n"
              "  if p.rank == 0 then send(1, 1e6) send(2, 1e6)\n"
              "  else recv(0) end\n"
              "end)");
  EXPECT_EQ(json_of("simulate", options)["overlap_s"], 0);
  const std::string silent = text_of(with({"simulate", "-q"}, options));
  EXPECT_EQ(silent.find("Here they do"), std::string::npos) << silent;
  EXPECT_EQ(json_of("simulate", stencil)["overlap_s"], nullptr);
}

TEST_F(RunsOfModels, leave_nothing_behind_when_they_are_interrupted) {
  const std::string file = model("role('all', function() for i = 1, 9e8 do end end)");
  for (const char* command : {"select", "explain"})
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      const test::TemporaryFolder temporary;
      test::RunningCommand running(
          {command, "--model", file, "--platform", "table-3.1", "-n", "100", "--fast", "-q"}, "",
          {{"TMPDIR", temporary.path()}});
      while (temporary.empty())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(50)); // until it runs the model
      running.signal(signal);
      EXPECT_EQ(running.wait().exit_code, 128 + signal) << command;
      EXPECT_TRUE(temporary.empty()) << command << signal;
    }
}

TEST(SimulatedRuns, see_no_variable_that_the_simulation_leaves_empty) {
  const std::vector<std::string> options{"-q",         "--json",   "--model", "stencil",
                                         "--set",      "steps=12", "-n",      "4",
                                         "--platform", "table-3.1"};
  const auto clean = simulate(options);
  const std::vector<std::pair<const char*, const char*>> variables{
      {"HYPERMILE_GOVERNOR", "powersave"}, {"HYPERMILE_GEARS", "3,3,3,3"},
      {"HYPERMILE_EQUAL_SHARES", "on"},    {"HYPERMILE_DRY_RUN", "on"},
      {"HYPERMILE_POWER_CAP", "20W"},      {"HYPERMILE_EVERY", "3"}};
  for (const auto& [name, value] : variables) {
    ::setenv(name, value, 1);
    const auto result = simulate(options);
    ::unsetenv(name);
    EXPECT_EQ(result.exit_code, 0) << name << result.err;
    EXPECT_EQ(result.out, clean.out) << name;
  }
}

} // namespace
} // namespace hypermile
