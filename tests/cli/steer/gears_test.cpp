// A program on a machine whose frequencies are a fake tree: whatever happens, everything is
// restored.

#include "cli/steer/steered.hpp"

#include "backend/process/programs.hpp"
#include "support/fake_kernel.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"

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
