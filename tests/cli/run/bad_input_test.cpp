// Whatever is wrong is told before the job starts, where it can be known then; what is only found
// out later costs figures, never the job.

#include "run/job.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hypermile::test {
namespace {

using test::contains;

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class BadInput : public testing::Test {
protected:
  BadInput() { fs::create_directory(folder_.path("tmp")); }

  [[nodiscard]] CommandResult hypermile(Words arguments,
                                        std::map<std::string, std::string> environment = {}) const {
    environment.merge(job_environment(folder_.path("tmp")));
    arguments.insert(arguments.begin(), "run");
    auto result = RunningCommand(arguments, "", environment).wait();
    expect_nothing_left(folder_.path("tmp"));
    return result;
  }

  /// The same before a command that would leave a file.
  [[nodiscard]] CommandResult
  hypermile_before_job(Words options,
                       const std::map<std::string, std::string>& environment = {}) const {
    options.insert(options.end(), {"--", "/bin/sh", "-c", "echo > " + folder_.path("started")});
    return hypermile(options, environment);
  }

  /// Nothing is started.
  void expect_refused(const Words& options, int exit_code, const std::string& what,
                      const std::map<std::string, std::string>& environment = {}) const {
    const auto result = hypermile_before_job(options, environment);
    EXPECT_EQ(result.exit_code, exit_code) << what;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(contains(result.err, "hypermile: error: " + what)) << result.err;
    EXPECT_FALSE(fs::exists(folder_.path("started"))) << what;
  }

  void expect_misuse(const Words& options, const std::string& what,
                     const std::map<std::string, std::string>& environment = {}) const {
    expect_refused(options, 2, what, environment);
    EXPECT_TRUE(
        contains(hypermile_before_job(options, environment).err, "\ntry: hypermile run --help\n"));
  }

  TemporaryFolder folder_;
};

// --- Variables ---

TEST_F(BadInput, a_bound_that_is_none_is_refused_wherever_it_comes_from) {
  expect_misuse({"--max-slowdown", "fast"}, "--max-slowdown: ");
  expect_misuse({}, "HYPERMILE_MAX_SLOWDOWN: '-5%' is negative; try: 5%",
                {{"HYPERMILE_MAX_SLOWDOWN", "-5%"}});
}

TEST_F(BadInput, a_misspelt_variable_is_told) {
  const auto result = hypermile({"--", "true"}, {{"HYPERMILE_MAXSLOWDOWN", "5%"}});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.err, "the variable HYPERMILE_MAXSLOWDOWN is ignored")) << result.err;
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"HYPERMILE_SET_COMMAND", "true {khz}"},
                                          {"HYPERMILE_SYSFS", "/sys"},
                                          {"HYPERMILE_STATE", folder_.path("state")},
                                          {"HYPERMILE_ROOT", "/"}})
    EXPECT_FALSE(contains(hypermile({"--", "true"}, {{name, value}}).err, "is ignored")) << name;
}

TEST_F(BadInput, clusters_that_nobody_names_are_refused) {
  expect_misuse({"--time-model", "hybrid"},
                "--time-model hybrid: needs to know at which site each node is");
  expect_misuse({"--method", "alg8"},
                "--time-model: the method 'alg8' is for the hybrid and async");
  expect_misuse({"--time-model", "async", "--max-slowdown", "5%"},
                "--time-model: with the time model 'async' no bound on slowdown is kept");
  expect_misuse({}, "HYPERMILE_APPLY: 'late' is neither brief, sync nor async",
                {{"HYPERMILE_APPLY", "late"}});
  expect_refused({"--time-model", "hybrid", "--platform", "table-3.1"}, 1,
                 "--time-model hybrid: the platform table-3.1 does not say");
}

// --- Files ---

TEST_F(BadInput, a_platform_that_does_not_end_is_refused) {
  expect_refused({"--platform", "/dev/zero"}, 1, "/dev/zero is a device that does not end");
}

TEST_F(BadInput, a_platform_that_is_no_text_does_not_reach_the_terminal_raw) {
  const std::string file = folder_.path("binary.yaml");
  std::ofstream(file) << "a: \"\\\x1b[31m\x07\"\n";
  const auto result = hypermile_before_job({"--platform", file});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_FALSE(contains(result.err, "\x1b")) << result.err;
  EXPECT_TRUE(contains(result.err, "\\x1b")) << result.err;
}

// --- The command line ---

TEST_F(BadInput, names_that_do_not_exist_are_refused_with_those_that_do) {
  expect_misuse({"--method", "best"}, "--method: 'best' is not a method; try: exact, slack");
  expect_misuse({"--method", "countdown"},
                "--method: the method 'countdown' is for simulations only; try: exact, slack");
  expect_misuse({"--objective", "least"},
                "--objective: 'least' is not an objective; try: maxdist, edp");
  expect_misuse(
      {"--backend", "rapl"},
      "--backend: unknown backend 'rapl'; there are: cpufreq, power-limit, command, emulated");
  expect_misuse({"--meter", "watt"}, "--meter: unknown meter 'watt'; there are: powercap, ");
  expect_misuse({"--meter", "wattmeter:"}, "--meter: 'wattmeter:' needs a value");
  expect_misuse({"--time-model", "x"}, "--time-model: 'x' is none of auto, cluster, dependency");
  expect_misuse({"--apply", "later"}, "--apply: 'later' is neither brief, sync nor async");
}

TEST_F(BadInput, a_cap_on_power_that_cannot_be_kept_so_is_refused) {
  expect_misuse({"--power-cap", "2"}, "--power-cap: ");
  expect_misuse({"--power-cap", "0W"}, "--power-cap: '0W' is not more than 0");
  expect_misuse({"--power-cap", "2kW", "--power-cap", "3kW"},
                "--power-cap: '3kW' is a second cap on the average power");
  expect_misuse({"--power-cap", "2kW", "--method", "alg5"},
                "--power-cap: the method 'alg5' keeps no cap; try: exact");
  expect_misuse({"--power-cap", "2kW", "--method", "none"}, "--power-cap: ");
  expect_misuse({"--power-cap", "2kW", "--gears", "0,1"}, "--power-cap: ");
  expect_misuse({"--power-cap", "peak:2kW"}, "--power-cap: peak power is only known of nodes that");
  expect_misuse({}, "HYPERMILE_POWER_CAP: '2kW,' has a comma too many",
                {{"HYPERMILE_POWER_CAP", "2kW,"}});
}

TEST_F(BadInput, a_type_that_cannot_be_assumed_is_refused) {
  expect_misuse({"--assume", "type1"}, "--assume: names a type of a platform; try: --platform");
  expect_misuse({"--backend", "emulated", "--platform", "table-3.1", "--assume", "type1"},
                "--assume: emulated nodes are those of the platform");
  expect_refused({"--platform", "table-3.1", "--assume", "xeon"}, 1,
                 "--assume: the platform table-3.1 has no type 'xeon'; try: type1, type2");
}

TEST_F(BadInput, the_same_names_are_refused_in_variables) {
  expect_misuse({}, "HYPERMILE_METHOD: 'best' is not a method; try: exact",
                {{"HYPERMILE_METHOD", "best"}});
  expect_misuse({}, "HYPERMILE_OBJECTIVE: 'least' is not an objective; try: maxdist",
                {{"HYPERMILE_OBJECTIVE", "least"}});
  expect_misuse({}, "HYPERMILE_TIME_MODEL: 'x' is none of auto", {{"HYPERMILE_TIME_MODEL", "x"}});
  expect_misuse({}, "HYPERMILE_BACKEND: unknown backend 'rapl'", {{"HYPERMILE_BACKEND", "rapl"}});
  expect_misuse({}, "HYPERMILE_METER: unknown meter 'watt'", {{"HYPERMILE_METER", "watt"}});
  expect_misuse({}, "HYPERMILE_MAX_SLOWDOWN: 'much' ", {{"HYPERMILE_MAX_SLOWDOWN", "much"}});
  expect_misuse({}, "HYPERMILE_MAX_SLOWDOWN: '5' means 500 %; try: 5% or 0.05",
                {{"HYPERMILE_MAX_SLOWDOWN", "5"}});
}

TEST_F(BadInput, an_option_overrides_its_variable) {
  const auto result = hypermile_before_job({"--method", "none"}, {{"HYPERMILE_METHOD", "best"}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::exists(folder_.path("started")));
}

TEST_F(BadInput, no_command_is_told_with_the_usage) {
  for (const Words& arguments : {Words{}, Words{"--dry-run"}, Words{"--"}}) {
    const auto result = hypermile(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err, "hypermile: error: COMMAND is required\n"
                          "usage: hypermile run [OPTIONS] -- COMMAND [ARGS]\n"
                          "try: hypermile run --help\n");
  }
}

TEST_F(BadInput, a_command_that_does_not_exist_is_named) {
  const auto result = hypermile({"--", "no-such-launcher", "-n", "2"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(
      result.err,
      "hypermile: error: cannot start 'no-such-launcher': No such file or directory (ENOENT); try: "
      "the command that starts the job without hypermile, after --\n");
}

TEST_F(BadInput, an_option_of_the_command_needs_dashes_before_the_command) {
  const auto result = hypermile({"/bin/echo", "--class", "S"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.err,
                       "unknown option --class; if it is the command's, put -- before the "
                       "command\n"))
      << result.err;
}

TEST_F(BadInput, figures_that_make_no_sense_are_refused) {
  expect_misuse({"--max-slowdown", "-5%"}, "--max-slowdown: '-5%' is negative");
  expect_misuse({"--max-slowdown", "5"}, "--max-slowdown: '5' means 500 %; try: 5% or 0.05");
  expect_misuse({"--confidence", "100%"}, "--confidence: '100%' is not from 50% to less than 100%");
  expect_misuse({"--think", "0s"}, "--think: '0s' is not more than 0");
  for (const std::string gears : {"", "a", "0,", "-1"})
    expect_misuse({"--gears", gears}, "--gears: ");
}

TEST_F(BadInput, an_option_without_its_value_does_not_take_the_dashes_before_the_command) {
  expect_misuse({"--report"}, "--report: FOLDER is missing before '--'");
  expect_misuse({"--learn"}, "--learn: FOLDER is missing before '--'");
  expect_misuse({"--platform"}, "--platform: PLATFORM is missing before '--'");
  expect_misuse({"--max-slowdown"}, "--max-slowdown: RATIO is missing before '--'");
  EXPECT_FALSE(fs::exists("--"));
}

TEST_F(BadInput, options_that_exclude_each_other_are_refused) {
  expect_misuse({"--gears", "0,1", "--method", "exact"}, "--method excludes --gears");
  expect_misuse({"--backend", "emulated"},
                "--backend emulated: needs to know what to emulate; try: --platform table-3.1");
  for (const std::string meter : {"powercap", "wattmeter:power.csv"})
    expect_misuse({"--backend", "emulated", "--platform", "table-3.1", "--meter", meter},
                  "--meter " + meter + ": measures this machine, and not the nodes that are");
}

// --- Files ---

TEST_F(BadInput, a_platform_that_does_not_exist_is_told_with_those_that_do) {
  expect_refused({"--platform", "table-9.9"}, 1, "there is no platform 'table-9.9'");
  EXPECT_TRUE(
      contains(hypermile_before_job({"--platform", "table-9.9"}).err, "table-2.1, table-3.1"));
}

TEST_F(BadInput, a_platform_with_an_error_is_told_by_file_and_line) {
  const std::string file = folder_.path("p.yaml");
  std::ofstream(file) << R"(schema: hypermile/platform/1
name: two
description: two nodes
types:
  - name: n
    count: 2
    sped: 40Gf
    gears: [2.0GHz, 1.5GHz]
    power: {dynamic: 20W, static: 4W}
network:
  link: {bandwidth: 1Gbps, latency: 50us}
)";
  expect_refused({"--platform", file}, 1, file + ":7: types[0]: unknown key 'sped'");
  expect_refused({}, 1, file + ":7: types[0]: unknown key 'sped'", {{"HYPERMILE_PLATFORM", file}});
}

TEST_F(BadInput, a_report_that_cannot_be_kept_is_refused) {
  std::ofstream(folder_.path("file")) << "x";
  for (const std::string& report : Words{folder_.path("file"), "/proc/report"})
    expect_refused({"--report", report}, 1, "cannot make the folder " + report + ": ");
}

// --- Jobs that run all the same ---

class BadJob : public BadInput, public testing::WithParamInterface<std::string> {
protected:
  /// Of one rank of a program that has no loop to speak of.
  [[nodiscard]] CommandResult
  run(Words options, const std::map<std::string, std::string>& environment = {}) const {
    options.push_back("--");
    for (const std::string& word : job())
      options.push_back(word);
    return hypermile(options, environment);
  }

  [[nodiscard]] static Words job(int ranks = 1) {
    return mpirun(GetParam(), ranks, {mpi_program(GetParam(), "marker"), "20", "100"});
  }

  /// The only remark of a report.
  [[nodiscard]] std::string remark_of(const Words& options) const {
    Words all = options;
    all.insert(all.end(), {"--json", "--dry-run", "-o", folder_.path("run.json")});
    const auto result = run(all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::ifstream file(folder_.path("run.json"));
    const auto report = nlohmann::json::parse(file);
    EXPECT_TRUE(report.at("energy").at("external").is_null());
    for (std::string remark : report.at("remarks"))
      if (contains(remark, "wattmeter"))
        return remark;
    return "";
  }
};

INSTANTIATE_TEST_SUITE_P(mpi, BadJob, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param; });

TEST_P(BadJob, gears_of_nodes_that_do_not_exist_are_told_once_and_the_job_runs) {
  const Words emulated{"--backend", "emulated", "--platform", "table-3.1-two-types"};
  const auto run_in = [&](const std::string& gears) {
    Words options = emulated;
    options.insert(options.end(), {"--gears", gears, "--"});
    for (const std::string& word : job(2))
      options.push_back(word);
    return hypermile(options);
  };
  const auto too_many = run_in("0,3,5");
  EXPECT_EQ(too_many.exit_code, 0);
  const std::string what = "hypermile: warning: HYPERMILE_GEARS: there are 3 gears for 2 nodes; ";
  const auto at = too_many.err.find(what);
  EXPECT_NE(at, std::string::npos) << too_many.err;
  EXPECT_EQ(too_many.err.find(what, at + 1), std::string::npos) << too_many.err;
  const auto too_slow = run_in("0,99");
  EXPECT_EQ(too_slow.exit_code, 0);
  EXPECT_TRUE(contains(too_slow.err, "HYPERMILE_GEARS: node type4-0 has no gear 99, only 0 to 14"))
      << too_slow.err;
}

TEST_P(BadJob, gears_are_set_from_the_begin) {
  Words options{"--backend", "emulated", "--platform", "table-3.1-two-types",    "--gears",
                "0,3",       "--json",   "-o",         folder_.path("run.json"), "--"};
  for (const std::string& word : job(2))
    options.push_back(word);
  EXPECT_EQ(hypermile(options).exit_code, 0);
  std::ifstream file(folder_.path("run.json"));
  const auto report = nlohmann::json::parse(file);
  EXPECT_EQ(report.at("method"), "fixed");
  EXPECT_EQ(report.at("nodes").at(0).at("gear"), 0);
  EXPECT_EQ(report.at("nodes").at(1).at("gear"), 3);
}

TEST_P(BadJob, a_variable_that_is_not_understood_does_not_stop_a_job_without_the_command) {
  const std::string library = hypermile({"--print-library"}).out;
  std::string line = "LD_PRELOAD=" + library.substr(0, library.size() - 1);
  for (const std::string& word : job(2))
    line += " " + word;
  auto environment = job_environment(folder_.path("tmp"));
  environment["HYPERMILE_METHOD"] = "nonsense";
  const auto result = RunningCommand::shell(line, environment).wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err,
                       "hypermile: warning: HYPERMILE_METHOD: 'nonsense' is not a method; "
                       "try: exact, "))
      << result.err;
  EXPECT_TRUE(contains(result.err, ", none; the program runs as it would without hypermile"))
      << result.err;
}

TEST_P(BadJob, a_report_that_cannot_be_written_to_its_file_is_shown) {
  const auto result = run({"-o", "/proc/run.txt"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "hypermile: error: cannot write /proc/run.txt")) << result.err;
  EXPECT_TRUE(contains(result.err, "1 rank on 1 node\n")) << result.err;
}

TEST_P(BadJob, a_log_that_is_not_there_is_told_before_and_after_the_job) {
  const std::string log = folder_.path("power.csv");
  EXPECT_TRUE(
      contains(run({"--meter", "wattmeter:" + log}).err,
               "hypermile: " + log + " is not there yet; it is read when the job has ended\n"));
  EXPECT_TRUE(contains(remark_of({"--meter", "wattmeter:" + log}),
                       "no energy of the wattmeter: cannot read " + log));
}

TEST_P(BadJob, a_log_with_bad_lines_is_told_by_file_and_line) {
  const std::string log = folder_.path("power.csv");
  std::ofstream(log) << "time,power_w\n1000,20\n1001,much\n";
  EXPECT_EQ(remark_of({"--meter", "wattmeter:" + log}),
            "no energy of the wattmeter: " + log +
                ":3: 'much' is not a power in watts; try: a plain number such as 231.5");
}

TEST_P(BadJob, a_log_of_another_time_is_told_with_both) {
  const std::string log = folder_.path("power.csv");
  std::ofstream(log) << "time,power_w\n2001-01-01T00:00:00Z,20\n2001-01-01T00:00:01Z,20\n";
  EXPECT_TRUE(
      contains(remark_of({"--meter", "wattmeter:" + log}),
               "no energy of the wattmeter: the samples of " + log +
                   " are of 2001-01-01T00:00:00Z to 2001-01-01T00:00:01Z, the job ran from 20"));
}

TEST_P(BadJob, a_log_that_covers_the_job_gives_its_energy) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto second = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  {
    std::ofstream log(folder_.path("power.csv"));
    log << "time,power_w\n";
    for (int i = -10; i < 1000; ++i)
      log << second + i << ",100\n";
  }
  const auto result = run({"--json", "--baseline", "-o", folder_.path("run.json"), "--meter",
                           "wattmeter:" + folder_.path("power.csv")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::ifstream file(folder_.path("run.json"));
  const auto report = nlohmann::json::parse(file);
  const auto& external = report.at("energy").at("external");
  EXPECT_EQ(external.at("coverage"), 1);
  // The command takes longer than what is between MPI_Init and MPI_Finalize.
  EXPECT_GT(external.at("energy_j"), 100 * report.at("time_s").get<double>());
  EXPECT_EQ(report.at("baseline").at("energy_by"), "external");
  for (const auto& steps :
       {external.at("power_over_time"), report.at("baseline").at("external_power_over_time")}) {
    ASSERT_FALSE(steps.empty());
    for (const auto& step : steps)
      EXPECT_NEAR(step.at("power_w"), 100, 1e-6);
    EXPECT_EQ(steps.front().at("begin_s"), 0);
  }
  EXPECT_NEAR(external.at("power_over_time").back().at("end_s").get<double>() * 100,
              external.at("energy_j"), 1e-4);
}

TEST_P(BadJob, no_energy_is_told_where_none_is_wanted) {
  const auto result = run({"--meter", "none"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_FALSE(contains(result.err, "\nenergy")) << result.err;
}

// --- Help ---

TEST_F(BadInput, is_avoided_by_help_that_fits_a_terminal_and_names_everything) {
  const auto result = hypermile({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << line;
  for (const std::string name :
       {"--method",   "--objective", "--max-slowdown", "--confidence", "--time-model",    "--think",
        "--platform", "--backend",   "--meter",        "--apply",      "--dry-run",       "--gears",
        "--baseline", "--report",    "--output",       "--json",       "--print-library", "--quiet",
        "COMMAND",    "cpufreq",     "emulated",       "powercap",     "wattmeter:FILE",  "maxdist",
        "edp48",      "Exit code:"})
    EXPECT_TRUE(contains(result.out, name)) << name;
}

} // namespace
} // namespace hypermile::test
