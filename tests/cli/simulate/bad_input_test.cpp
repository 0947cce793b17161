// Whatever is wrong: an exit code, the decisive words on stderr, nothing on stdout, and nothing
// left behind (which test::simulate() checks).

#include "simulate/simulated.hpp"
#include "support/processes.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <thread>
#include <utility>

namespace hypermile {
namespace {

using test::on_table_3_1;
using test::simulate;
using test::smpi_program;

void expect_failure(const std::vector<std::string>& arguments, int exit_code,
                    const std::vector<std::string>& words) {
  const auto result = simulate(arguments);
  EXPECT_EQ(result.exit_code, exit_code) << result.err;
  EXPECT_EQ(result.out, "");
  for (const std::string& word : words)
    EXPECT_NE(result.err.find(word), std::string::npos) << word << "\nis not in\n" << result.err;
}

/// Every usage error names itself and the place to look.
void expect_misuse(const std::vector<std::string>& arguments, const std::string& what) {
  expect_failure(arguments, 2, {"hypermile: error: " + what, "\ntry: hypermile simulate --help\n"});
}

void expect_usage_error(std::vector<std::string> more, const std::string& what) {
  more.insert(more.end(), {"--", smpi_program("ring"), "5", "10"});
  expect_misuse(on_table_3_1(4, more), what);
}

/// The program on four nodes fails.
void expect_program_failure(const std::vector<std::string>& program, int exit_code,
                            const std::vector<std::string>& words) {
  auto arguments = on_table_3_1(4, {"--"});
  arguments.insert(arguments.end(), program.begin(), program.end());
  expect_failure(arguments, exit_code, words);
}

// --- The command line ---

TEST(bad_usage, a_method_that_does_not_exist) {
  expect_usage_error({"--method", "best"}, "--method: 'best' is not a method; try: exact, slack");
  expect_usage_error({"--compare", "exact,best"}, "--compare: 'best' is not a method");
}

TEST(bad_usage, a_way_to_wait_that_does_not_exist) {
  expect_usage_error({"--waiting", "sleep"}, "--waiting: 'sleep' is none of idle, spinning");
}

TEST(bad_usage, a_method_that_is_there_twice) {
  expect_usage_error({"--compare", "exact,alg5,exact"}, "--compare: 'exact' is there twice");
}

TEST(bad_usage, an_objective_that_does_not_exist) {
  expect_usage_error({"--objective", "least"},
                     "--objective: 'least' is not an objective; try: maxdist");
}

TEST(bad_usage, a_number_of_ranks_that_cannot_be) {
  for (const std::string ranks : {"0", "-3", "many", "1e9", "4.5", "100001", ""})
    expect_misuse({"-q", "--platform", "table-3.1", "-n", ranks, "--", smpi_program("ring")},
                  "--ranks: '" + ranks + "' is not a whole number from 1 to 100000");
}

TEST(bad_usage, no_platform_or_no_program) {
  const std::string usage =
      "\nusage: hypermile simulate --platform PLATFORM [-n N] [OPTIONS] -- "
      "PROGRAM [ARGS]\n       hypermile simulate --model MODEL --platform PLATFORM -n N "
      "[OPTIONS]\n       hypermile simulate --replay FILE [OPTIONS]\n";
  expect_misuse({}, "--platform is required" + usage);
  expect_misuse({"-n", "4", "--", smpi_program("ring")}, "--platform is required" + usage);
  expect_misuse({"-n", "4", "--platform", "table-3.1"},
                "PROGRAM, --model or --replay, is required" + usage);
}

TEST(bad_usage, an_option_that_does_not_exist) {
  expect_misuse({"--bogus"}, "unknown option --bogus\n"); // whatever else is missing
  expect_usage_error({"--bogus"}, "unknown option --bogus\n");
}

TEST(bad_usage, an_option_of_the_program_without_dashes_before_the_program) {
  expect_misuse(on_table_3_1(4, {test::smpi_app("cg"), "--class", "S"}),
                "unknown option --class; if it is the program's, put -- before the program");
}

TEST(bad_usage, an_option_without_its_value) {
  expect_misuse({"--platform"}, "--platform needs a value");
  expect_usage_error({"--report", ""}, "--report: its value is empty");
  expect_misuse({"--platform", "table-3.1", "-n", "4", "--report", "--", smpi_program("ring")},
                "--report: FOLDER is missing before '--'");
}

TEST(bad_usage, an_option_that_is_there_twice) {
  expect_usage_error({"--method", "exact", "--method", "alg5"}, "--method takes one value");
}

TEST(bad_usage, a_reference_speed_that_is_none) {
  const std::vector<std::pair<std::string, std::string>> speeds{
      {"300", "'300' "},
      {"0Gf", "'0Gf' is not more than 0"},
      {"-3Gf", "'-3Gf' is not more than 0"}};
  for (const auto& [speed, what] : speeds)
    expect_misuse({"-q", "--platform", "table-3.1", "-n", "4", "--reference-speed", speed, "--",
                   smpi_program("ring")},
                  "--reference-speed: " + what);
}

TEST(bad_usage, output_that_would_mix_with_json) {
  expect_usage_error({"--json", "--output", "stdout"}, "--output stdout: would mix with the JSON");
}

// --- The platform ---

/// table-3.1 with one text replaced by another.
class BadPlatform : public testing::Test {
protected:
  std::string with(const std::string& from, const std::string& to) {
    std::string text = R"(schema: hypermile/platform/1
name: four
description: four nodes
types:
  - {name: n, count: 4, speed: 40Gf, gears: [2.0GHz, 1.5GHz], power: {dynamic: 20W, static: 4W}}
network:
  link: {bandwidth: 1Gbps, latency: 50us}
)";
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos);
    std::ofstream(folder.path("p.yaml")) << text.replace(at, from.size(), to);
    return folder.path("p.yaml");
  }
  void expect_refused(const std::string& from, const std::string& to, const std::string& word) {
    expect_failure({"-q", "--platform", with(from, to), "--reference-speed", "300Gf", "--",
                    smpi_program("ring"), "5", "10"},
                   1, {"hypermile: error: ", word});
  }
  test::TemporaryFolder folder;
};

TEST_F(BadPlatform, that_does_not_exist) {
  expect_failure({"-q", "--platform", "table-9.9", "-n", "4", "--", smpi_program("ring")}, 1,
                 {"there is no platform 'table-9.9'", "table-2.1, table-3.1"});
}

TEST_F(BadPlatform, that_is_a_folder) {
  expect_failure({"-q", "--platform", folder.path(), "-n", "4", "--", smpi_program("ring")}, 1,
                 {folder.path() + " is a folder, not a platform"});
}

TEST_F(BadPlatform, that_is_empty) {
  for (const char* name : {"p.yaml", "p.xml"}) {
    std::ofstream(folder.path(name)) << "";
    expect_failure({"-q", "--platform", folder.path(name), "-n", "4", "--", smpi_program("ring")},
                   1, {folder.path(name) + " is empty"});
  }
}

TEST_F(BadPlatform, with_an_unknown_key) {
  expect_refused("speed: 40Gf", "sped: 40Gf", "p.yaml:5: types[0]: unknown key 'sped'");
}

TEST_F(BadPlatform, with_negative_power) {
  expect_refused("static: 4W", "static: -4W", "p.yaml:5: types[0].power.static: '-4W' is negative");
}

TEST_F(BadPlatform, with_unsorted_gears) {
  expect_refused("2.0GHz, 1.5GHz", "1.5GHz, 2.0GHz",
                 "p.yaml:5: types[0].gears: gear 1 (2 GHz) is not slower than gear 0");
}

TEST_F(BadPlatform, with_fewer_cores_than_ranks) {
  expect_failure({"-q", "--platform", with("four", "four"), "-n", "5", "--reference-speed", "300Gf",
                  "--", smpi_program("ring"), "5", "10"},
                 1, {"5 ranks do not fit on platform 'four', which has 4 cores"});
}

TEST_F(BadPlatform, of_any_size_without_a_number_of_ranks) {
  expect_failure({"-q", "--platform", "table-3.1", "--", smpi_program("ring"), "5", "10"}, 1,
                 {"platform 'table-3.1' has as many nodes as there are ranks", "-n 8"});
}

TEST_F(BadPlatform, in_xml_without_hosts) {
  std::ofstream(folder.path("p.xml")) << R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full"/></platform>
)";
  expect_failure({"-q", "--platform", folder.path("p.xml"), "--reference-speed", "300Gf", "--",
                  smpi_program("ring"), "5", "10"},
                 1, {"the platform " + folder.path("p.xml") + " has no hosts"});
}

TEST_F(BadPlatform, in_xml_that_simgrid_does_not_understand) {
  std::ofstream(folder.path("p.xml")) << "<?xml version=\"1.0\"?>\n<plattform/>\n";
  expect_failure({"-q", "--platform", folder.path("p.xml"), "--reference-speed", "300Gf", "--",
                  smpi_program("ring"), "5", "10"},
                 1, {"SimGrid does not understand the platform " + folder.path("p.xml")});
}

// --- The program ---

TEST(bad_program, that_does_not_exist) {
  expect_program_failure({"/nowhere/app"}, 1, {"there is no program /nowhere/app"});
}

TEST(bad_program, that_is_a_folder_or_a_script_or_not_executable) {
  expect_program_failure({"/tmp"}, 1, {"/tmp is a folder, not a program"});
  expect_program_failure({HYPERMILE_SOURCE_DIR "/scripts/format"}, 1,
                         {"/scripts/format is a script; try: the MPI program that it starts"});
  expect_program_failure({HYPERMILE_SOURCE_DIR "/LICENSE"}, 1,
                         {"/LICENSE is not an executable file; try: chmod u+rx "});
}

TEST(bad_program, not_built_for_the_simulator) {
  expect_program_failure({"/bin/sh", "-c", "true"}, 1,
                         {"/bin/sh is not built for the simulator", "smpicc, smpicxx or smpiff"});
}

TEST(bad_program, that_crashes) {
  expect_program_failure(
      {smpi_program("crash"), "2", "5", "20", "50"}, 139,
      {"unscaled: rank 2 crashed (Segmentation fault)", "rank 2 ran on after MPI_Allreduce"});
}

TEST(bad_program, that_deadlocks) {
  expect_program_failure({smpi_program("deadlock"), "5", "20", "50"}, 1,
                         {"unscaled: deadlock, the ranks wait for each other for ever:",
                          "ranks 0, 1 wait in MPI_Recv since ", "ranks 2, 3 wait in MPI_"});
}

TEST(bad_program, that_deadlocks_after_its_last_iteration) {
  expect_program_failure({smpi_program("deadlock"), "4", "5", "50"}, 1,
                         {"deadlock, some ranks have reached MPI_Finalize",
                          "ranks 0, 1 wait in MPI_Recv since ", "ranks 2, 3 have reached MPI_"});
}

TEST(bad_program, that_exits_with_a_code) {
  expect_program_failure({smpi_program("exit_code"), "exit", "3", "5", "20", "50"}, 7,
                         {"unscaled: rank 3 ended the program with exit code 7"});
}

TEST(bad_program, that_aborts_with_a_code) {
  expect_program_failure({smpi_program("exit_code"), "abort", "1", "5", "20", "50"}, 7,
                         {"unscaled: rank 1 called MPI_Abort with code 7"});
}

TEST(bad_program, that_fails_leaves_what_it_printed_in_the_report) {
  const test::TemporaryFolder folder;
  const auto result =
      simulate(on_table_3_1(3, {"--report", folder.path("out"), "--", test::smpi_app("cg")}));
  EXPECT_EQ(result.exit_code, 2);
  std::ifstream printed(folder.path("out/none.out"));
  const std::string text{std::istreambuf_iterator<char>(printed), {}};
  EXPECT_NE(text.find("the number of ranks is not a power of two"), std::string::npos) << text;
}

TEST(bad_program, that_fails_after_mpi_finalize) {
  auto arguments =
      on_table_3_1(3, {"--", test::smpi_app("cg"), "--class", "S"}); // not a power of two
  expect_failure(arguments, 2,
                 {"unscaled: the program ended with exit code 2 after MPI_Finalize",
                  "cg: error: the number of ranks is not a power of two"});
}

TEST(bad_program, is_blamed_without_the_simulators_own_remarks) {
  const auto result =
      simulate(on_table_3_1(4, {"--", smpi_program("exit_code"), "abort", "1", "5", "20", "50"}));
  EXPECT_EQ(result.err.find("ker_engine"), std::string::npos) << result.err;
}

TEST(bad_program, that_never_calls_mpi_init) {
  expect_program_failure({smpi_program("no_mpi_init"), "2", "10"}, 1,
                         {"unscaled: no rank called MPI_Init"});
}

// --- Files ---

TEST(bad_recording, that_is_something_else) {
  expect_failure(on_table_3_1(4, {"--computation", HYPERMILE_SOURCE_DIR "/LICENSE", "--",
                                  smpi_program("ring"), "5", "10"}),
                 1, {"LICENSE:1: the first line is not 'hypermile/computation/1'"});
}

TEST(bad_recording, that_does_not_exist) {
  expect_failure(
      on_table_3_1(4, {"--computation", "/nowhere/c.txt", "--", smpi_program("ring"), "5", "10"}),
      1, {"cannot read /nowhere/c.txt"});
}

TEST(bad_report, a_folder_that_cannot_be_made_is_refused_before_anything_runs) {
  // The program would crash: had it run, that would be what is reported.
  expect_failure(on_table_3_1(4, {"--report", "/proc/report", "--", smpi_program("crash")}), 1,
                 {"cannot keep the report in /proc/report"});
}

TEST(bad_report, a_file_in_its_place) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path("file")) << "x";
  expect_failure(on_table_3_1(4, {"--report", folder.path("file"), "--", smpi_program("ring")}), 1,
                 {"cannot keep the report in " + folder.path("file")});
}

TEST(bad_recording, that_is_cut_off) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path("c.txt")) << "hypermile/computation/1\nranks 4\nrank 0 3\nSe";
  expect_failure(on_table_3_1(4, {"--computation", folder.path("c.txt"), "--", smpi_program("ring"),
                                  "5", "10"}),
                 1, {"c.txt:", "try: a file that 'hypermile simulate --report DIR' wrote"});
}

TEST(bad_report, that_cannot_be_completed_does_not_cost_the_results) {
  for (const char* name : {"computation.txt", "simulation.txt"}) { // each written at another time
    const test::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path(name)); // as good as a full disk
    const auto result = simulate(on_table_3_1(
        2, {"--json", "--report", folder.path(), "--", smpi_program("ring"), "5", "10"}));
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find("hypermile: error: cannot "), std::string::npos) << result.err;
    EXPECT_FALSE(nlohmann::json::parse(result.out, nullptr, false).is_discarded()) << result.out;
  }
}

TEST(bad_tmpdir, is_reported) {
  test::RunningCommand command(
      {"simulate", "-q", "--platform", "table-3.1", "-n", "2", "--", smpi_program("ring")}, "",
      {{"TMPDIR", "/proc"}});
  const auto result = command.wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("a TMPDIR that is writable"), std::string::npos) << result.err;
}

// --- A method that cannot choose ---

TEST(brute_force, that_is_hopeless_leaves_gear_0_and_says_why) {
  const auto result = simulate(
      on_table_3_1(16, {"--method", "brute", "--", smpi_program("only_allreduce"), "30", "50"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("brute force would visit"), std::string::npos) << result.out;
}

// --- Signals ---

/// A signal ends everything, wherever it comes.
class Interrupted : public testing::TestWithParam<int> {
protected:
  void start(const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"simulate", "-q"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    command = std::make_unique<test::RunningCommand>(
        all, "", std::map<std::string, std::string>{{"TMPDIR", temporary.path()}});
  }
  /// Processes that have to do with a file in hypermile's temporary folder.
  [[nodiscard]] bool working_on(const std::string& file = "") const {
    for (const std::string& line : test::processes_with(temporary.path() + "/"))
      if (line.find(file) != std::string::npos)
        return true;
    return false;
  }
  template <class Condition> void interrupt_when(const Condition& condition) {
    while (!condition())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    command->signal(GetParam());
    const auto result = command->wait();
    EXPECT_EQ(result.exit_code, 128 + GetParam()) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "hypermile: interrupted; every simulation is stopped\n");
    EXPECT_FALSE(working_on());
    EXPECT_TRUE(temporary.empty());
  }

  test::TemporaryFolder temporary;
  test::TemporaryFolder folder;
  std::unique_ptr<test::RunningCommand> command;
};

TEST_P(Interrupted, while_simulating_leaves_nothing_running_or_behind) {
  start({"--platform", "table-3.1", "-n", "4", "--reference-speed", "300Gf", "--",
         smpi_program("only_allreduce"), "1000000", "1000"});
  interrupt_when([&] { return working_on("smpimain"); });
}

TEST_P(Interrupted, while_hosts_are_listed_is_not_blamed_on_the_platform) {
  std::ofstream(folder.path("large.xml")) // which takes SimGrid some seconds
      << R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-400000" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
)";
  start({"--platform", folder.path("large.xml"), "-n", "4", "--reference-speed", "300Gf", "--",
         smpi_program("only_allreduce"), "1000000", "1000"});
  interrupt_when([&] { return working_on("hosts.listing"); });
}

TEST_P(Interrupted, while_the_reference_speed_is_measured_starts_nothing_more) {
  start({"--platform", "table-3.1", "-n", "4", "--", smpi_program("only_allreduce"), "1000000",
         "1000"});
  interrupt_when([&] { return !temporary.empty(); });
}

INSTANTIATE_TEST_SUITE_P(Signals, Interrupted, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGPIPE));

} // namespace
} // namespace hypermile
