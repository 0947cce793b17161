// `hypermile trace export`, on the folder of a simulation and on a recorded run, against what
// `hypermile explain` tells of the same runs.

#include "simulate/simulated.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>

namespace hypermile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::cg_s;
using test::on_table_3_1;
using Words = std::vector<std::string>;

test::CommandResult hypermile_with(Words words, const std::string& command) {
  words.insert(words.begin(), command);
  return test::run_hypermile(words);
}

json json_of(Words words, const std::string& command) {
  words.emplace_back("--json");
  const auto result = hypermile_with(words, command);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out, nullptr, false);
}

/// CG on four nodes, unscaled and in gears 3,0,2,5.
class TraceExport : public testing::Test {
protected:
  static void SetUpTestSuite() {
    shared = std::make_unique<test::TemporaryFolder>();
    (void)test::simulate_json(on_table_3_1(4, {"--gears", "3,0,2,5", "--report", shared->path()}),
                              cg_s);
  }
  static void TearDownTestSuite() { shared.reset(); }
  static std::string folder() { return shared->path(); }

  /// What is written, strictly read, and what the command told.
  json exported(Words options) {
    const std::string file = mine.path("trace.json");
    options.insert(options.begin(), {"export", folder(), "--quiet", "-o", file});
    told = json_of(options, "trace");
    EXPECT_EQ(told["bytes"], fs::file_size(file));
    std::ifstream in(file);
    return json::parse(in);
  }

  void expect_refusal(Words options, int exit_code, const std::string& part) {
    options.insert(options.begin(), "export");
    options.insert(options.end(), {"-o", mine.path("none.json")});
    const auto result = hypermile_with(options, "trace");
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(part), std::string::npos) << part << "\nis not in\n" << result.err;
    EXPECT_TRUE(mine.empty()) << "nothing is left behind";
  }

  static std::unique_ptr<test::TemporaryFolder> shared;
  test::TemporaryFolder mine;
  json told;
};

std::unique_ptr<test::TemporaryFolder> TraceExport::shared;

double seconds_of(const json& trace, const std::string& category) {
  double sum = 0;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "X" && event["cat"] == category)
      sum += event["dur"].get<double>() / 1e6;
  return sum;
}

/// J, of all nodes.
double energy_of(const json& trace) {
  double energy = 0;
  double power = 0;
  double since = 0;
  for (const json& event : trace["traceEvents"])
    if (event["name"] == "power of all nodes") {
      energy += power * (event["ts"].get<double>() - since) / 1e6;
      since = event["ts"];
      power = event["args"]["W"];
    }
  return energy;
}

double sum(const json& list, const char* key) {
  double total = 0;
  for (const json& element : list)
    total += element.at(key).get<double>();
  return total;
}

TEST_F(TraceExport, of_a_forecast_adds_up_to_what_explain_tells) {
  const json explained = json_of({folder(), "--gears", "1,2,0,4"}, "explain");
  const json trace = exported({"--gears", "1,2,0,4"});
  const double rounding = 1e-5; // of a run of thousands of nanoseconds that were rounded
  EXPECT_NEAR(seconds_of(trace, "computing"), sum(explained["ranks"], "computing_s"), rounding);
  EXPECT_NEAR(seconds_of(trace, "waiting"), sum(explained["ranks"], "waiting_s"), 1e-4);
  const double energy = explained["energy_j"];
  EXPECT_NEAR(energy_of(trace), energy, 1e-5 * energy);
  EXPECT_NEAR(told["runs"][0]["energy_j"].get<double>(), energy, 1e-6 * energy);
  EXPECT_NEAR(told["runs"][0]["time_s"], explained["time_s"], 1e-6);
  EXPECT_EQ(trace["otherData"]["runs"][0]["times"], "forecast");
  EXPECT_EQ(trace["otherData"]["runs"][0]["gears"], json({1, 2, 0, 4}));
}

TEST_F(TraceExport, of_the_recorded_run_has_its_time_and_no_waiting_inside_of_calls) {
  const json explained = json_of({folder(), "--run", "unscaled"}, "explain");
  const json trace = exported({});
  EXPECT_EQ(trace["otherData"]["runs"][0]["times"], "recorded");
  EXPECT_EQ(told["runs"][0]["label"], "recorded");
  // The model's gear 0 and the recording are two things, but of one run.
  EXPECT_NEAR(told["runs"][0]["time_s"], explained["time_s"],
              1e-3 * explained["time_s"].get<double>());
  EXPECT_NEAR(energy_of(trace), told["runs"][0]["energy_j"],
              1e-5 * told["runs"][0]["energy_j"].get<double>());
}

TEST_F(TraceExport, puts_the_recorded_run_beside_a_forecast) {
  const json trace = exported({"--run", "gears-1", "--with-recorded"});
  ASSERT_EQ(trace["otherData"]["runs"].size(), 2U);
  EXPECT_EQ(trace["otherData"]["runs"][1]["gears"], json({3, 0, 2, 5}));
  EXPECT_GT(told["runs"][1]["time_s"], told["runs"][0]["time_s"]);
  std::map<int, std::string> processes;
  for (const json& event : trace["traceEvents"])
    if (event["name"] == "process_name")
      processes[event["pid"]] = event["args"]["name"];
  EXPECT_EQ(processes.size(), 10U); // of each run 4 nodes, and all nodes
  EXPECT_EQ(processes[2], "recorded: type1-0 (gear 0, 2.5 GHz)");
  EXPECT_EQ(processes[7], "gears of gears-1: type1-0 (gear 3, 2.2 GHz)");
}

TEST_F(TraceExport, bounds_what_is_written) {
  const json whole = exported({});
  const std::size_t calls = told["calls"];
  const json part = exported({"--from", "10ms", "--to", "12ms"});
  EXPECT_LT(told["calls"], calls / 2);
  EXPECT_LT(part["traceEvents"].size(), whole["traceEvents"].size() / 2);
  EXPECT_EQ(part["otherData"]["from_s"], 0.01);
}

/// One after the other, with as many calls each.
TEST_F(TraceExport, writes_the_iterations_that_are_asked_for) {
  const json report = test::simulate_json(on_table_3_1(4, {"--method", "none"}), cg_s);
  const std::size_t last = report["loop"]["iterations"];
  const auto calls = [&](std::size_t from, std::size_t to) {
    (void)exported({"--iterations", std::to_string(from) + "-" + std::to_string(to)});
    return told["calls"].get<std::size_t>();
  };
  for (const char* gears : {"", "3,0,2,5"}) {
    const auto window = [&](const std::string& iterations) {
      Words words{"--iterations", iterations};
      if (*gears != 0)
        words.insert(words.end(), {"--gears", gears});
      (void)exported(words);
      return std::pair<double, double>{told["from_s"], told["to_s"]};
    };
    const auto [from, to] = window("2");
    const auto [next, end] = window("3-4");
    EXPECT_LT(from, to);
    EXPECT_DOUBLE_EQ(to, next);
    EXPECT_NEAR(end - next, 2 * (to - from), 0.2 * (to - from)); // all are alike, about
  }
  // A call at the border is in both.
  EXPECT_NEAR(static_cast<double>(calls(1, last)), static_cast<double>(last * calls(2, 2)),
              0.1 * static_cast<double>(calls(1, last)));
}

TEST_F(TraceExport, refuses_iterations_that_there_are_not) {
  for (const char* wrong : {"0", "3-2", "x", "2-", "-3", "1e3", "1-99999999999999999999"})
    expect_refusal({folder(), "--iterations", wrong}, 2, "names no iterations");
  expect_refusal({folder(), "--iterations", "1-1000"}, 2, "the loop has");
  expect_refusal({folder(), "--iterations", "1", "--from", "1ms"}, 2, "--from");
}

TEST_F(TraceExport, takes_a_recorded_run) {
  const std::string run = mine.path("run.hmr");
  Words options = on_table_3_1(4, {"-o", run, "--"});
  options.insert(options.end(), cg_s.begin(), cg_s.end());
  ASSERT_EQ(test::record(options).exit_code, 0);
  const std::string file = mine.path("trace.json");
  const json written = json_of({"export", run, "-q", "--gears", "2", "-o", file}, "trace");
  const json explained = json_of({run, "-q", "--gears", "2"}, "explain");
  EXPECT_NEAR(written["runs"][0]["time_s"], explained["time_s"], 1e-9);
}

TEST_F(TraceExport, tells_on_a_terminal_what_was_written) {
  const auto result =
      hypermile_with({"export", folder(), "--gears", "3", "-o", mine.path("t.json")}, "trace");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("4 ranks on 4 nodes"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("gears 3: "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("forecast"), std::string::npos) << result.out;
}

TEST_F(TraceExport, refuses_what_it_cannot_write) {
  expect_refusal({}, 2, "DIR, a recorded run or --model");
  expect_refusal({mine.path("nothing")}, 1, "cannot read");
  expect_refusal({folder(), "--run", "alg5"}, 2, "there is no run 'alg5'");
  expect_refusal({folder(), "--gears", "99"}, 2, "99");
  expect_refusal({folder(), "--gears", "1", "--run", "exact"}, 2, "--run");
  expect_refusal({folder(), "--with-recorded"}, 2, "is for a forecast");
  expect_refusal({folder(), "--from", "2s", "--to", "1s"}, 2, "is not after --from");
  expect_refusal({folder(), "--from", "1h"}, 2, "the run takes only");
  expect_refusal({folder(), "--format", "otf2", "--gears", "1", "--with-recorded"}, 2,
                 "--with-recorded");
  expect_refusal({folder(), "--platform", "table-2.1"}, 2, "--platform");
  expect_refusal({folder(), "--format", "svg"}, 2, "--format");
  const auto result =
      hypermile_with({"export", folder(), "-o", mine.path("no/such/trace.json")}, "trace");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("cannot write"), std::string::npos) << result.err;
}

TEST_F(TraceExport, leaves_no_half_file_when_it_is_interrupted) {
  const std::string file = mine.path("trace.json");
  const test::TemporaryFolder temporary;
  test::RunningCommand command({"trace", "export", folder(), "-o", file}, "",
                               {{"TMPDIR", temporary.path()}});
  command.signal(SIGINT);
  const auto result = command.wait();
  if (result.exit_code == 0) { // it was faster
    std::ifstream in(file);
    EXPECT_FALSE(json::parse(in, nullptr, false).is_discarded());
    fs::remove(file);
  } else {
    EXPECT_EQ(result.exit_code, 128 + SIGINT);
  }
  EXPECT_TRUE(mine.empty());
  EXPECT_TRUE(temporary.empty());
}

} // namespace
} // namespace hypermile
