// The backend 'command': a script that writes to a folder in place of a machine.

#include "control/journal.hpp"
#include "control/place.hpp"
#include "control/restore_command.hpp"
#include "support/command_line.hpp"
#include "support/fake_sysfs.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

using namespace hypermile;
using namespace hypermile::test;

namespace {

using test::contains;

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct CommandBackend : testing::Test {
  FakeSysfs sysfs{FakeSysfs::Driver::intel_pstate, {{0}, {1}}};
  TemporaryFolder folder;
  std::string program = script("set-gear", "echo \"$*\" >> '" + folder.path("log") +
                                               "'; echo $1 > '" + folder.path("khz") + "'");

  CommandBackend() {
    sysfs.write_of_machine("online", "0-1");
    fs::create_directory(folder.path("state"));
  }

  [[nodiscard]] std::string script(const std::string& name, const std::string& body) const {
    const std::string path = folder.path(name);
    std::ofstream(path) << "#!/bin/sh\n" << body << '\n';
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(folder.path(name));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void wait_for(const std::string& khz) const {
    while (read("khz") != khz + "\n")
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  [[nodiscard]] RunningCommand hypermile(const Words& words,
                                         std::map<std::string, std::string> variables = {}) const {
    variables["HYPERMILE_SYSFS"] = sysfs.root();
    variables["HYPERMILE_STATE"] = folder.path("state");
    variables["HYPERMILE_ROOT"] = sysfs.root();
    return RunningCommand(words, "", variables);
  }
  /// In gear 1 of two.
  [[nodiscard]] RunningCommand calibrate(const std::string& command, const Words& more = {},
                                         const std::string& seconds = "0.05") const {
    Words words{
        "calibrate-power", "--backend", "command",  "--set-command", command, "--command-gears",
        "2.4GHz,1.2GHz",   "--assume",  "3W,2W,1W", "--gears",       "1",     "--seconds",
        seconds,           "-q"};
    words.insert(words.end(), more.begin(), more.end());
    return hypermile(words);
  }
  /// A journal as a run leaves it that was killed together with its guard.
  [[nodiscard]] std::string leave_journal(fs::perms permissions) const {
    auto owner = control::this_process("", "test");
    owner.start += 1; // it has ended
    const std::string path =
        control::journal_path({.sysfs = sysfs.root(), .state = folder.path("state")});
    std::ofstream(path) << control::begin_line(control::boot_id()) << control::owner_line(owner)
                        << control::was_line(control::command_entry({program, "2400000"}));
    fs::permissions(path, permissions);
    return path;
  }
};

constexpr auto of_mine_alone = fs::perms::owner_read | fs::perms::owner_write;

} // namespace

TEST_F(CommandBackend, sets_gears_and_restores_them) {
  const auto before = sysfs.settings();
  const CommandResult result = calibrate(program + " {khz} {ghz} {gear} {cpus}").wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read("log"), "1200000 1.2 1 0-1\n2400000 2.4 0 0-1\n");
  EXPECT_EQ(sysfs.settings(), before);
}

TEST_F(CommandBackend, restores_by_another_command_if_there_is_one) {
  const CommandResult result =
      calibrate(program + " {khz}", {"--restore-command", program + " 'as it was' {node}"}).wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read("log"), "1200000\nas it was " + control::node_name() + "\n");
}

TEST_F(CommandBackend, takes_its_command_from_the_environment) {
  const CommandResult result = hypermile({"calibrate-power", "--backend", "command", "--assume",
                                          "3W,2W,1W", "--gears", "27", "--seconds", "0.05", "-q"},
                                         {{"HYPERMILE_SET_COMMAND", program + " {khz}"}})
                                   .wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read("log"), "800000\n3500000\n"); // gears that Linux lists
}

TEST_F(CommandBackend, restores_gears_after_sigkill) {
  RunningCommand command = calibrate(program + " {khz}", {}, "600");
  wait_for("1200000");
  command.signal(SIGKILL);
  (void)command.wait();
  wait_for("2400000");
}

TEST_F(CommandBackend, restores_gears_after_ctrl_c) {
  RunningCommand command = calibrate(program + " {khz}", {}, "600");
  wait_for("1200000");
  command.signal(SIGINT);
  EXPECT_EQ(command.wait().exit_code, 130);
  EXPECT_EQ(read("khz"), "2400000\n");
}

TEST_F(CommandBackend, says_what_a_command_said_that_failed) {
  const std::string fails = script("fails", "echo 'no such gear' >&2; exit 3");
  const CommandResult result =
      calibrate(fails + " {khz}", {"--restore-command", program + " {khz}"}).wait();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "no gear was measured")) << result.err;
  EXPECT_EQ(read("log"), "2400000\n");
}

TEST_F(CommandBackend, says_that_a_command_has_not_restored) {
  const std::string once = script("once", "[ ! -e '" + folder.path("done") +
                                              "' ] || exit 5; : > '" + folder.path("done") + "'");
  const CommandResult result = calibrate(once + " {khz}").wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "failed with exit code 5")) << result.err;
}

TEST_F(CommandBackend, measures_the_present_gear_where_there_is_no_such_program) {
  const CommandResult result = calibrate(folder.path("none") + " {khz}").wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "there is no program")) << result.err;
}

TEST_F(CommandBackend, refuses_commands_that_make_no_sense) {
  const auto wrong = [&](const std::string& command, const std::string& part) {
    const CommandResult result = calibrate(command).wait();
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_TRUE(contains(result.err, part)) << result.err;
  };
  wrong("set {mhz}", "unknown placeholder '{mhz}'");
  wrong("set 'x", "a quote does not end");
  wrong("  ", "there is no command");
  const CommandResult lonely = hypermile({"calibrate-power", "--set-command", "x"}).wait();
  EXPECT_EQ(lonely.exit_code, 2);
  EXPECT_TRUE(contains(lonely.err, "--backend")) << lonely.err;
}

TEST_F(CommandBackend, is_listed_by_the_doctor) {
  const CommandResult none = hypermile({"doctor"}).wait();
  EXPECT_TRUE(
      contains(none.out, "\ncommand     no     no command is given; try: --backend command"))
      << none.out;
  const CommandResult one =
      hypermile({"doctor"}, {{"HYPERMILE_SET_COMMAND", program + " {khz}"}}).wait();
  EXPECT_TRUE(contains(one.out, "\ncommand     yes    28 gears by")) << one.out;
  const CommandResult bad = hypermile({"doctor"}, {{"HYPERMILE_SET_COMMAND", "set '{khz}"}}).wait();
  EXPECT_TRUE(contains(bad.out, "\ncommand     no     --set-command: in 'set")) << bad.out;
  EXPECT_EQ(bad.exit_code, 0);
}

TEST_F(CommandBackend, is_restored_by_hand_after_all_was_killed) {
  (void)leave_journal(of_mine_alone);
  EXPECT_EQ(hypermile({"restore"}).wait().exit_code, 0);
  EXPECT_EQ(read("log"), "2400000\n");
}

TEST_F(CommandBackend, runs_nothing_out_of_a_journal_that_others_may_write) {
  (void)leave_journal(of_mine_alone | fs::perms::others_write);
  EXPECT_NE(hypermile({"restore"}).wait().exit_code, 0);
  EXPECT_EQ(read("log"), "");
}

TEST_F(CommandBackend, runs_nothing_for_root_out_of_another_users_journal) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can give a file to another user";
  constexpr uid_t nobody = 65534;
  const std::string journal = leave_journal(of_mine_alone);
  ASSERT_EQ(::chown(journal.c_str(), nobody, nobody), 0);
  (void)hypermile({"restore"}).wait();
  EXPECT_EQ(read("log"), "");
}
