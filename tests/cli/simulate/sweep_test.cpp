// Whole sweeps, as a user makes them.

#include "simulate/simulated.hpp"

#include "support/processes.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace hypermile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::CommandResult;
using test::contains;
using test::content;
using test::RunningCommand;
using test::smpi_program;

/// A folder with a study of a few small cells, and its results.
class SweepTest : public testing::Test {
protected:
  SweepTest() { fs::create_directory(folder.path("temporary")); }

  /// `more`: further lines of the study.
  void write_study(const std::string& programs, const std::string& more = "") const {
    std::ofstream(folder.path("s.yaml")) << "schema: hypermile/study/1\nstudy: s\nprograms:\n"
                                         << programs
                                         << "platforms: [table-3.1, table-3.1-80-20]\n"
                                            "methods: [exact]\n"
                                            "options: {reference-speed: 300Gf}\n"
                                         << more;
  }
  [[nodiscard]] std::string ring(const std::string& name = "ring") const {
    return "  - {name: " + name + ", command: [\"" + smpi_program("ring") +
           "\", \"20\", \"50\"], ranks: [2, 4]}\n";
  }
  [[nodiscard]] static std::string failing() {
    return "  - {name: broken, command: [\"" + smpi_program("exit_code") +
           "\", \"7\"], ranks: [2]}\n";
  }
  [[nodiscard]] std::vector<std::string> words(std::vector<std::string> more) const {
    more.insert(more.begin(), {"sweep", folder.path("s.yaml")});
    return more;
  }
  /// Fails the test if anything is left in TMPDIR or running.
  [[nodiscard]] CommandResult sweep(const std::vector<std::string>& more = {}) const {
    const auto result =
        RunningCommand(words(more), "", {{"TMPDIR", folder.path("temporary")}}).wait();
    EXPECT_TRUE(fs::is_empty(folder.path("temporary")));
    EXPECT_TRUE(test::processes_started_with(folder.path("temporary")).empty());
    return result;
  }
  [[nodiscard]] json rows(const std::vector<std::string>& more = {"--collect"}) const {
    auto all = more;
    all.emplace_back("--json");
    return json::parse(sweep(all).out).at("rows");
  }
  [[nodiscard]] std::vector<std::string> result_files() const {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(folder.path("s.results")))
      if (entry.path().extension() == ".json")
        files.push_back(entry.path());
    return files;
  }

  test::TemporaryFolder folder;
};

TEST_F(SweepTest, makes_a_table_of_cells_that_are_done_and_that_failed) {
  write_study(ring() + failing());
  const auto result = sweep({"--csv", folder.path("s.csv")});
  EXPECT_EQ(result.exit_code, 1); // because cells failed
  for (const char* part :
       {"ring, 2 ranks\n", "\ntable-3.1-80-20 unscaled ", "broken, 2 ranks\n",
        "\ntable-3.1       failed: unscaled: rank 1 ended the program with exit code 7:",
        "\n6 cells: 4 done, 2 failed, 0 missing\n"})
    EXPECT_TRUE(contains(result.out, part)) << part << "\n" << result.out;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << line;
  EXPECT_TRUE(contains(result.err, "hypermile: 6 cells to simulate, ")) << result.err;
  EXPECT_TRUE(contains(result.err, "hypermile: ring, 4 ranks, table-3.1: done in ")) << result.err;
  const std::string csv = content(folder.path("s.csv"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 4 * 2 + 2);
}

TEST_F(SweepTest, gives_all_platforms_and_methods_the_same_computation) {
  write_study(ring());
  const json all = rows({});
  ASSERT_EQ(all.size(), 8U);
  for (std::size_t cell = 0; cell < 8; cell += 4) { // they differ in their power only
    EXPECT_EQ(all[cell]["method"], "none");
    EXPECT_EQ(all[cell]["time_s"], all[cell + 2]["time_s"]);
    EXPECT_NE(all[cell]["energy_j"], all[cell + 2]["energy_j"]);
  }
}

TEST_F(SweepTest, goes_on_after_ctrl_c_without_repeating_what_is_finished) {
  write_study(ring("a") + ring("b") + ring("c"));
  {
    RunningCommand interrupted(words({"--jobs", "1", "--quiet"}), "",
                               {{"TMPDIR", folder.path("temporary")}});
    while (!fs::exists(folder.path("s.results")) || result_files().empty())
      std::this_thread::yield();
    interrupted.signal(SIGINT);
    const auto result = interrupted.wait();
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, "the same command goes on with the rest")) << result.err;
  }
  EXPECT_TRUE(fs::is_empty(folder.path("temporary")));
  std::map<std::string, fs::file_time_type> finished;
  for (const std::string& file : result_files())
    finished[file] = fs::last_write_time(file);
  EXPECT_LT(finished.size(), 12U);
  EXPECT_EQ(sweep().exit_code, 0);
  EXPECT_EQ(result_files().size(), 12U);
  for (const auto& [file, time] : finished)
    EXPECT_EQ(fs::last_write_time(file), time) << file;
}

TEST_F(SweepTest, gives_the_same_rows_as_a_job_array) {
  write_study(ring());
  const json here = rows({});
  for (const std::string& file : result_files()) // the recordings stay
    fs::remove(file);
  const auto script = sweep({"--emit", "slurm"});
  EXPECT_EQ(script.exit_code, 0);
  EXPECT_TRUE(contains(script.out, "#SBATCH --array=1-4\n")) << script.out;
  std::ofstream(folder.path("job.sh")) << script.out;
  const auto task = [&](int k) {
    return RunningCommand::shell(
               "sh '" + folder.path("job.sh") + "'",
               {{"SLURM_ARRAY_TASK_ID", std::to_string(k)}, {"TMPDIR", folder.path("temporary")}})
        .wait();
  };
  for (int k = 4; k >= 2; --k)
    EXPECT_EQ(task(k).exit_code, 0);
  const auto incomplete = sweep({"--collect"});
  EXPECT_EQ(incomplete.exit_code, 1);
  EXPECT_TRUE(contains(incomplete.out, "4 cells: 3 done, 0 failed, 1 missing\n")) << incomplete.out;
  EXPECT_TRUE(contains(incomplete.out, "\ntable-3.1       missing\n")) << incomplete.out;
  EXPECT_EQ(task(1).exit_code, 0);
  EXPECT_EQ(rows(), here);
}

TEST_F(SweepTest, lists_cells_and_simulates_nothing) {
  write_study(ring());
  const auto list = sweep({"--list"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_EQ(list.out, "     1  missing  ring, 2 ranks, table-3.1\n"
                      "     2  missing  ring, 2 ranks, table-3.1-80-20\n"
                      "     3  missing  ring, 4 ranks, table-3.1\n"
                      "     4  missing  ring, 4 ranks, table-3.1-80-20\n");
  EXPECT_FALSE(fs::exists(folder.path("s.results")));
}

TEST_F(SweepTest, reads_programs_and_platforms_from_the_folder_of_the_study) {
  fs::create_symlink(smpi_program("ring"), folder.path("ring"));
  fs::copy_file(HYPERMILE_SOURCE_DIR "/platforms/table-2.1.yaml", folder.path("own.yaml"));
  std::ofstream(folder.path("s.yaml"))
      << "schema: hypermile/study/1\nstudy: s\nplatforms: [own.yaml]\nmethods: [none]\n"
         "programs: [{name: ring, command: \"./ring 10 {n}\", ranks: [2]}]\n";
  const auto result = sweep();
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

TEST_F(SweepTest, names_the_line_of_what_is_wrong_with_a_study) {
  const auto expect = [&](const std::string& more, const std::string& message) {
    write_study(ring(), more);
    const auto result = sweep();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, "hypermile: error: " + folder.path("s.yaml") + message))
        << result.err;
  };
  expect("colour: red\n", ":8: unknown key 'colour'");
  const std::string program = "  - {name: x, command: ./x, ranks: [2], options: {";
  const auto expect_of_option = [&](const std::string& option, const std::string& message) {
    write_study(program + option + "}}\n");
    const auto result = sweep();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_TRUE(contains(result.err, "s.yaml:4: programs[0].options." + message)) << result.err;
  };
  expect_of_option("colour: red", "colour: 'hypermile simulate' has no option --colour");
  expect_of_option("jobs: 4", "jobs: the sweep itself sets --jobs");
  expect_of_option("max-slowdown: much", "max-slowdown: --max-slowdown: 'much'");
  expect_of_option("objective: [edp, edp]", "objective: ");
  std::ofstream(folder.path("s.yaml"))
      << "schema: hypermile/study/1\nstudy: s\nplatforms: [moon]\nmethods: [best]\n"
         "programs: [{name: x, command: ./x, ranks: [2]}]\n";
  EXPECT_TRUE(contains(sweep().err, "s.yaml:3: platforms[0]: there is no platform 'moon'; try: "));
}

TEST_F(SweepTest, refuses_options_that_make_no_sense) {
  write_study(ring());
  for (const auto& [options, message] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--cell", "5"}, "--cell: the study has 4 cells only"},
           {{"--cell", "0"}, "'0' is not a whole number from 1"},
           {{"--list", "--collect"}, "--list excludes --collect"},
           {{"--emit", "pbs"}, "'pbs' is none of slurm"},
           {{"--jobs", "0"}, "'0' is not a whole number from 1"}}) {
    const auto result = sweep(options);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
    EXPECT_TRUE(contains(result.err, "try: hypermile sweep --help")) << result.err;
  }
}

TEST(sweep_help, fits_a_terminal_and_says_the_default_of_every_option_with_a_value) {
  const std::string text = test::run_hypermile({"sweep", "--help"}).out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << line;
  for (const char* option : {"--results", "--jobs", "--cell", "--emit", "--csv"}) {
    const auto begin = text.find(std::string("\n  ") + option + " ");
    ASSERT_NE(begin, std::string::npos) << option;
    const std::string own = text.substr(begin, text.find("\n  -", begin + 1) - begin);
    EXPECT_TRUE(contains(own, "Default:")) << own;
  }
  EXPECT_TRUE(contains(text, "\nExamples:\n"));
  EXPECT_TRUE(contains(text, "\nExit code:\n"));
}

TEST_F(SweepTest, of_recorded_runs_needs_no_program) {
  for (const std::string ranks : {"2", "4"}) {
    const auto recorded = test::record(
        {"--quiet", "--platform", "table-3.1", "-n", ranks, "--reference-speed", "300Gf", "-o",
         folder.path("ring-" + ranks + ".hmr"), "--", smpi_program("ring"), "20", "50"});
    ASSERT_EQ(recorded.exit_code, 0) << recorded.err;
  }
  write_study("  - {name: ring, recording: \"ring-{n}.hmr\", ranks: [2, 4]}\n");
  const auto result = sweep({"--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json study = json::parse(result.out);
  EXPECT_EQ(study["rows"].size(), 8U) << result.out; // in gear 0, and by exact
}

} // namespace
} // namespace hypermile
