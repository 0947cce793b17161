// Traces in OTF2: written by another tool than hypermile, and by hypermile itself; read as recorded
// runs, which are to give the forecasts of our own recordings.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace hypermile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::on_table_3_1;
using test::smpi_app;
using test::smpi_program;
using Words = std::vector<std::string>;

constexpr double within = 0.01; ///< of a time or an energy: what is promised

class Otf2 : public testing::Test {
protected:
  void SetUp() override {
#ifndef HYPERMILE_OTF2
    GTEST_SKIP() << "this build has no OTF2";
#endif
  }
  std::string path(const std::string& name) const { return mine.path(name); }

  test::CommandResult trace(Words words) {
    words.insert(words.begin(), "trace");
    return test::run_hypermile(words);
  }

  /// The trace of tests/programs/traced.cpp on 4 nodes of Table 3.1, whose speeds these are.
  void write_by_another_tool(const std::string& folder, const std::string& more = "") {
    const auto result =
        test::RunningCommand::shell(std::string("/usr/bin/python3 " HYPERMILE_SOURCE_DIR
                                                "/tests/cli/trace/write_otf2.py ") +
                                    folder + " --work 3e7 --speeds 40e9,50e9,60e9,70e9 " + more)
            .wait();
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  void import(const std::string& from, const std::string& to) {
    const auto result = trace({"import", from, "-q", "--platform", "table-3.1", "-o", path(to)});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  json explained(const std::string& recording) {
    const auto result = test::run_hypermile(
        {"explain", path(recording), "-q", "--json", "--gears", "type1=3,type2=1,type3=4"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  void expect_same_forecast(const std::string& a, const std::string& b, double relative) {
    const json own = explained(a);
    const json other = explained(b);
    for (const char* key : {"time_s", "energy_j"}) {
      EXPECT_NEAR(other[key], own[key], relative * own[key].get<double>()) << key;
      EXPECT_NEAR(other["baseline"][key], own["baseline"][key],
                  relative * own["baseline"][key].get<double>())
          << key;
    }
  }

  /// What the command says of a file that it does not take.
  void expect_refusal(const std::string& file, const std::string& part) {
    const auto result = trace({"import", file, "-o", path("refused.hmr")});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(file), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << part << "\nis not in\n" << result.err;
    EXPECT_FALSE(fs::exists(path("refused.hmr")));
  }

  test::TemporaryFolder mine;
};

/// Before each call 3e7 are computed, in the program as in the trace.
TEST_F(Otf2, written_by_another_tool_gives_the_forecast_of_our_own_recording) {
  const Words program{smpi_program("traced")};
  (void)test::simulate_json(on_table_3_1(4, {"--method", "none", "--report", path("report")}),
                            program);
  test::write_even_recording(path("report/computation.txt"), path("even.txt"), 30000000);
  Words options = on_table_3_1(4, {"--computation", path("even.txt"), "-o", path("own.hmr"), "--"});
  options.insert(options.end(), program.begin(), program.end());
  ASSERT_EQ(test::record(options).exit_code, 0);
  write_by_another_tool(path("other"));
  import(path("other/traces.otf2"), "other.hmr");
  expect_same_forecast("own.hmr", "other.hmr", within);
}

/// As on a real machine of which nobody has said how fast it is.
TEST_F(Otf2, of_unknown_cores_takes_their_speed_when_it_is_repeated) {
  write_by_another_tool(path("other"));
  const auto result = trace({"import", path("other/traces.otf2"), "-q", "-o", path("run.hmr")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("--reference-speed"), std::string::npos) << result.out;
  const auto repeated = test::run_hypermile({"select", path("run.hmr"), "-q", "--platform",
                                             "table-3.1", "--reference-speed", "40Gf", "--json"});
  EXPECT_EQ(repeated.exit_code, 0) << repeated.err;
  const auto nobody_knows = test::run_hypermile({"explain", path("run.hmr"), "-q"});
  EXPECT_EQ(nobody_knows.exit_code, 1);
}

class Otf2OfApp : public Otf2, public testing::WithParamInterface<std::string> {};

TEST_P(Otf2OfApp, written_and_read_gives_the_same_forecast) {
  Words options = on_table_3_1(8, {"-o", path("own.hmr"), "--", smpi_app(GetParam())});
  options.insert(options.end(), {"--class", "S"});
  ASSERT_EQ(test::record(options).exit_code, 0);
  const auto written =
      trace({"export", path("own.hmr"), "-q", "--format", "otf2", "-o", path("otf2")});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const auto printed =
      test::RunningCommand::shell("otf2-print " + path("otf2/traces.otf2") + " > /dev/null").wait();
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_EQ(printed.err, "");
  import(path("otf2/traces.otf2"), "read.hmr");
  // Of MPI_Alltoallv a trace has sums only.
  expect_same_forecast("own.hmr", "read.hmr", GetParam() == "is" ? within : 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Apps, Otf2OfApp,
                         testing::Values("cg", "ft", "halo2d", "is", "mg", "ring", "wavefront"));

TEST_F(Otf2, refuses_traces_that_cannot_be_followed) {
  const std::vector<std::pair<std::string, std::string>> faults{
      {"unreceived", "from rank 1 to rank 0 with tag 9"},
      {"alone", "collective operations of MPI_COMM_WORLD"},
      {"untold", "does not tell of the collective operation in MPI_Barrier"},
      {"put", "MPI_Put is one-sided communication"},
      {"outside", "outside of any MPI function"},
      {"request", "request 999 is completed, which was not begun"},
      {"open", "before request 999 is completed"},
      {"off", "tracing was off for a while"},
      {"one-sided", "one-sided communication"},
      {"unfinished", "the trace ends in MPI_Barrier"},
      {"shmem", "it has no ranks of MPI"}};
  for (const auto& [fault, part] : faults) {
    write_by_another_tool(path(fault), "--iterations 2 --fault " + fault);
    expect_refusal(path(fault) + "/traces.otf2", part);
  }
}

TEST_F(Otf2, refuses_traces_that_are_damaged) {
  write_by_another_tool(path("cut"));
  fs::resize_file(path("cut/traces/1.evt"), 3000);
  expect_refusal(path("cut/traces.otf2"), "rank 1: "); // noise may look like events
  fs::remove(path("cut/traces/1.evt"));
  expect_refusal(path("cut/traces.otf2"), "rank 1: its events are not there");
  fs::resize_file(path("cut/traces.def"), 500);
  expect_refusal(path("cut/traces.otf2"), "its definitions are cut off or damaged");
  fs::remove(path("cut/traces.def"));
  expect_refusal(path("cut/traces.otf2"), "traces.otf2");
  std::ofstream(path("text.otf2")) << "no trace\n";
  expect_refusal(path("text.otf2"), "is no trace that can be read");
  expect_refusal(path("none.otf2"), "is no trace that can be read");
}

TEST_F(Otf2, of_a_part_of_a_run_is_complete_in_itself) {
  write_by_another_tool(path("other"));
  import(path("other/traces.otf2"), "run.hmr");
  const auto part = trace({"export", path("run.hmr"), "-q", "--from", "50ms", "--to", "150ms",
                           "--format", "otf2", "-o", path("part")});
  ASSERT_EQ(part.exit_code, 0) << part.err;
  import(path("part/traces.otf2"), "part.hmr");
  const double time = explained("part.hmr")["baseline"]["time_s"];
  EXPECT_GT(time, 0.05);
  EXPECT_LT(time, 0.15);
}

/// Read by another tool, against what the command tells.
TEST_F(Otf2, has_power_and_gears_as_metrics_that_add_up_to_the_energy) {
  write_by_another_tool(path("other"));
  import(path("other/traces.otf2"), "run.hmr");
  const auto written = trace({"export", path("run.hmr"), "-q", "--gears", "3,0,2,5", "--format",
                              "otf2", "--json", "-o", path("otf2")});
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const double energy = json::parse(written.out)["runs"][0]["energy_j"];
  const auto read = test::RunningCommand::shell("/usr/bin/python3 " HYPERMILE_SOURCE_DIR
                                                "/tests/cli/trace/read_counters.py " +
                                                path("otf2/traces.otf2"))
                        .wait();
  ASSERT_EQ(read.exit_code, 0) << read.err;
  const json metrics = json::parse(read.out);
  ASSERT_EQ(metrics["places"].size(), 5U) << metrics; // 4 nodes, and all of them
  double of_nodes = 0;
  double of_all = 0;
  std::vector<json> gears;
  for (const json& place : metrics["places"]) {
    EXPECT_EQ(place["locations"].size(), 1U) << place;
    (place["class"] == "node" ? of_nodes : of_all) += place["energy_j"].get<double>();
    if (place["class"] == "node")
      gears.push_back(place["gears"]);
  }
  EXPECT_NEAR(of_nodes, energy, 1e-9 * energy); // ticks are picoseconds
  EXPECT_NEAR(of_all, energy, 1e-9 * energy);
  EXPECT_TRUE(
      std::ranges::is_permutation(gears, std::vector<json>{{3, 3}, {0, 0}, {2, 2}, {5, 5}}));
  EXPECT_EQ(metrics["last_w"], json({0, 0, 0, 0, 0}));
}

TEST_F(Otf2, with_metrics_is_read_without_a_remark) {
  write_by_another_tool(path("other"));
  import(path("other/traces.otf2"), "run.hmr");
  ASSERT_EQ(
      trace({"export", path("run.hmr"), "-q", "--format", "otf2", "-o", path("otf2")}).exit_code,
      0);
  const auto read =
      trace({"import", path("otf2/traces.otf2"), "-q", "--json", "-o", path("again.hmr")});
  ASSERT_EQ(read.exit_code, 0) << read.err;
  EXPECT_EQ(json::parse(read.out)["remarks"], json::array());
}

TEST_F(Otf2, of_a_forecast_is_no_run) {
  write_by_another_tool(path("other"));
  import(path("other/traces.otf2"), "run.hmr");
  ASSERT_EQ(trace({"export", path("run.hmr"), "-q", "--gears", "3", "--format", "otf2", "-o",
                   path("slower")})
                .exit_code,
            0);
  expect_refusal(path("slower/traces.otf2"), "is a forecast by hypermile");
  const auto again =
      trace({"export", path("run.hmr"), "-q", "--format", "otf2", "-o", path("slower")});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("is there already"), std::string::npos) << again.err;
}

TEST(otf2, is_told_to_be_missing_where_it_is) {
#ifdef HYPERMILE_OTF2
  GTEST_SKIP() << "this build has OTF2";
#endif
  const auto result = test::run_hypermile({"trace", "import", "any.otf2", "-o", "/dev/null"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("without OTF2 support"), std::string::npos) << result.err;
}

} // namespace
} // namespace hypermile
