// What `hypermile record` keeps, `simulate --replay` repeats: the same time and energy as the
// program has, with the same choices of gears.

#include "replay/recorded_run.hpp"
#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace hypermile {
namespace {

using nlohmann::json;
using test::on_table_3_1;
using test::record;
using test::simulate;
using test::simulate_json;
using test::smpi_app;
using test::smpi_program;

// Of a time or an energy.
constexpr double same = 1e-6;
constexpr double nearly_same = 1e-3; ///< where the program asks whether something has come

class Replay : public testing::TestWithParam<std::string> {
protected:
  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  /// What `record` said.
  json record_json(std::vector<std::string> options, const std::vector<std::string>& program) {
    options.insert(options.end(), {"--json", "-o", path("run.hmr"), "--"});
    options.insert(options.end(), program.begin(), program.end());
    const auto result = record(options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  json replay_json(std::vector<std::string> options) {
    options.insert(options.end(), {"--quiet", "--json", "--replay", path("run.hmr")});
    const auto result = simulate(options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  void expect_failure(const std::vector<std::string>& arguments, int code,
                      const std::string& what) {
    const auto result = simulate(arguments);
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(what), std::string::npos) << result.err;
  }

private:
  test::TemporaryFolder folder_;
};

void expect_same_runs(const json& run, const json& repeated) {
  ASSERT_EQ(run["runs"].size(), repeated["runs"].size());
  for (std::size_t i = 0; i < run["runs"].size(); ++i) {
    const json& a = run["runs"][i];
    const json& b = repeated["runs"][i];
    EXPECT_NEAR(a["time_s"], b["time_s"], same * a["time_s"].get<double>());
    EXPECT_NEAR(a["energy_j"], b["energy_j"], same * a["energy_j"].get<double>());
    ASSERT_EQ(a["decisions"].size(), b["decisions"].size());
    for (std::size_t d = 0; d < a["decisions"].size(); ++d)
      EXPECT_EQ(a["decisions"][d]["gears"], b["decisions"][d]["gears"]);
  }
}

TEST_P(Replay, has_the_time_the_energy_and_the_choices_of_the_run) {
  const std::vector<std::string> program{smpi_app(GetParam()), "--class", "S"};
  (void)simulate_json(on_table_3_1(4, {"--method", "none", "--report", path("report")}), program);
  const std::vector<std::string> with_computation =
      on_table_3_1(4, {"--computation", path("report/computation.txt")});
  const json recorded = record_json(with_computation, program);
  EXPECT_EQ(recorded["remarks"], json::array());
  EXPECT_EQ(recorded["not_repeatable"], json());
  auto options = with_computation;
  options.insert(options.end(), {"--compare", "exact,planned"});
  expect_same_runs(simulate_json(options, program), replay_json({"--compare", "exact,planned"}));
}

INSTANTIATE_TEST_SUITE_P(Apps, Replay,
                         testing::Values("cg", "ft", "halo2d", "heat3d", "is", "mergesort", "mg",
                                         "ring", "transpose", "tree", "wavefront"));

class ReplayOf : public Replay {};

TEST_P(ReplayOf, makes_the_calls_of_the_run) {
  const json recorded = record_json(on_table_3_1(4), {smpi_program(GetParam())});
  const json repeated = replay_json({"--method", "none"})["runs"][0];
  EXPECT_NEAR(repeated["time_s"], recorded["time_s"],
              nearly_same * recorded["time_s"].get<double>());
  EXPECT_NEAR(repeated["energy_j"], recorded["energy_j"],
              nearly_same * recorded["energy_j"].get<double>());
}

INSTANTIATE_TEST_SUITE_P(Programs, ReplayOf,
                         testing::Values("collectives", "every_tenth", "fortran_loop",
                                         "fortran_messages", "marker", "nested_loop",
                                         "no_communication", "only_allreduce", "persistent",
                                         "probing", "roles", "setup_broadcast", "single_iteration",
                                         "two_phases", "wildcards"));

/// Whose calls of MPI_Waitsome come more or less often, as time has it: replay waits otherwise.
TEST_F(Replay, finds_the_loop_of_a_program_that_waits_for_some) {
  (void)record_json(on_table_3_1(4), {smpi_program("waitsome"), "60", "500"});
  const json repeated = replay_json({"--compare", "exact"});
  EXPECT_GE(repeated["loop"]["iterations"], 57);
  EXPECT_LE(repeated["loop"]["iterations"], 60);
}

TEST_F(Replay, takes_place_on_another_platform) {
  const std::vector<std::string> program{smpi_app("cg"), "--class", "S"};
  (void)simulate_json(on_table_3_1(4, {"--method", "none", "--report", path("report")}), program);
  const std::string computation = path("report/computation.txt");
  (void)record_json(on_table_3_1(4, {"--computation", computation}), program);
  const std::vector<std::string> elsewhere{"--platform", "table-2.1", "-n", "4"};
  auto options = elsewhere;
  options.insert(options.end(), {"--quiet", "--method", "none", "--computation", computation});
  const json run = simulate_json(options, program)["runs"][0];
  const json repeated = replay_json({"--platform", "table-2.1", "--method", "none"})["runs"][0];
  EXPECT_NEAR(run["time_s"], repeated["time_s"], 1e-3 * run["time_s"].get<double>());
  EXPECT_NEAR(run["energy_j"], repeated["energy_j"], 1e-3 * run["energy_j"].get<double>());
}

TEST_F(Replay, of_nodes_whose_speed_nobody_knows_takes_it_from_the_user) {
  (void)record_json(on_table_3_1(4), {smpi_app("cg"), "--class", "S"});
  const std::vector<std::string> elsewhere{"--platform", "table-2.1", "--method", "planned"};
  const json known = replay_json(elsewhere);
  auto run = replay::read_recorded_run(path("run.hmr"));
  run.platform.clear();
  for (std::size_t rank = 0; rank < run.nodes.size(); ++rank) {
    for (Work& work : run.timeline.ranks[rank].work) // as if all had had cores of 40 Gf
      work = Work{std::round((work / Speed{40e9} * replay::unknown_speed).value())};
    run.speeds[rank] = replay::unknown_speed;
  }
  std::ofstream(path("run.hmr"), std::ios::binary) << replay::print_recorded_run(run);
  auto options = elsewhere;
  options.insert(options.end(), {"--reference-speed", "40Gf"});
  const json told = replay_json(options);
  for (std::size_t i = 0; i < 2; ++i) {
    const double time = known["runs"][i]["time_s"];
    EXPECT_NEAR(told["runs"][i]["time_s"], time, 1e-3 * time);
  }
  expect_failure({"--replay", path("run.hmr")}, 1, "nobody knows how fast");
  expect_failure({"--replay", path("run.hmr"), "--platform", "table-2.1"}, 1, "--reference-speed");
}

TEST_F(Replay, tells_what_it_is_of_and_what_is_otherwise) {
  const json recorded = record_json(on_table_3_1(4), {smpi_program("wildcards")});
  ASSERT_EQ(recorded["remarks"].size(), 1U);
  const json repeated = replay_json({"--method", "none"});
  EXPECT_EQ(repeated["remarks"], recorded["remarks"]);
  EXPECT_EQ(repeated["replayed"], path("run.hmr"));
  EXPECT_EQ(repeated["ranks"], 4);
  EXPECT_EQ(repeated["platform"], "table-3.1");
}

TEST_F(Replay, of_one_sided_communication_is_refused_when_it_is_recorded) {
  auto options = on_table_3_1(4);
  options.insert(options.end(), {"-o", path("run.hmr"), "--", smpi_program("one_sided")});
  const auto result = record(options);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("It cannot be repeated"), std::string::npos) << result.out;
  expect_failure({"--quiet", "--replay", path("run.hmr")}, 1,
                 "cannot be repeated: rank 0: MPI_Put");
}

TEST_F(Replay, of_a_damaged_file_is_refused) {
  (void)record_json(on_table_3_1(2), {smpi_program("only_allreduce")});
  std::ofstream(path("run.hmr"), std::ios::in | std::ios::binary).seekp(100) << "damaged";
  expect_failure({"--quiet", "--replay", path("run.hmr")}, 1, "run.hmr: is damaged");
}

TEST_F(Replay, is_refused_beside_what_it_replaces) {
  (void)record_json(on_table_3_1(2), {smpi_program("only_allreduce")});
  const std::string run = path("run.hmr");
  expect_failure({"--replay", run, "-n", "3"}, 1, "is of a run with 2 ranks, but 3 are asked for");
  expect_failure({"--replay", run, "--", smpi_program("ring")}, 2, "in place of PROGRAM");
  expect_failure({"--replay", run, "--reference-speed", "1Gf"}, 1, "says how fast its cores were");
  expect_failure({"--replay", run, "--computation", "x"}, 2, "brings its computation");
  expect_failure({"--replay", run + "x"}, 1, "run.hmrx");
  expect_failure({"--platform", "table-3.1"}, 2, "PROGRAM");
}

} // namespace
} // namespace hypermile
