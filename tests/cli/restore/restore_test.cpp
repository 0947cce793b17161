// `hypermile restore` as an administrator meets it.

#include "control/journal_file.hpp"
#include "support/command_line.hpp"
#include "support/fake_powercap.hpp"
#include "support/fake_sysfs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace hypermile {
namespace {

using test::FakeSysfs;
using test::RunningCommand;

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

class Restore : public testing::Test {
protected:
  /// Job 4711 of anna was killed with its guard.
  void leave_slow_cpus(const std::string& boot = control::boot_id()) const {
    std::string lines = control::begin_line(boot) + control::owner_line({.job = "4711",
                                                                         .program = "./cg",
                                                                         .user = "anna",
                                                                         .pid = 1,
                                                                         .start = 99999,
                                                                         .since = 1763726580});
    for (const int policy : sysfs_.policies()) {
      lines += control::was_line({limit(policy), sysfs_.read(policy, "scaling_max_freq")});
      sysfs_.write(policy, "scaling_max_freq", "1200000");
    }
    control::JournalFile::open(place()).append(lines);
  }
  [[nodiscard]] test::CommandResult restore(const std::vector<std::string>& options = {},
                                            const std::string& faults = "") const {
    std::vector<std::string> arguments{"restore"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    std::map<std::string, std::string> environment{{"HYPERMILE_SYSFS", place().sysfs},
                                                   {"HYPERMILE_STATE", place().state}};
    if (!faults.empty()) {
      environment["HYPERMILE_TEST_FAULTS"] = faults;
      environment["LD_PRELOAD"] = HYPERMILE_FAULTS;
    }
    return RunningCommand(arguments, "", environment).wait();
  }
  [[nodiscard]] control::Place place() const {
    return {.sysfs = sysfs_.root(), .state = folder_.path("state")};
  }
  [[nodiscard]] FakeSysfs& sysfs() { return sysfs_; }
  [[nodiscard]] std::string limit(int policy) const {
    return sysfs_.path(policy, "scaling_max_freq");
  }
  [[nodiscard]] std::string present(int policy) const {
    return sysfs_.read(policy, "scaling_max_freq");
  }

private:
  FakeSysfs sysfs_{FakeSysfs::Driver::intel_pstate, {{0}, {1}}};
  test::TemporaryFolder folder_;
};

TEST_F(Restore, says_that_there_is_nothing) {
  const auto result = restore();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "Nothing to restore: hypermile left no setting changed on " +
                            control::node_name() + ".\n");
  EXPECT_EQ(result.err, "");
}

TEST_F(Restore, sets_back_what_was_left_and_says_by_whom) {
  leave_slow_cpus();
  const auto result = restore();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  expect_contains(result.out, "Restored 2 settings on " + control::node_name() + ", left by\n");
  expect_contains(result.out, "job 4711 of user anna since 2025-11-21 ");
  expect_contains(result.out, "(./cg, pid 1):\n  " + limit(1) + " = 3500000\n");
  EXPECT_EQ(present(0), "3500000");
  EXPECT_EQ(present(1), "3500000");
  expect_contains(restore().out, "Nothing to restore: ");
}

TEST_F(Restore, sets_power_limits_and_uncore_frequencies_back) {
  const test::FakePowercap powercap(place().sysfs);
  powercap.zone("intel-rapl:0", "package-0");
  powercap.limit("intel-rapl:0", 80'000'000);
  FakeSysfs& tree = sysfs();
  tree.add_uncore("uncore00");
  leave_slow_cpus();
  const std::string uncore = tree.uncore_path("uncore00", "min_freq_khz");
  const std::string power = powercap.path("intel-rapl:0", "constraint_0_power_limit_uw");
  control::JournalFile::open(place()).append(
      control::was_line({uncore, "1200000"}) + control::was_line({power, "150000000"}) +
      control::was_line({powercap.path("intel-rapl:0", "enabled"), "0"}) +
      control::was_line({powercap.path("intel-rapl:0", "energy_uj"), "0"}));
  const auto result = restore();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  expect_contains(result.err, "energy_uj to 0: this is no setting below");
  expect_contains(result.out, power + " = 150000000\n");
  EXPECT_EQ(powercap.read("intel-rapl:0", "constraint_0_power_limit_uw"), "150000000");
  EXPECT_EQ(powercap.read("intel-rapl:0", "enabled"), "0");
  EXPECT_EQ(tree.read_uncore("uncore00", "min_freq_khz"), "1200000");
  EXPECT_EQ(present(1), "3500000");
}

TEST_F(Restore, looks_in_the_folder_that_it_is_given) {
  leave_slow_cpus();
  const auto result = RunningCommand({"restore", "--state", place().state}, "",
                                     {{"HYPERMILE_SYSFS", place().sysfs}})
                          .wait();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(present(0), "3500000");
}

TEST_F(Restore, goes_on_where_something_is_not_permitted_and_says_so) {
  for (const char* error : {"EACCES", "EROFS"}) {
    leave_slow_cpus();
    const auto result = restore({}, std::string(error) + ":write:policy1/");
    EXPECT_EQ(result.exit_code, 4);
    expect_contains(result.err, "hypermile: error: cannot restore " + limit(1) + " to 3500000: ");
    expect_contains(result.err, std::string("(") + error + ")\n");
    expect_contains(result.err, "hypermile: try: the same as root");
    EXPECT_EQ(present(0), "3500000");
    EXPECT_EQ(present(1), "1200000");
    EXPECT_EQ(restore().exit_code, 0);
    EXPECT_EQ(present(1), "3500000");
  }
}

TEST_F(Restore, fails_where_something_does_not_work) {
  leave_slow_cpus();
  const auto result = restore({}, "EBUSY:write:policy1/");
  EXPECT_EQ(result.exit_code, 1);
  expect_contains(result.err, "Device or resource busy (EBUSY)\n");
}

TEST_F(Restore, drops_what_the_machine_forgot) {
  leave_slow_cpus("before");
  const auto result = restore();
  EXPECT_EQ(result.exit_code, 0);
  expect_contains(result.out, " was started anew since a run was killed on it");
  EXPECT_EQ(present(0), "1200000");
}

TEST_F(Restore, leaves_alone_what_is_in_use) {
  leave_slow_cpus();
  const auto held = control::JournalFile::open(place());
  held.append(control::owner_line(control::this_process("12", "lu")));
  ASSERT_TRUE(held.lock());
  const auto result = restore();
  EXPECT_EQ(result.exit_code, 0);
  expect_contains(result.out, " yet: its gears are set by\njob 12 of user ");
  EXPECT_EQ(present(0), "1200000");
  EXPECT_EQ(nlohmann::json::parse(restore({"--json"}).out)["journals"][0]["outcome"], "in_use");
  EXPECT_EQ(restore({"--force"}).exit_code, 0);
  EXPECT_EQ(present(0), "3500000");
  expect_contains(restore().out, " yet: its gears are set by\njob 12 of user ");
}

TEST_F(Restore, passes_a_bad_line_over_and_says_so) {
  leave_slow_cpus();
  control::JournalFile::open(place()).append("nonsense\n");
  const auto result = restore();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "hypermile: error: " + journal_path(place()) +
                            ":6: passed over, for it is no line of a journal: nonsense\n");
  EXPECT_EQ(present(0), "3500000");
  EXPECT_EQ(present(1), "3500000");
}

TEST_F(Restore, refuses_what_has_not_the_beginning_of_a_journal) {
  control::JournalFile::open(place()).append("nonsense\n");
  const auto result = restore();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "hypermile: error: " + journal_path(place()) +
                            ":1: this is no journal of hypermile; try: set by hand what it says, "
                            "then remove the file\n");
}

TEST_F(Restore, that_may_not_open_the_journal_says_so) {
  leave_slow_cpus();
  const auto result = restore({}, "EACCES:write:.journal");
  EXPECT_EQ(result.exit_code, 4);
  expect_contains(result.err, "cannot open the journal " + journal_path(place()) +
                                  ": Permission denied (EACCES)");
}

TEST_F(Restore, does_not_fail_for_what_another_user_made_up) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can be several users";
  constexpr uid_t anna = 54321;
  const std::string journal = place().state + "/" + control::node_name() + ".54321.journal";
  std::filesystem::create_directory(place().state);
  std::ofstream(journal) << control::begin_line(control::boot_id())
                         << control::was_line({limit(0), "1"})
                         << control::was_line({limit(1), "1"});
  ASSERT_EQ(::chown(journal.c_str(), anna, anna), 0);
  EXPECT_EQ(nlohmann::json::parse(restore({"--json"}).out)["journals"], nlohmann::json::array());
  ASSERT_EQ(::chown(limit(1).c_str(), anna, anna), 0);
  const auto result = restore();
  EXPECT_EQ(result.exit_code, 0);
  expect_contains(result.out, "Restored 1 setting on ");
  expect_contains(result.err, "ignored: cannot restore " + limit(0) + " to 1: 54321, whose");
  EXPECT_EQ(present(0), "3500000");
  EXPECT_EQ(present(1), "800000");
}

TEST_F(Restore, prints_json) {
  const auto printed = [&](const std::string& faults = "") {
    return nlohmann::json::parse(restore({"--json"}, faults).out);
  };
  EXPECT_EQ(printed()["journals"], nlohmann::json::array());
  leave_slow_cpus();
  const auto json = printed("EBUSY:write:policy1/");
  EXPECT_EQ(json["schema"], "hypermile/restore/2");
  EXPECT_EQ(json["node"], control::node_name());
  ASSERT_EQ(json["journals"].size(), 1U);
  const auto& journal = json["journals"][0];
  EXPECT_EQ(journal["journal"], journal_path(place()));
  EXPECT_EQ(journal["outcome"], "failed");
  EXPECT_EQ(journal["owner"]["job"], "4711");
  EXPECT_EQ(journal["owner"]["since_unix_s"], 1763726580);
  ASSERT_EQ(journal["restored"].size(), 1U);
  EXPECT_EQ(journal["restored"][0]["path"], limit(0));
  EXPECT_EQ(journal["restored"][0]["value"], "3500000");
  ASSERT_EQ(journal["failed"].size(), 1U);
  EXPECT_EQ(journal["failed"][0]["path"], limit(1));
  EXPECT_EQ(journal["failed"][0]["not_permitted"], false);
  EXPECT_EQ(printed()["journals"][0]["outcome"], "restored");
  EXPECT_EQ(printed()["journals"][0]["outcome"], "nothing");
}

TEST_F(Restore, help_tells_what_it_is_for_and_fits_a_terminal) {
  const auto result = restore({"--help"});
  EXPECT_EQ(result.exit_code, 0);
  expect_contains(result.out, "usage: hypermile restore [OPTIONS]\n");
  expect_contains(result.out, "\nExamples:\n");
  expect_contains(result.out, "\nExit code:");
  expect_contains(result.out, "Default: $HYPERMILE_STATE");
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << line;
  EXPECT_EQ(restore({"--bogus"}).exit_code, 2);
}

} // namespace
} // namespace hypermile
