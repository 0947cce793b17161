// Jobs on a machine whose frequencies are a fake tree, with faults: whatever happens, everything is
// restored and the job ends as it would without hypermile.

#include "support/command_line.hpp"
#include "support/fake_kernel.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"
#include "support/processes.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sched.h>
#include <signal.h>
#include <sstream>
#include <thread>

namespace hypermile::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// The CPUs that this process may run on.
std::vector<int> own_cpus() {
  cpu_set_t set;
  ::sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set))
      cpus.push_back(cpu);
  return cpus;
}

/// A frequency for each of them, and one more CPU at least, so that there are several.
std::vector<std::vector<int>> own_domains() {
  std::vector<std::vector<int>> domains;
  for (const int cpu : own_cpus())
    domains.push_back({cpu});
  return domains;
}

class Faults : public testing::TestWithParam<std::string> {
protected:
  Faults() {
    environment_ = {{"HYPERMILE_SYSFS", sysfs_.root()},
                    {"HYPERMILE_STATE", folder_.path("state")},
                    {"TMPDIR", folder_.path("tmp")},
                    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
    fs::create_directory(folder_.path("tmp"));
  }

  /// In the fake tree, from the moment the job starts.
  void inject(const std::string& faults) {
    environment_["LD_PRELOAD"] = HYPERMILE_TEST_FAULTS_LIBRARY;
    environment_["HYPERMILE_TEST_FAULTS"] = faults;
  }

  [[nodiscard]] static std::string program(const std::string& name) {
    return HYPERMILE_BINARY_DIR "/tests/programs/" + GetParam() + "/" + name;
  }

  /// Two ranks that compute for `work` microseconds in each of the iterations.
  [[nodiscard]] std::vector<std::string> job(int iterations, int work = 2000) const {
    return {program("only_allreduce"), std::to_string(iterations), std::to_string(work)};
  }

  std::unique_ptr<RunningCommand> start(const std::vector<std::string>& command,
                                        const std::vector<std::string>& options = {}) const {
    std::vector<std::string> arguments{"run", "--json", "-o", folder_.path("run.json")};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.insert(arguments.end(), {"--", "mpirun." + GetParam(), "-n", "2"});
    arguments.insert(arguments.end(), command.begin(), command.end());
    return std::make_unique<RunningCommand>(arguments, "", environment_);
  }

  CommandResult run(const std::vector<std::string>& command,
                    const std::vector<std::string>& options = {}) const {
    return start(command, options)->wait();
  }

  [[nodiscard]] nlohmann::json report() const {
    std::ifstream file(folder_.path("run.json"));
    return file ? nlohmann::json::parse(file) : nlohmann::json();
  }

  [[nodiscard]] static bool has_remark(const nlohmann::json& report, const std::string& text) {
    for (const auto& remark : report.at("remarks"))
      if (remark.get<std::string>().find(text) != std::string::npos)
        return true;
    return false;
  }

  static void wait_until(const std::function<bool()>& true_at_last) {
    for (int i = 0; i < 3000 && !true_at_last(); ++i)
      std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(true_at_last());
  }

  /// Some policy is in a gear that hypermile set.
  void wait_for_gears() {
    wait_until([&] { return sysfs_.settings() != before_; });
  }

  /// Of this node, now or soon: a guard may be about to do it.
  void expect_restored() {
    wait_until([&] { return sysfs_.settings() == before_; });
    EXPECT_EQ(sysfs_.settings(), before_);
  }

  /// Those of this test: others may run the same program at the same time.
  [[nodiscard]] std::vector<pid_t> own_processes(const std::string& path) const {
    return processes_of(path, environment_.at("HYPERMILE_STATE"));
  }

  void kill_all(int signal, const std::string& path) const {
    for (const pid_t pid : own_processes(path))
      ::kill(pid, signal);
  }

  /// What the shell says of the same job without hypermile.
  [[nodiscard]] int exit_code_without(const std::string& line) const {
    return RunningCommand::shell(line, environment_).wait().exit_code;
  }

  TemporaryFolder folder_;
  FakeSysfs sysfs_{FakeSysfs::Driver::acpi_cpufreq, own_domains()};
  FakeKernel kernel_{sysfs_};
  std::map<std::string, std::string> before_ = sysfs_.settings();
  std::map<std::string, std::string> environment_;
};

INSTANTIATE_TEST_SUITE_P(mpi, Faults, testing::Values(HYPERMILE_TEST_FLAVOURS),
                         [](const auto& flavour) { return flavour.param; });

TEST_P(Faults, gears_are_set_and_restored) {
  const auto running = start(job(400));
  wait_for_gears();
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(sysfs_.settings(), before_); // when the command returns, not some time later
  const auto report = this->report();
  EXPECT_TRUE(report.at("gears_in_effect"));
  EXPECT_EQ(report.at("nodes").at(0).at("sets_gears_by"), "cpufreq");
  EXPECT_TRUE(report.at("nodes").at(0).at("power_assumed"));
}

TEST_P(Faults, a_dry_run_touches_nothing_and_says_what_it_would_have_set) {
  inject("EIO:write:/cpufreq/");
  const CommandResult result = run(job(300), {"--dry-run"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto report = this->report();
  EXPECT_FALSE(report.at("gears_in_effect"));
  EXPECT_LT(report.at("predicted").at("energy_ratio"), 1);
  EXPECT_TRUE(std::ranges::any_of(report.at("decisions"), [](const nlohmann::json& decision) {
    return decision.at("gears").at(0) != 0;
  })) << report;
  EXPECT_EQ(report.at("nodes").at(0).at("gear"), 0);
}

TEST_P(Faults, without_permission_the_job_runs_and_is_told_what_it_could_have_saved) {
  inject("EACCES:write:/cpufreq/");
  const CommandResult result = run(job(300));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto report = this->report();
  EXPECT_FALSE(report.at("gears_in_effect"));
  EXPECT_LT(report.at("predicted").at("energy_ratio"), 1);
  EXPECT_TRUE(has_remark(report, "hypermile doctor"));
  EXPECT_EQ(sysfs_.settings(), before_);
}

TEST_P(Faults, a_read_only_sysfs_stops_nobody) {
  inject("EROFS:write:/cpufreq/");
  const CommandResult result = run(job(100));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(report().at("gears_in_effect"));
}

TEST_P(Faults, one_core_that_takes_no_gear_does_not_stop_the_others) {
  if (own_cpus().size() < 2)
    GTEST_SKIP() << "there is one core only";
  inject("EBUSY:write:/policy" + std::to_string(own_cpus().back()) + "/");
  const CommandResult result = run(job(400));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_restored();
  EXPECT_TRUE(has_remark(report(), "policy" + std::to_string(own_cpus().back()))) << report();
}

TEST_P(Faults, short_reads_stop_nobody) {
  inject("SHORT:read:/cpufreq/");
  const CommandResult result = run(job(300));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_restored();
}

TEST_P(Faults, a_governor_that_is_changed_under_us_is_told_and_restored) {
  const auto running = start(job(500));
  wait_for_gears();
  sysfs_.write(own_cpus()[0], "scaling_governor", "performance");
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_restored();
  EXPECT_TRUE(has_remark(report(), "performance")) << report();
}

TEST_P(Faults, a_cpu_that_goes_offline_stops_nobody) {
  const auto running = start(job(400));
  wait_for_gears();
  sysfs_.take_offline(own_cpus().back());
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_restored();
}

TEST_P(Faults, restores_after_sigkill_of_a_rank) {
  const auto running = start(job(100'000));
  wait_for_gears();
  ::kill(own_processes(program("only_allreduce")).at(0), SIGKILL);
  EXPECT_NE(running->wait().exit_code, 0);
  EXPECT_EQ(sysfs_.settings(), before_);
}

/// Of ranks that all wait, each for a thread of its own. Gears are set in waits alone.
TEST_P(Faults, restores_after_sigkill_of_a_rank_in_the_wait_gear) {
  const auto running = start({program("long_waits"), "100000", "60000", "alone"},
                             {"--method", "none", "--wait-gear", "--waiting", "spinning"});
  const auto lowest = [this] {
    for (const int cpu : own_cpus())
      if (sysfs_.read(cpu, "scaling_setspeed") != "1200000" &&
          sysfs_.read(cpu, "scaling_max_freq") != "1200000")
        return false;
    return true;
  };
  wait_until(lowest);
  kill_all(SIGKILL, program("long_waits"));
  EXPECT_NE(running->wait().exit_code, 0);
  EXPECT_EQ(sysfs_.settings(), before_);
}

TEST_P(Faults, a_wait_gear_goes_on_top_of_others_and_is_restored) {
  const CommandResult result = run({program("long_waits"), "30", "20000", "alone"},
                                   {"--wait-gear", "--waiting", "spinning"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(sysfs_.settings(), before_);
  const auto use = report().at("nodes").at(0).at("wait_gear");
  EXPECT_TRUE(use.at("set")) << use;
  EXPECT_GT(use.at("times").get<int>(), 0) << use;
  EXPECT_GT(use.at("change_s").get<double>(), 0) << use;
}

TEST_P(Faults, restores_after_sigterm_to_the_job) {
  const auto running = start(job(100'000));
  wait_for_gears();
  running->signal(SIGTERM); // which goes on to mpirun
  (void)running->wait();    // MPICH's may end with 0
  EXPECT_EQ(sysfs_.settings(), before_);
}

TEST_P(Faults, restores_after_mpi_abort_and_keeps_the_exit_code) {
  const std::string line = fmt::format("{} abort 1 150 300 2000", program("exit_code"));
  const int code = exit_code_without("mpirun." + GetParam() + " -n 2 " + line);
  const CommandResult result = run({program("exit_code"), "abort", "1", "150", "300", "2000"});
  EXPECT_EQ(result.exit_code, code);
  EXPECT_EQ(sysfs_.settings(), before_);
}

TEST_P(Faults, restores_after_a_rank_that_exits_and_keeps_the_exit_code) {
  const std::string line = fmt::format("{} exit 1 150 300 2000", program("exit_code"));
  const int code = exit_code_without("mpirun." + GetParam() + " -n 2 " + line);
  const CommandResult result = run({program("exit_code"), "exit", "1", "150", "300", "2000"});
  // MPICH's mpirun kills the other rank as soon as the connection to this one closes. On a loaded
  // machine it may tell of that signal instead, with hypermile and without.
  const auto is_killed_by_mpirun = [](int exit_code) {
    return GetParam() == "mpich" && (exit_code & 0x7f) == SIGKILL;
  };
  EXPECT_TRUE(result.exit_code == code || is_killed_by_mpirun(result.exit_code) ||
              is_killed_by_mpirun(code))
      << result.exit_code << " in place of " << code << result.err;
  EXPECT_EQ(sysfs_.settings(), before_);
}

TEST_P(Faults, restores_after_sigkill_of_the_launcher) {
  const auto running = start(job(100'000));
  wait_for_gears();
  running->signal(SIGKILL);
  (void)running->wait();
  EXPECT_NE(sysfs_.settings(), before_); // the job runs on
  kill_all(SIGKILL, program("only_allreduce"));
  expect_restored();
}

TEST_P(Faults, a_report_that_cannot_be_kept_is_told_also_by_the_exit_code) {
  fs::create_directories(folder_.path("out/run.json")); // as good as a full disk
  const CommandResult result = run(job(300), {"--report", folder_.path("out")});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("cannot write"), std::string::npos) << result.err;
  expect_restored();
}

TEST_P(Faults, the_second_job_on_a_node_measures_only_and_says_why) {
  const auto first = start(job(100'000));
  wait_for_gears();
  const auto set = sysfs_.settings();
  const TemporaryFolder other;
  RunningCommand second({"run", "--json", "-o", other.path("run.json"), "--",
                         "mpirun." + GetParam(), "-n", "1", program("only_allreduce"), "100",
                         "2000"},
                        "", environment_);
  const CommandResult result = second.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::ifstream file(other.path("run.json"));
  const auto report = nlohmann::json::parse(file);
  EXPECT_FALSE(report.at("gears_in_effect"));
  EXPECT_TRUE(has_remark(report, "no gear is set")) << report;
  EXPECT_TRUE(has_remark(report, "only_allreduce")) << report; // who has it
  first->signal(SIGTERM);
  (void)first->wait();
  EXPECT_EQ(sysfs_.settings(), before_);
}

// --- Memory ---

TEST_P(Faults, an_allocation_of_hypermiles_that_fails_leaves_the_program_alone) {
  const std::vector<std::string> command{program("only_allreduce"), "60", "2000"};
  const std::string expected = run(command).out;
  environment_["LD_PRELOAD"] = HYPERMILE_TEST_FAULTS_LIBRARY;
  // From the first allocation in MPI_Init to those of the report in MPI_Finalize.
  bool rank_0 = false;
  for (const char* const fault : {"0", "3:on", "11", "31:on", "71", "150:on", "300", "700:on",
                                  "1200", "1700:on", "2100", "2500:on", "3200"}) {
    rank_0 = !rank_0;
    environment_["HYPERMILE_TEST_ALLOCATION"] = fmt::format("{}:{}", rank_0 ? 0 : 1, fault);
    SCOPED_TRACE(environment_["HYPERMILE_TEST_ALLOCATION"]);
    const CommandResult result = run(command);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, expected);
    expect_restored();
  }
}

TEST_P(Faults, an_allocation_that_fails_while_a_run_is_recorded_leaves_the_program_alone) {
  const std::vector<std::string> command{program("only_allreduce"), "60", "200"};
  const std::string expected = run(command).out;
  const TemporaryFolder folder;
  const std::string file = folder.path("run.hmr");
  environment_["LD_PRELOAD"] = HYPERMILE_TEST_FAULTS_LIBRARY;
  bool rank_0 = false;
  for (const char* const fault : {"40", "100:on", "200", "400:on", "500", "600", "700", "800:on"}) {
    rank_0 = !rank_0;
    environment_["HYPERMILE_TEST_ALLOCATION"] = fmt::format("{}:{}", rank_0 ? 0 : 1, fault);
    SCOPED_TRACE(environment_["HYPERMILE_TEST_ALLOCATION"]);
    const CommandResult result = run(command, {"--record", file});
    EXPECT_EQ(result.out, expected);
    if (result.exit_code != 0) { // then it says why
      EXPECT_NE(result.err.find("hypermile: error: "), std::string::npos) << result.err;
    }
    expect_restored();
  }
}

// --- Meters ---

// Once gears are set, the meter has been read.

TEST_P(Faults, a_counter_that_turns_over_is_followed) {
  constexpr std::uint64_t range = 1'000'000'000;
  const FakePowercap powercap(sysfs_.root());
  powercap.zone("intel-rapl:0", "package-0", range - 5'000'000, range);
  const auto running = start(job(500));
  wait_for_gears();
  powercap.count("intel-rapl:0", 20'000'000);
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(report().at("energy").at("measured_j"), 25);
  EXPECT_EQ(report().at("energy").at("meters").at(0), "1 package");
  double joules = 0;
  const auto steps = report().at("power_over_time");
  for (const auto& step : steps)
    joules += step.at("power_w").get<double>() *
              (step.at("end_s").get<double>() - step.at("begin_s").get<double>());
  EXPECT_NEAR(joules, 25, 1e-6);
  EXPECT_GT(steps.size(), 2U);
}

TEST_P(Faults, a_zone_that_vanishes_leaves_no_figure_and_says_so) {
  const FakePowercap powercap(sysfs_.root());
  powercap.zone("intel-rapl:0", "package-0", 1'000'000);
  const auto running = start(job(500));
  wait_for_gears();
  powercap.remove("intel-rapl:0");
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(report().at("energy").at("measured_j").is_null());
  EXPECT_TRUE(report().at("power_over_time").empty());
  EXPECT_TRUE(has_remark(report(), "intel-rapl:0")) << report();
}

TEST_P(Faults, gears_that_carry_an_uncore_frequency_are_named_by_it_and_restored) {
  sysfs_.add_uncore("package_00_die_00");
  const auto before = sysfs_.settings();
  const CommandResult result =
      run(job(200), {"--backend", "cpufreq", "--uncore", "1.6GHz", "--max-slowdown", "none"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(sysfs_.settings(), before);
  const auto node = report().at("nodes").at(0);
  const auto setting = node.at("setting").get<std::string>();
  EXPECT_TRUE(
      setting.ends_with(node.at("gear") == 0 ? " GHz + uncore 2.4 GHz" : " GHz + uncore 1.6 GHz"))
      << setting;
  EXPECT_TRUE(
      setting.starts_with(fmt::format("{:.4g} GHz", node.at("frequency_ghz").get<double>())))
      << setting;
}

/// The same on a machine whose gears are power limits of a platform.
class LimitFaults : public Faults {
protected:
  LimitFaults() {
    powercap_.zone("intel-rapl:0", "package-0");
    powercap_.limit("intel-rapl:0", 150'000'000);
    limits_before_ = powercap_.settings();
    std::ofstream(platform_) << R"(schema: hypermile/platform/1
name: limited
description: a node with two gears, of which one costs little time
types:
  - name: node
    count: 1
    cores: 64
    speed: 1Gf
    gears: [2.0GHz, 1.98GHz]
    power_limits: [150W, 80W]
    power: {computing: [200W, 90W], waiting: [150W, 80W], idle: 60W}
network:
  link: {bandwidth: 1Gbps, latency: 50us}
)";
  }
  [[nodiscard]] std::unique_ptr<RunningCommand> start_limited(int iterations) const {
    return start(job(iterations), {"--platform", platform_, "--meter", "model"});
  }
  void wait_for_limits() {
    wait_until([&] { return powercap_.settings() != limits_before_; });
  }

  FakePowercap powercap_{sysfs_.root()};
  std::map<std::string, std::string> limits_before_;
  std::string platform_ = folder_.path("limited.yaml");
};

INSTANTIATE_TEST_SUITE_P(mpi, LimitFaults, testing::Values(HYPERMILE_TEST_FLAVOURS),
                         [](const auto& flavour) { return flavour.param; });

TEST_P(LimitFaults, limits_are_set_and_restored_and_frequencies_left_alone) {
  const auto running = start_limited(250);
  wait_for_limits();
  EXPECT_EQ(powercap_.read("intel-rapl:0", "constraint_0_power_limit_uw"), "80000000");
  const CommandResult result = running->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(powercap_.settings(), limits_before_); // when the command returns, not some time later
  EXPECT_EQ(sysfs_.settings(), before_);
  const auto node = report().at("nodes").at(0);
  EXPECT_EQ(node.at("sets_gears_by"), "power-limit");
  EXPECT_EQ(node.at("setting"), node.at("gear") == 0 ? "150 W" : "80 W");
  EXPECT_TRUE(node.at("frequency_ghz").is_null());
}

TEST_P(LimitFaults, restores_limits_after_sigkill) {
  const auto running = start_limited(100'000);
  wait_for_limits();
  ::kill(own_processes(program("only_allreduce")).at(0), SIGKILL);
  EXPECT_NE(running->wait().exit_code, 0);
  EXPECT_EQ(powercap_.settings(), limits_before_);
}

TEST_P(LimitFaults, limits_that_are_locked_are_told_and_stop_nobody) {
  inject("ENODATA:write:power_limit_uw");
  const CommandResult result = start_limited(200)->wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(powercap_.settings(), limits_before_);
  EXPECT_TRUE(has_remark(report(), "locked by BIOS")) << report();
}

TEST_P(LimitFaults, limits_are_not_set_where_nobody_knows_how_fast_they_are) {
  const CommandResult refused = run(job(10), {"--backend", "power-limit"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("calibrate-power --backend power-limit"), std::string::npos)
      << refused.err;
  const CommandResult twice =
      run(job(10), {"--backend", "power-limit", "--platform", platform_, "--power-limits", "100W"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_NE(twice.err.find("leave it out"), std::string::npos) << twice.err;
  const std::string line = fmt::format(
      "HYPERMILE_BACKEND=power-limit LD_PRELOAD=$({} run --print-library) mpirun.{} -n 2 "
      "{} 100 1000",
      HYPERMILE_COMMAND, GetParam(), program("only_allreduce"));
  const CommandResult result = RunningCommand::shell(line, environment_).wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("how fast the node is in the gears"), std::string::npos) << result.err;
  EXPECT_EQ(powercap_.settings(), limits_before_);
}

} // namespace
} // namespace hypermile::test
