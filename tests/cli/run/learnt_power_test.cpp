// Jobs on a machine with an energy counter and no platform file: what it draws is learnt.

#include "support/command_line.hpp"
#include "support/fake_kernel.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"
#include "support/own_domains.hpp"
#include "support/power_supply.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace hypermile::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// By PowerSupply.
double watts_at(double ghz) { return 10 + 90 * (ghz - 0.8) / 2.7; }

const FakeSysfs& with_counter(const FakeSysfs& sysfs) {
  FakePowercap(sysfs.root()).zone("intel-rapl:0", "package-0");
  return sysfs;
}

class LearntPower : public testing::TestWithParam<std::string> {
protected:
  LearntPower() { fs::create_directory(folder_.path("tmp")); }

  CommandResult run(const std::vector<std::string>& options, int iterations) const {
    std::vector<std::string> words{"run", "--report", folder_.path("out"), "--learn",
                                   folder_.path("memory")};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(),
                 {"--", "mpirun." + GetParam(), "-n", "2",
                  HYPERMILE_BINARY_DIR "/tests/programs/" + GetParam() + "/only_allreduce",
                  std::to_string(iterations), "2000"});
    return RunningCommand(words, "", environment_).wait();
  }
  [[nodiscard]] json report() const {
    std::ifstream file(folder_.path("out") + "/run.json");
    return json::parse(file);
  }

  TemporaryFolder folder_;
  FakeSysfs sysfs_{FakeSysfs::Driver::intel_pstate, own_domains()};
  FakeKernel kernel_{sysfs_};
  PowerSupply power_{with_counter(sysfs_)};
  std::map<std::string, std::string> environment_{{"HYPERMILE_SYSFS", sysfs_.root()},
                                                  {"HYPERMILE_STATE", folder_.path("state")},
                                                  {"TMPDIR", folder_.path("tmp")},
                                                  {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                                  {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
};

TEST_P(LearntPower, is_told_kept_for_the_next_run_and_printed_as_a_platform) {
  const CommandResult first = run({"--max-slowdown", "none"}, 600);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const json run_json = report();
  ASSERT_EQ(run_json["learnt_power"].size(), 1U) << run_json;
  const json& learnt = run_json["learnt_power"][0];
  EXPECT_EQ(learnt["prior"], "assumption");
  EXPECT_EQ(learnt["nodes"], 1);
  int metered = 0;
  for (const json& gear : learnt["gears"])
    if (gear["metered_s"] > 0.3) {
      ++metered;
      // It draws the same whether it computes or waits, so what is known well lies between these.
      const double truth = watts_at(gear["frequency_ghz"]);
      EXPECT_LT(gear["waiting_low_w"].get<double>(), 1.1 * truth) << gear;
      EXPECT_GT(gear["computing_high_w"].get<double>(), 0.9 * truth) << gear;
      constexpr double long_s = 1; // the counter of a busy machine comes in jumps
      if (gear["metered_s"] > long_s) {
        EXPECT_LT(std::abs(gear["computing_w"].get<double>() / truth - 1), 0.35) << gear;
      }
    }
  EXPECT_GE(metered, 1) << learnt;
  EXPECT_NE(first.err.find("Power of a node of type 3.5GHz"), std::string::npos) << first.err;

  const CommandResult plan =
      RunningCommand({"plan", folder_.path("memory"), "--print-platform"}, "", environment_).wait();
  ASSERT_EQ(plan.exit_code, 0) << plan.err;
  const std::string platform = folder_.path("learnt.yaml");
  std::ofstream(platform) << plan.out;
  const CommandResult checked =
      RunningCommand({"platform", "show", platform}, "", environment_).wait();
  EXPECT_EQ(checked.exit_code, 0) << checked.err << plan.out;

  const CommandResult second = run({}, 600);
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(report()["learnt_power"][0]["from_earlier_runs"], true);
}

/// The shares of computing and waiting would be of other gears than those that were chosen.
TEST_P(LearntPower, is_not_learnt_where_waits_have_a_gear_of_their_own) {
  const CommandResult result =
      run({"--max-slowdown", "none", "--wait-gear=timer", "--waiting", "spinning"}, 400);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json run_json = report();
  EXPECT_FALSE(run_json["nodes"][0]["wait_gear"].is_null()) << run_json;
  EXPECT_FALSE(run_json["energy"]["measured_j"].is_null()) << run_json; // there was a meter
  EXPECT_TRUE(run_json["learnt_power"].empty()) << run_json;
  const CommandResult plan =
      RunningCommand({"plan", folder_.path("memory"), "--print-platform"}, "", environment_).wait();
  EXPECT_NE(plan.exit_code, 0);
  EXPECT_NE(plan.err.find("no meter has taught"), std::string::npos) << plan.err;
}

INSTANTIATE_TEST_SUITE_P(mpi, LearntPower, testing::Values(HYPERMILE_TEST_FLAVOURS));

} // namespace
} // namespace hypermile::test
