// Published tables made again, as a user does it.

#include "simulate/simulated.hpp"

#include "support/processes.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace hypermile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::CommandResult;
using test::contains;
using test::RunningCommand;
using test::smpi_program;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A folder for results, and one for temporary files, which are gone afterwards.
class ReproduceTest : public testing::Test {
protected:
  ReproduceTest() { fs::create_directory(folder.path("temporary")); }

  /// Tiny programs in place of NAS, but LU and SP, of which there are none.
  [[nodiscard]] std::vector<std::string> words(const std::string& table) const {
    std::vector<std::string> all{
        "reproduce",         table,  "-o", folder.path("results"), "--class", "S",
        "--reference-speed", "300Gf"};
    std::vector<std::string> programs{"CG", "MG", "EP", "FT"};
    programs.emplace_back(table.starts_with("governors") ? "IS" : "BT");
    for (const auto& name : programs)
      all.insert(all.end(), {"--program", name + "=" + smpi_program("ring") + " 20 50"});
    return all;
  }
  [[nodiscard]] CommandResult reproduce(const std::string& table,
                                        const std::vector<std::string>& more = {}) const {
    auto all = words(table);
    all.insert(all.end(), more.begin(), more.end());
    const auto result = RunningCommand(all, "", {{"TMPDIR", folder.path("temporary")}}).wait();
    EXPECT_TRUE(fs::is_empty(folder.path("temporary")));
    EXPECT_TRUE(test::processes_started_with(folder.path("temporary")).empty());
    return result;
  }

  test::TemporaryFolder folder;
};

TEST_F(ReproduceTest, prints_published_figures_beside_ours) {
  const auto result = reproduce("f16-3.2");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const char* part :
       {"CG 8      published, Algorithm 5             7.12    31.25     24.13\n          alg5  ",
        "\nLU 8      published, Algorithm 5             0.01    28.23     28.22\n"
        "          not simulated: there is no such program here; try: --program\n",
        "\nmean of 5 published, Algorithm 5             4.89    31.08     26.19\n",
        "- The programs are of class C there, of class S here.\n"})
    EXPECT_TRUE(contains(result.out, part)) << part << "\n" << result.out;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << line;
  EXPECT_TRUE(contains(result.err, "5 cells to simulate")) << result.err;
}

TEST_F(ReproduceTest, finds_what_is_finished_also_for_another_table) {
  const auto first = reproduce("f16-3.2", {"--json"});
  const auto again = reproduce("f16-3.2", {"--json"});
  EXPECT_TRUE(contains(again.err, "nothing is left to simulate")) << again.err;
  EXPECT_EQ(again.out, first.out);
  const auto other = reproduce("f16-3.9", {"--json"}); // the same methods, and EDP
  EXPECT_TRUE(contains(other.err, "5 cells to simulate")) << other.err;
  const json here = json::parse(first.out)["tables"][0]["programs"][0];
  const json there = json::parse(other.out)["tables"][0]["programs"][0];
  EXPECT_EQ(here["time_s"], there["time_s"]);
  EXPECT_EQ(here["lines"][1]["method"], "alg5");
  EXPECT_EQ(here["lines"][1], there["lines"][3]);
  EXPECT_EQ(there["lines"][1]["method"], "exact edp");
}

TEST_F(ReproduceTest, checks_predictions_in_all_gears) {
  const auto result = reproduce("f16-3.3.5", {"--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json table = json::parse(result.out)["tables"][0];
  EXPECT_EQ(table["published_time_error_percent"], 3.0);
  ASSERT_EQ(table["errors"].size(), 2U);
  // The program sends in a ring, which the dependency model knows and the other one does not.
  EXPECT_EQ(table["errors"][1]["model"], "dependency");
  EXPECT_LT(table["errors"][1]["largest_time_error_percent"], 1);
  for (const auto& cell : fs::directory_iterator(folder.path("results"))) {
    if (cell.path().extension() != ".json")
      continue;
    const json simulation = json::parse(content_of(cell.path()))["simulation"];
    EXPECT_EQ(simulation["runs"].size(), 18U); // type 3 of Table 3.1 has 18 gears, type 2 has 8
    const std::string second = simulation["runs"][1]["method"];
    EXPECT_TRUE(second == "gears:1,1,1,1,1,1,1,1" || second == "gears:1,1,1,1,1,1,1,1,1") << second;
  }
}

TEST_F(ReproduceTest, compares_governors_of_which_nothing_was_published) {
  const auto spinning = reproduce("governors-spinning");
  EXPECT_EQ(spinning.exit_code, 0) << spinning.err;
  EXPECT_TRUE(contains(spinning.out, "\nmean of 5 powersave ")) << spinning.out;
  EXPECT_FALSE(contains(spinning.out, "published, ")) << spinning.out;
  EXPECT_FALSE(contains(spinning.out, "The programs are of class")) << spinning.out;
}

TEST_F(ReproduceTest, writes_a_page_with_a_plot) {
  const auto result = reproduce("f16-3.2", {"--pages", folder.path("pages/new"), "--quiet"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  const std::string page = content_of(folder.path("pages/new/f16-3.2.md"));
  EXPECT_TRUE(contains(page, "(f16-3.2.svg)")) << page;
  EXPECT_TRUE(contains(page, "| FT 8 | published, Algorithm 5 | 2.54 | 31.02 | 28.48 |")) << page;
  EXPECT_TRUE(content_of(folder.path("pages/new/f16-3.2.svg")).starts_with("<svg "));
}

TEST_F(ReproduceTest, goes_on_after_ctrl_c) {
  {
    auto all = words("f16-3.2");
    all.insert(all.end(), {"--jobs", "1", "--quiet"});
    RunningCommand interrupted(all, "", {{"TMPDIR", folder.path("temporary")}});
    while (!fs::exists(folder.path("results/recordings")) ||
           fs::is_empty(folder.path("results/recordings")))
      std::this_thread::yield();
    interrupted.signal(SIGINT);
    const auto result = interrupted.wait();
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, "the same command goes on with the rest")) << result.err;
  }
  EXPECT_TRUE(fs::is_empty(folder.path("temporary")));
  EXPECT_EQ(reproduce("f16-3.2").exit_code, 0);
}

TEST_F(ReproduceTest, reports_a_program_that_fails_and_compares_the_others) {
  const auto result = reproduce("f16-3.2", {"--program", "MG=" + smpi_program("exit_code") + " 7"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.out, "failed: ")) << result.out;
  EXPECT_TRUE(contains(result.out, "\nmean of 4 published")) << result.out;
}

TEST_F(ReproduceTest, is_refused_where_there_are_no_programs_at_all) {
  const fs::path build = fs::path(HYPERMILE_COMMAND).parent_path().parent_path();
  fs::create_directory(folder.path("bin"));
  fs::copy_file(HYPERMILE_COMMAND, folder.path("bin/hypermile"));
  fs::create_directory_symlink(build / "share", folder.path("share"));
  const auto result =
      RunningCommand::shell("'" + folder.path("bin/hypermile") + "' reproduce f16-3.2").wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(contains(result.err, "none of the programs of f16-3.2 is in ")) << result.err;
}

TEST(reproduce, without_a_table_lists_them) {
  const auto result = test::run_hypermile({"reproduce"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(
      contains(result.out, "\nf16-3.2                 NAS programs of class C on 8 and 9 nodes "))
      << result.out;
  EXPECT_TRUE(contains(result.out, "hypermile reproduce TABLE")) << result.out;
  const auto as_json = test::run_hypermile({"reproduce", "--json"});
  for (const auto& table : json::parse(as_json.out)["tables"])
    EXPECT_TRUE(contains("\n" + result.out, "\n" + table["table"].get<std::string>() + " "))
        << table;
  for (const char* const alone : {"f16-4.3", "f16-4.5", "f16-4.6", "f16-fig-4.5", "m16", "d13"})
    EXPECT_TRUE(contains(result.out, std::string("\n") + alone + " ")) << result.out;
}

TEST(reproduce, refuses_what_it_cannot_understand) {
  const auto expect = [](std::vector<std::string> options, const std::string& message) {
    options.insert(options.begin(), "reproduce");
    const auto result = test::run_hypermile(options);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, message)) << result.err;
  };
  expect({"f16-9.9"}, "'f16-9.9' is none of f16-2.3, ");
  expect({"f16-3.2", "--class", "X"}, "'X' is none of S, W, A, B, C, D");
  expect({"f16-3.2", "--program", "LU"}, "'LU' is not NAME=COMMAND");
  expect({"f16-3.2", "--program", "LV=./lv"}, "no table has a program LV");
  expect({"f16-4.5", "f16-3.2"},
         "f16-4.3, f16-4.5, f16-4.6, f16-fig-4.5 have a program of their own");
  expect({"f16-4.5", "--program", "LU=./lu"}, "--program: is not for tables that have a program");
  expect({"f16-3.2", "--jobs", "0"}, "'0' is not a whole number");
  expect({"f16-3.2", "--reference-speed", "3GHz"}, "3GHz");
}

} // namespace
} // namespace hypermile
