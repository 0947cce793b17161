// `hypermile report` as a shell sees it. What its page shows: page_test.py.

#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace hypermile {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::content;
using test::run_hypermile;

/// The least that the folder of a run can have.
nlohmann::json least_run() {
  nlohmann::json run{{"schema", "hypermile/run/1"}};
  for (const char* const key :
       {"max_slowdown", "predicted", "whole_run", "measured", "baseline", "plan"})
    run[key] = nullptr;
  for (const char* const key : {"power_caps", "phases", "sensitivities", "trade_offs", "remarks",
                                "learnt", "nodes", "decisions", "ranks_detail", "power_over_time"})
    run[key] = nlohmann::json::array();
  for (const char* const key : {"ranks", "time_s", "overhead_s", "own_time_percent",
                                "start_and_end_s", "estimated_call_overhead_s", "exit_code"})
    run[key] = 1;
  for (const char* const key : {"emulated", "dry_run", "gears_in_effect"})
    run[key] = false;
  for (const char* const key : {"command", "method", "objective", "platform", "verdict"})
    run[key] = "a </script> text";
  run["energy"] = nlohmann::json::object();
  return run;
}

struct ReportCommand : testing::Test {
  test::TemporaryFolder folder;

  void SetUp() override {
    if (!fs::exists(std::string(HYPERMILE_BINARY_DIR) + "/share/hypermile/report.html"))
      GTEST_SKIP() << "this hypermile was built without the page";
  }
  void write_run() const { std::ofstream(folder.path("run.json")) << least_run().dump(); }
};

TEST_F(ReportCommand, leaves_one_file_in_the_folder) {
  write_run();
  const auto result = run_hypermile({"report", folder.path()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "hypermile: the report is in " + folder.path("report.html") + "\n");
  const std::string page = content(folder.path("report.html"));
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_TRUE(contains(page, R"("verdict":"a \u003c/script> text")"));
  EXPECT_FALSE(contains(page, "@HYPERMILE_DATA@"));
}

TEST_F(ReportCommand, refers_to_nothing_outside_of_the_page) {
  write_run();
  const std::string page = run_hypermile({"report", folder.path(), "-o", "-"}).out;
  for (const char* const reference : {"src=\"", "<link", "@import"})
    EXPECT_FALSE(contains(page, reference)) << reference;
  EXPECT_TRUE(contains(page, "default-src 'none'"));
}

TEST_F(ReportCommand, writes_where_it_is_told_to) {
  write_run();
  const std::string file = folder.path("elsewhere.html");
  EXPECT_EQ(run_hypermile({"report", folder.path(), "-o", file}).exit_code, 0);
  EXPECT_EQ(content(file), run_hypermile({"report", folder.path(), "-o", "-"}).out);
  EXPECT_FALSE(fs::exists(folder.path("report.html")));
  const auto nowhere = run_hypermile({"report", folder.path(), "-o", folder.path("no/x.html")});
  EXPECT_EQ(nowhere.exit_code, 1);
  EXPECT_TRUE(contains(nowhere.err, "no/x.html")) << nowhere.err;
}

TEST_F(ReportCommand, takes_the_factors_of_cost) {
  write_run();
  const auto result = run_hypermile(
      {"report", folder.path(), "-o", "-", "--price", "0.28", "--currency", "EUR", "--co2", "380"});
  EXPECT_TRUE(
      contains(result.out, R"("price_per_kwh":0.28,"currency":"EUR","co2_g_per_kwh":380.0)"));
  for (const char* const odd : {"-1", "much"}) {
    const auto refused = run_hypermile({"report", folder.path(), "--price", odd});
    EXPECT_EQ(refused.exit_code, 2) << odd;
    EXPECT_TRUE(contains(refused.err, "--price")) << refused.err;
  }
}

TEST_F(ReportCommand, says_which_folders_it_understands) {
  const auto empty = run_hypermile({"report", folder.path()});
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_TRUE(contains(empty.err, "has neither run.json nor simulation.json")) << empty.err;
  EXPECT_TRUE(contains(empty.err, "'hypermile simulate --report FOLDER'")) << empty.err;
  const auto none = run_hypermile({"report", folder.path("none")});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_TRUE(contains(none.err, "there is no folder and no file")) << none.err;
  EXPECT_EQ(run_hypermile({"report"}).exit_code, 2);
}

TEST_F(ReportCommand, makes_a_page_of_a_file_beside_it) {
  const std::string problem = folder.path("problem.json");
  std::ofstream(problem) << R"({"model": "cluster", "nodes": [
    {"gears_ghz": [2.5, 2.0], "tcp_s": 1.2, "tcm_s": 0.3, "pd_w": 20, "ps_w": 4}]})";
  for (const char* const option : {"--json", "--pareto"}) {
    const auto selected = run_hypermile({"select", problem, "--json", option});
    ASSERT_EQ(selected.exit_code, 0) << selected.err;
    std::ofstream(folder.path("result.json")) << selected.out;
    fs::remove(folder.path("result.html"));
    const auto result = run_hypermile({"report", folder.path("result.json")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, folder.path("result.html"))) << result.err;
    EXPECT_TRUE(content(folder.path("result.html")).starts_with("<!doctype html>"));
  }
}

TEST_F(ReportCommand, says_of_which_files_there_are_pages) {
  std::ofstream(folder.path("doctor.json")) << R"({"schema": "hypermile/doctor/2"})";
  const auto other = run_hypermile({"report", folder.path("doctor.json")});
  EXPECT_EQ(other.exit_code, 1);
  EXPECT_TRUE(contains(other.err, "there is no page of hypermile/doctor/2")) << other.err;
  EXPECT_TRUE(contains(other.err, "'hypermile select --json'")) << other.err;
  EXPECT_FALSE(fs::exists(folder.path("doctor.html")));
}

TEST(report_command, of_a_build_without_the_page_says_what_to_do) {
  const test::TemporaryFolder prefix;
  const auto result =
      test::RunningCommand::shell("mkdir " + prefix.path("bin") + " && cp \"$HYPERMILE\" " +
                                  prefix.path("bin") + " && exec " + prefix.path("bin/hypermile") +
                                  " report " + prefix.path())
          .wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "built without the page of the HTML report")) << result.err;
  EXPECT_TRUE(contains(result.err, "nodejs and npm")) << result.err;
}

} // namespace
} // namespace hypermile
