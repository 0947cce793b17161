// A program on a machine whose frequencies are a fake tree: whatever happens, everything is
// restored.

#include "cli/steer/steered.hpp"

#include "backend/process/programs.hpp"
#include "support/fake_kernel.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"

#include <fstream>

namespace hypermile::test {
namespace {

std::vector<std::vector<int>> own_domains() {
  std::vector<std::vector<int>> domains;
  const control::CpuSet own = control::affinity(0).value();
  for (const std::size_t cpu : own)
    domains.push_back({static_cast<int>(cpu)});
  return domains;
}

class SteerGears : public SteerTest {
protected:
  SteerGears() { environment_["HYPERMILE_SYSFS"] = sysfs_.root(); }

  /// A server with little to do, so that it can be in a low gear.
  static Words idle_server(const std::string& seconds) {
    return server({"--threads", "2", "--rate", "100", "--work", "1000", "--duration", seconds});
  }
  [[nodiscard]] std::unique_ptr<RunningCommand> steer(const std::string& backend,
                                                      const Words& program) const {
    return start({"--utilisation", "0.9", "--backend", backend}, program);
  }
  void wait_for_gears() const {
    wait_until("gears are set", [&] { return sysfs_.settings() != before_; });
  }
  void wait_for_restored() const {
    wait_until("gears are restored", [&] { return sysfs_.settings() == before_; });
    wait_until("no guard", [&] { return guards_of(sysfs_.root()).empty(); });
  }
  void forbid_writing() {
    environment_["LD_PRELOAD"] = HYPERMILE_FAULTS;
    environment_["HYPERMILE_TEST_FAULTS"] = "EACCES:write:/cpufreq/";
  }

  FakeSysfs sysfs_{FakeSysfs::Driver::acpi_cpufreq, own_domains()};
  FakeKernel kernel_{sysfs_};
  std::map<std::string, std::string> before_ = sysfs_.settings();
};

TEST_F(SteerGears, are_set_and_restored) {
  for (const char* backend : {"cpufreq", "auto"}) {
    const auto running = steer(backend, idle_server("2"));
    wait_for_gears();
    const CommandResult result = running->wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(sysfs_.settings(), before_); // when the command returns, not some time later
    EXPECT_EQ(report()["backend"], "cpufreq");
    EXPECT_NE(timeline().back().at("frequency_ghz"), "");
    wait_for_restored();
  }
}

TEST_F(SteerGears, are_restored_on_sigterm) {
  const auto running = steer("cpufreq", idle_server("100"));
  wait_for_gears();
  running->signal(SIGTERM); // which goes on to the server
  EXPECT_EQ(running->wait().exit_code, 0);
  EXPECT_EQ(sysfs_.settings(), before_);
  wait_for_restored();
}

TEST_F(SteerGears, are_restored_after_sigkill_of_hypermile) {
  const auto running = steer("cpufreq", idle_server("100"));
  wait_for_gears();
  const pid_t server = process("server");
  running->signal(SIGKILL);
  (void)running->wait();
  wait_for_restored();
  EXPECT_TRUE(is_there(server));
  ::kill(server, SIGTERM);
}

TEST_F(SteerGears, are_restored_when_the_program_crashes) {
  const auto running = steer("cpufreq", idle_server("100"));
  wait_for_gears();
  ::kill(process("server"), SIGSEGV);
  EXPECT_EQ(running->wait().exit_code, 128 + SIGSEGV);
  EXPECT_EQ(sysfs_.settings(), before_);
  wait_for_restored();
}

TEST_F(SteerGears, that_may_not_be_set_are_said_so_and_cores_alone_used) {
  forbid_writing();
  const CommandResult result = steer("auto", idle_server("1"))->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("no gears are set"), std::string::npos) << result.err;
  EXPECT_EQ(report()["backend"], "cores");
  EXPECT_EQ(report()["reported_progress"], true);
  EXPECT_EQ(timeline().back().at("frequency_ghz"), "");
  EXPECT_EQ(sysfs_.settings(), before_);
}

TEST_F(SteerGears, that_may_not_be_set_but_must_are_an_error_before_the_program_starts) {
  forbid_writing();
  const CommandResult result = steer("cpufreq", {"echo", "started"})->wait();
  EXPECT_NE(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("EACCES"), std::string::npos) << result.err;
}

TEST_F(SteerGears, of_two_programs_are_those_of_the_first) {
  const auto first = steer("cpufreq", idle_server("100"));
  wait_for_gears();
  const TemporaryFolder other;
  const Words words{"steer", "--utilisation", "0.9", "--backend", "cpufreq", "--", "echo", "hi"};
  const CommandResult second = RunningCommand(words, "", environment_).wait();
  EXPECT_NE(second.exit_code, 0);
  EXPECT_EQ(second.out, "");
  first->signal(SIGTERM);
  EXPECT_EQ(first->wait().exit_code, 0);
  wait_for_restored();
}

/// The same where gears are limits on the power of the processors.
class SteerLimits : public SteerGears {
protected:
  SteerLimits() {
    powercap_.zone("intel-rapl:0", "package-0", 1'000'000);
    powercap_.limit("intel-rapl:0", 100'000'000);
    powercap_.write("intel-rapl:0", "constraint_0_time_window_us", "50000");
    limits_before_ = powercap_.settings();
  }
  [[nodiscard]] std::unique_ptr<RunningCommand> steer_limited(const Words& program,
                                                              const Words& options = {}) const {
    Words words{"--utilisation", "0.9", "--backend", "power-limit", "--power-limits", "80W,60W"};
    words.insert(words.end(), options.begin(), options.end());
    return start(words, program);
  }
  void wait_for_limits() const {
    wait_until("limits are set", [&] { return powercap_.settings() != limits_before_; });
  }
  void wait_for_restored_limits() const {
    wait_until("limits are restored", [&] { return powercap_.settings() == limits_before_; });
    wait_until("no guard", [&] { return guards_of(sysfs_.root()).empty(); });
  }

  FakePowercap powercap_{sysfs_.root()};
  std::map<std::string, std::string> limits_before_;
};

TEST_F(SteerLimits, are_set_named_and_restored_and_frequencies_left_alone) {
  const auto running = steer_limited(idle_server("3"));
  wait_for_limits();
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(powercap_.settings(), limits_before_); // when the command returns, not some time later
  EXPECT_EQ(sysfs_.settings(), before_);
  EXPECT_NE(result.err.find("how fast the node is under its power limits"), std::string::npos);
  EXPECT_EQ(report()["backend"], "power-limit");
  EXPECT_NE(report()["configuration"].get<std::string>().find(" W"), std::string::npos) << report();
  for (const Line& line : timeline()) {
    EXPECT_EQ(line.at("frequency_ghz"), "");
    const std::string& setting = line.at("setting");
    EXPECT_TRUE(setting == "100 W" || setting == "80 W" || setting == "60 W") << setting;
  }
}

TEST_F(SteerLimits, are_restored_after_sigkill_of_hypermile) {
  const auto running = steer_limited(idle_server("100"));
  wait_for_limits();
  const pid_t server = process("server");
  running->signal(SIGKILL);
  (void)running->wait();
  wait_for_restored_limits();
  ::kill(server, SIGTERM);
}

TEST_F(SteerLimits, are_restored_by_the_command_where_the_guard_was_killed_too) {
  const auto running = steer_limited(idle_server("100"));
  wait_for_limits();
  const pid_t server = process("server");
  for (const pid_t guard : guards_of(sysfs_.root()))
    ::kill(guard, SIGKILL);
  running->signal(SIGKILL);
  (void)running->wait();
  EXPECT_NE(powercap_.settings(), limits_before_);
  const CommandResult restored = RunningCommand({"restore"}, "", environment_).wait();
  EXPECT_EQ(restored.exit_code, 0) << restored.err;
  EXPECT_EQ(powercap_.settings(), limits_before_);
  ::kill(server, SIGTERM);
}

TEST_F(SteerLimits, that_are_locked_end_the_steering_and_not_the_program) {
  environment_["LD_PRELOAD"] = HYPERMILE_FAULTS;
  environment_["HYPERMILE_TEST_FAULTS"] = "ENODATA:write:power_limit_uw";
  const CommandResult result = steer_limited(idle_server("2"))->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("locked by BIOS"), std::string::npos) << result.err;
  EXPECT_EQ(powercap_.settings(), limits_before_);
}

TEST_F(SteerLimits, of_a_platform_are_those_that_are_set) {
  const std::string platform = folder_.path() + "/node.yaml";
  const auto write = [&](const std::string& limits) {
    std::ofstream(platform) << R"(schema: hypermile/platform/1
name: limited
description: this node
types:
  - name: node
    count: 1
    cores: 64
    speed: 1Gf
    gears: [2.0GHz, 1.9GHz]
)" << limits << R"(    power: {computing: [200W, 90W], waiting: [150W, 80W], idle: 60W}
network:
  link: {bandwidth: 1Gbps, latency: 50us}
)";
  };
  write("    power_limits: [100W, 70W]\n");
  const Words words{"--utilisation", "0.9", "--backend", "power-limit", "--platform", platform};
  const auto running = start(words, idle_server("3"));
  wait_for_limits();
  EXPECT_EQ(powercap_.read("intel-rapl:0", "constraint_0_power_limit_uw"), "70000000");
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(powercap_.settings(), limits_before_);
  EXPECT_EQ(result.err.find("how fast the node is"), std::string::npos) << result.err;
  write("");
  const CommandResult refused = run(words, {"echo", "started"});
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("are frequencies, not power limits"), std::string::npos)
      << refused.err;
}

TEST_F(SteerGears, carry_uncore_frequencies_which_are_restored_after_sigkill) {
  sysfs_.add_uncore("package_00_die_00");
  before_ = sysfs_.settings();
  const Words words{"--utilisation", "0.9", "--backend", "cpufreq", "--uncore", "1.6GHz"};
  const auto running = start(words, idle_server("100"));
  wait_until("the uncore is limited",
             [&] { return sysfs_.read_uncore("package_00_die_00", "max_freq_khz") == "1600000"; });
  wait_until("a sample tells it", [&] {
    const auto lines = timeline();
    return !lines.empty() && lines.back().contains("setting") &&
           lines.back().at("setting").ends_with(" + uncore 1.6 GHz") &&
           !lines.back().at("frequency_ghz").empty();
  });
  const pid_t server = process("server");
  running->signal(SIGKILL);
  (void)running->wait();
  wait_for_restored();
  ::kill(server, SIGTERM);
}

TEST_F(SteerGears, go_with_a_meter_that_measures) {
  const FakePowercap powercap(sysfs_.root());
  powercap.zone("intel-rapl:0", "package-0", 1'000'000);
  const auto running = start({"--power", "1000W"}, idle_server("2"));
  wait_for_gears();
  powercap.count("intel-rapl:0", 31'000'000); // 30 J
  EXPECT_EQ(running->wait().exit_code, 0);
  EXPECT_EQ(report()["power_measured"], true);
  EXPECT_NEAR(report()["energy_j"], 30, 1e-6);
}

} // namespace
} // namespace hypermile::test
