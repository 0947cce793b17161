// What is refused, before the program starts.

#include "cli/steer/steered.hpp"

namespace hypermile::test {
namespace {

class SteerRefusals : public SteerTest {
protected:
  /// `echo started` is not. Returns what was said.
  std::string expect_refused(int exit_code, const Words& options) {
    Words words{"steer"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", "echo", "started"});
    environment_["HYPERMILE_SYSFS"] = folder_.path(); // where there is nothing
    const CommandResult result = RunningCommand(words, "", environment_).wait();
    EXPECT_EQ(result.exit_code, exit_code) << result.err;
    EXPECT_EQ(result.out, "");
    return result.err;
  }
  void expect_usage(const std::string& said, const Words& options) {
    const std::string text = expect_refused(2, options);
    EXPECT_NE(text.find(said), std::string::npos) << text;
  }
};

TEST_F(SteerRefusals, are_wrong_usage) {
  expect_usage("there is no bound", {});
  expect_usage("--items", {"--deadline", "2h"});
  expect_usage("--items", {"--energy", "5kJ"});
  expect_usage("there is no method 'magic'", {"--power", "9W", "--method", "magic"});
  expect_usage("take no COMMAND", {"--power", "9W", "--pid", "1"});
  expect_usage("exclude each other", {"--set", "power=9W", "--pid", "1"});
  expect_usage("--platform", {"--power", "9W", "--platform", "table-3.1"});
  expect_usage("--power", {"--power", "much"});
  expect_usage("--throughput", {"--throughput", "-3/s"});
  expect_usage("--utilisation", {"--utilisation", "1.5"});
  expect_usage("--progress-regex", {"--power", "9W", "--progress-regex", "no group"});
  expect_usage("--progress-regex", {"--power", "9W", "--progress-regex", "(["});
  expect_usage("--sample", {"--power", "9W", "--sample", "0s"});
  expect_usage("--backend", {"--power", "9W", "--backend", "magic"});
}

TEST_F(SteerRefusals, are_bounds_that_nothing_measures) {
  for (const Words& bound : {Words{"--power", "90W"}, Words{"--energy", "5kJ", "--items", "9"}})
    for (const char* backend : {"cores", "auto"}) {
      Words options = bound;
      options.insert(options.end(), {"--backend", backend});
      const std::string said = expect_refused(1, options);
      EXPECT_NE(said.find("needs a meter"), std::string::npos) << said;
    }
}

TEST_F(SteerRefusals, are_frequencies_and_a_meter_that_there_are_not) {
  expect_refused(1, {"--utilisation", "0.9", "--backend", "cpufreq"});
  expect_refused(1, {"--utilisation", "0.9", "--meter", "powercap"});
}

TEST_F(SteerRefusals, are_files_that_there_are_not) {
  const std::string nowhere = folder_.path("no/such");
  expect_refused(1, {"--utilisation", "0.9", "--timeline", nowhere});
  expect_refused(1, {"--utilisation", "0.9", "--timeline", nowhere + "/t.json"});
  expect_refused(1, {"--power-schedule", nowhere});
  expect_refused(1, {"--utilisation", "0.9", "--backend", "emulated", "--platform", nowhere});
}

TEST_F(SteerRefusals, are_programs_that_there_are_not) {
  for (const std::string& program : {folder_.path("none"), std::string("no-such-program")}) {
    const CommandResult result = run(emulated({"--power", "90W"}), {program});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_NE(result.err.find("cannot start '" + program), std::string::npos) << result.err;
  }
}

} // namespace
} // namespace hypermile::test
