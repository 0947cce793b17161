#include "io/platform_yaml.hpp"
#include "support/command_line.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"
#include "support/power_supply.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

using namespace hypermile;
using namespace hypermile::test;

namespace {

using test::contains;

/// A machine of two CPUs with 28 gears and an energy counter.
struct CalibrateCommand : testing::Test {
  FakeSysfs sysfs{FakeSysfs::Driver::intel_pstate, {{0}, {1}}};
  TemporaryFolder folder;
  std::string output = folder.path("node.yaml");

  CalibrateCommand() { FakePowercap(sysfs.root()).zone("intel-rapl:0", "package-0"); }

  [[nodiscard]] RunningCommand start(const std::vector<std::string>& options,
                                     std::map<std::string, std::string> environment = {}) const {
    std::vector<std::string> words{"calibrate-power"};
    words.insert(words.end(), options.begin(), options.end());
    environment["HYPERMILE_SYSFS"] = sysfs.root();
    environment["HYPERMILE_STATE"] = folder.path("state");
    environment["HYPERMILE_ROOT"] = sysfs.root();
    return RunningCommand(words, "", environment);
  }
  [[nodiscard]] CommandResult calibrate(const std::vector<std::string>& options) const {
    return start(options).wait();
  }
  /// Returns when the lowest gear is set.
  void wait_for_lowest_gear() const {
    while (sysfs.read(0, "scaling_max_freq") != "800000")
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
};

} // namespace

TEST_F(CalibrateCommand, writes_what_the_node_draws_in_each_gear) {
  const PowerSupply power(sysfs); // 100 W at 3.5 GHz, 10 W at 0.8 GHz
  const auto before = sysfs.settings();
  const CommandResult result =
      calibrate({"--gears", "0,27", "--seconds", "0.2", "--output", output});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto platform = io::load_platform(output);
  const auto& type = platform.groups.at(0).type;
  ASSERT_EQ(type.gears.size(), 28U);
  EXPECT_GT(type.power[0].computing / type.power[27].computing, 4);
  EXPECT_LT(type.power[0].computing / type.power[27].computing, 25);
  EXPECT_GT(type.power[0].idle / type.power[27].idle, 4);
  EXPECT_LT(type.power[13].computing, type.power[0].computing);
  EXPECT_GT(type.power[13].computing, type.power[27].computing);
  EXPECT_TRUE(contains(result.out, "measured\n")) << result.out;
  EXPECT_TRUE(contains(result.out, "by Eq. 3.15\n")) << result.out;
  EXPECT_TRUE(contains(result.err, "hypermile: measuring 2 gears on ")) << result.err;
  EXPECT_EQ(sysfs.settings(), before);
}

TEST_F(CalibrateCommand, writes_gears_that_carry_an_uncore_frequency) {
  sysfs.add_uncore("package_00_die_00");
  const PowerSupply power(sysfs);
  const auto before = sysfs.settings();
  const CommandResult result =
      calibrate({"--backend", "cpufreq", "--uncore", "2GHz,1GHz", "--gears", "0,27", "--seconds",
                 "0.2", "--output", output});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto type = io::load_platform(output).groups.at(0).type;
  EXPECT_EQ(type.uncore, (std::vector{Hertz{2.4e9}, Hertz{1e9}}));
  EXPECT_EQ(type.gears.frequency(1), Hertz{8e8}); // what was not measured is left out
  EXPECT_EQ(sysfs.settings(), before);
}

TEST_F(CalibrateCommand, says_what_to_do_where_there_is_no_uncore_frequency) {
  const CommandResult result =
      calibrate({"--backend", "cpufreq", "--uncore", "2GHz", "--seconds", "0.1"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "intel_uncore_frequency is not there; try: modprobe"))
      << result.err;
  EXPECT_EQ(result.out, "");
}

TEST_F(CalibrateCommand, prints_a_platform_that_gears_are_selected_for) {
  const PowerSupply power(sysfs);
  const CommandResult result = calibrate({"--gears", "0", "--seconds", "0.2", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::ofstream(output) << result.out;
  const std::string workload = folder.path("workload.yaml");
  std::ofstream(workload) << "schema: hypermile/workload/1\nmodel: table\nnodes:\n"
                             "  - {tcp_s: 1, tcm_s: 0.5}\n";
  const CommandResult plan =
      run_hypermile({"select", "--platform", output, "--workload", workload});
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
}

TEST_F(CalibrateCommand, restores_gears_and_writes_nothing_after_ctrl_c) {
  const auto before = sysfs.settings();
  for (const int signal : {SIGINT, SIGTERM}) {
    RunningCommand command = start({"--gears", "27", "--seconds", "600", "--output", output});
    wait_for_lowest_gear();
    command.signal(signal);
    const CommandResult result = command.wait();
    EXPECT_EQ(result.exit_code, 128 + signal);
    EXPECT_EQ(sysfs.settings(), before);
    EXPECT_TRUE(contains(result.err, "interrupted; nothing is written")) << result.err;
    EXPECT_FALSE(std::filesystem::exists(output));
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(CalibrateCommand, leaves_a_node_alone_whose_gears_somebody_sets) {
  RunningCommand first = start({"--gears", "27", "--seconds", "600"});
  wait_for_lowest_gear();
  const CommandResult second = calibrate({"--gears", "0", "--seconds", "0.01"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_TRUE(contains(second.err, "are set by")) << second.err;
  EXPECT_EQ(sysfs.read(0, "scaling_max_freq"), "800000");
  first.signal(SIGINT);
  EXPECT_EQ(first.wait().exit_code, 130);
}

TEST_F(CalibrateCommand, measures_the_present_gear_where_none_can_be_set) {
  const auto before = sysfs.settings();
  sysfs.write(0, "scaling_cur_freq", "3000000");
  const CommandResult result =
      start({"--seconds", "0.2", "--json"},
            {{"LD_PRELOAD", HYPERMILE_FAULTS}, {"HYPERMILE_TEST_FAULTS", "EACCES:write:scaling_"}})
          .wait();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("gears").at(5).at("power_is"), "measured");
  EXPECT_EQ(json.at("gears").at(0).at("power_is"), "fitted");
  EXPECT_TRUE(contains(result.err, "only the present one, gear 5, is measured")) << result.err;
  EXPECT_EQ(sysfs.settings(), before);
}

TEST_F(CalibrateCommand, without_permission_to_measure_says_where_to_get_it) {
  const CommandResult result =
      start({"--seconds", "0.2", "--output", output},
            {{"LD_PRELOAD", HYPERMILE_FAULTS}, {"HYPERMILE_TEST_FAULTS", "EACCES:read:energy_uj"}})
          .wait();
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_TRUE(contains(
      result.err, "Permission denied (EACCES); try: hypermile doctor; or --meter wattmeter:FILE"))
      << result.err;
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(CalibrateCommand, without_a_meter_assumes_only_what_it_is_told) {
  FakePowercap(sysfs.root()).remove("intel-rapl:0");
  const CommandResult nothing = calibrate({"--seconds", "0.2"});
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_TRUE(contains(nothing.err, "there is no energy counter")) << nothing.err;
  EXPECT_TRUE(contains(nothing.err, "--assume")) << nothing.err;
  EXPECT_EQ(nothing.out, "");
  const CommandResult assumed =
      calibrate({"--seconds", "0.2", "--gears", "0", "--assume", "200W,110W,50W", "-q"});
  ASSERT_EQ(assumed.exit_code, 0) << assumed.err;
  EXPECT_TRUE(contains(assumed.out, "# No power is measured.")) << assumed.out;
  EXPECT_TRUE(contains(assumed.out, "computing: [200.00W, ")) << assumed.out;
}

TEST_F(CalibrateCommand, takes_power_from_the_log_of_a_wattmeter) {
  const std::string log = folder.path("log.csv");
  const Wattmeter meter(log, 77);
  const CommandResult result = calibrate(
      {"--gears", "0", "--seconds", "0.1", "--meter", "wattmeter:" + log, "--json", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto gear = nlohmann::json::parse(result.out).at("gears").at(0);
  EXPECT_NEAR(gear.at("computing_w"), 77, 1e-6);
  EXPECT_NEAR(gear.at("idle_w"), 77, 1e-6);
}

TEST_F(CalibrateCommand, refuses_a_log_before_it_measures_anything) {
  const std::string log = folder.path("log.csv");
  std::ofstream(log) << "time,watts\n1,2\n";
  const CommandResult result = calibrate({"--seconds", "600", "--meter", "wattmeter:" + log});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, log + ":1: 'watts' is not a column")) << result.err;
}

TEST_F(CalibrateCommand, refuses_gears_that_the_node_does_not_have) {
  const CommandResult result = calibrate({"--seconds", "600", "--gears", "0,28"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "this node has no gear 28; try: gears from 0 to 27"))
      << result.err;
}

TEST_F(CalibrateCommand, refuses_what_it_does_not_understand) {
  const auto wrong = [&](const std::vector<std::string>& options, const std::string& part) {
    const CommandResult result = calibrate(options);
    EXPECT_EQ(result.exit_code, 2) << options[0];
    EXPECT_TRUE(contains(result.err, part)) << result.err;
  };
  for (const char* seconds : {"0", "-1", "nan", "1e9", "10s", ""})
    wrong({"--seconds", seconds}, "is not a number from 0.01 to 3600");
  for (const char* gears : {"", "a", "1,", "0,-1", "1.5", "0 1"})
    wrong({"--gears", gears}, "is not a gear");
  wrong({"--gears", "1,2,1"}, "gear 1 is named twice");
  for (const char* meter : {"", "rapl", "wattmeter", "powercap:x"})
    wrong({"--meter", meter}, "unknown meter");
  wrong({"--meter", "wattmeter:"}, "'wattmeter:' needs a value; try: wattmeter:FILE");
  wrong({"--meter", "model"}, "measures nothing; try: --assume");
  wrong({"--backend", "rapl"}, "unknown backend 'rapl'; there are: cpufreq, ");
  wrong({"--backend", "emulated"}, "has nothing that could be measured");
  wrong({"--assume", "1W"}, "is not three powers");
  wrong({"--assume", "1W,2W,3W"}, "waiting draws more than computing");
  wrong({"--assume", "1W,1,1W"}, "'1' is not a power");
  wrong({"--assume", "1W,1W,-1W"}, "negative");
  wrong({"--assume", "3W,2W,1W", "--meter", "powercap"}, "excludes");
  wrong({"extra"}, "unexpected argument 'extra'");
}

namespace {

/// A machine with one processor of 100 W.
struct CalibrateLimits : CalibrateCommand {
  FakePowercap tree{sysfs.root()};
  const std::vector<std::string> limits{"--backend", "power-limit", "--power-limits", "80W,60W"};

  CalibrateLimits() {
    tree.limit("intel-rapl:0", 100'000'000);
    tree.write("intel-rapl:0", "constraint_0_time_window_us", "1000");
  }
  [[nodiscard]] CommandResult with(const std::vector<std::string>& options) const {
    std::vector<std::string> words = limits;
    words.insert(words.end(), options.begin(), options.end());
    return calibrate(words);
  }
};

} // namespace

TEST_F(CalibrateLimits, write_a_platform_whose_gears_are_power_limits) {
  const LimitedSupply power(tree);
  const auto before = tree.settings();
  const auto frequencies = sysfs.settings();
  const CommandResult result = with({"--seconds", "0.3", "--output", output});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto type = io::load_platform(output).groups.at(0).type;
  EXPECT_EQ(type.power_limits.at(0), Watts{100});
  EXPECT_EQ(type.power_limits.size(), type.gears.size());
  EXPECT_EQ(type.power.size(), type.gears.size());
  // This machine is as fast under any limit of the fake tree: which ones stay is up to chance.
  EXPECT_EQ(type.power_limits.size() + count(result.err, "is left out"), 3U) << result.err;
  EXPECT_TRUE(contains(result.out, "limit W")) << result.out;
  EXPECT_EQ(tree.settings(), before);
  EXPECT_EQ(sysfs.settings(), frequencies);
}

TEST_F(CalibrateLimits, are_restored_after_ctrl_c_and_after_sigkill) {
  const auto before = tree.settings();
  for (const int signal : {SIGINT, SIGKILL}) {
    RunningCommand command = start({"--backend", "power-limit", "--power-limits", "80W", "--gears",
                                    "1,0", "--seconds", "600"});
    while (tree.settings() == before)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    command.signal(signal);
    (void)command.wait();
    for (int i = 0; i < 3000 && tree.settings() != before; ++i) // the guard may be about to
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(tree.settings(), before);
  }
}

TEST_F(CalibrateLimits, that_cannot_be_set_are_an_error_and_nothing_is_measured) {
  const CommandResult locked =
      start({"--backend", "power-limit", "--seconds", "0.1", "--output", output},
            {{"LD_PRELOAD", HYPERMILE_FAULTS},
             {"HYPERMILE_TEST_FAULTS", "EACCES:write:power_limit_uw"}})
          .wait();
  EXPECT_EQ(locked.exit_code, 1);
  EXPECT_TRUE(contains(locked.err, "cannot set the power limit of package-0")) << locked.err;
  EXPECT_TRUE(contains(locked.err, "hypermile doctor")) << locked.err;
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(CalibrateLimits, refuse_lists_that_are_none_and_power_that_is_assumed) {
  EXPECT_EQ(calibrate({"--backend", "power-limit", "--power-limits", "60W,80W"}).exit_code, 2);
  EXPECT_EQ(calibrate({"--power-limits", "60W"}).exit_code, 2); // of no backend
  const CommandResult above =
      calibrate({"--backend", "power-limit", "--power-limits", "200W", "--seconds", "0.1"});
  EXPECT_EQ(above.exit_code, 1);
  EXPECT_TRUE(contains(above.err, "200 W is above the present limit of 100 W")) << above.err;
  const CommandResult alone = with({"--gears", "1", "--seconds", "0.1"});
  EXPECT_EQ(alone.exit_code, 1);
  EXPECT_TRUE(contains(alone.err, "leaves out gear 0")) << alone.err;
  const CommandResult assumed = with({"--assume", "200W,110W,50W", "--seconds", "0.1"});
  EXPECT_EQ(assumed.exit_code, 1);
  EXPECT_TRUE(contains(assumed.err, "--assume tells nothing of power limits")) << assumed.err;
}
