// The nodes of tests/nodes/beside-nodes leave nothing behind, however they end.

#include "support/command_line.hpp"
#include "support/processes.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <signal.h>

namespace hypermile::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int not_allowed_here = 77;

/// What the kernel has, as far as nodes could add to it.
std::string machine() {
  return RunningCommand::shell("ip -oneline link; ip netns list; cat /proc/self/mounts; hostname")
      .wait()
      .out;
}

class BesideNodes : public testing::Test {
protected:
  void SetUp() override {
    const CommandResult plain = run("true");
    if (plain.exit_code == not_allowed_here)
      GTEST_SKIP() << plain.err;
    ASSERT_EQ(plain.exit_code, 0) << plain.err;
    before_ = machine();
  }

  [[nodiscard]] std::string line(const std::string& command) const {
    return fmt::format("exec '{}' '{}' 2 sh -c '{}'", HYPERMILE_TEST_BESIDE_NODES,
                       HYPERMILE_TEST_REMOTE_SHELL, command);
  }
  [[nodiscard]] CommandResult run(const std::string& command) const {
    return RunningCommand::shell(line(command), environment_).wait();
  }
  /// Something that runs on, on a node and beside it.
  [[nodiscard]] RunningCommand start() const {
    return RunningCommand::shell(
        line(fmt::format("{} n2 \"sleep 1000 & hostname > $FOLDER/up\"; sleep 1000",
                         HYPERMILE_TEST_REMOTE_SHELL)),
        environment_);
  }
  void wait_until_up() const {
    for (int i = 0; i < 1000 && !fs::exists(folder_.path("up")); ++i)
      std::this_thread::sleep_for(10ms);
    ASSERT_TRUE(fs::exists(folder_.path("up")));
  }
  /// A command by a script.
  void replace(const std::string& command, const std::string& script) {
    const std::string path = folder_.path(command);
    std::ofstream(path) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(path, fs::perms::owner_all);
    environment_["PATH"] = folder_.path() + ":" + std::getenv("PATH");
  }
  /// Now or soon: the kernel takes some time to end them all.
  void expect_nothing_left() const {
    const auto is_clean = [this] {
      return processes_started_with("FOLDER=" + folder_.path()).empty() && machine() == before_;
    };
    for (int i = 0; i < 500 && !is_clean(); ++i)
      std::this_thread::sleep_for(10ms);
    EXPECT_EQ(processes_started_with("FOLDER=" + folder_.path()), std::vector<std::string>{});
    EXPECT_EQ(machine(), before_);
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> environment_{{"FOLDER", folder_.path()}};
  std::string before_;
};

TEST_F(BesideNodes, have_names_mounts_and_processes_of_their_own) {
  const CommandResult result = run(fmt::format(
      "{0} n1 \"touch /run/node/tmp/mine; mount -t tmpfs none /mnt; hostname; cat /proc/1/comm\"; "
      "{0} n2 \"ls /run/node/tmp; grep -c \\\" /mnt \\\" /proc/mounts; hostname; {0} n1 "
      "hostname\"; "
      "ls /run/nodes/n1/tmp",
      HYPERMILE_TEST_REMOTE_SHELL));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "n1\ntests_remote_sh\n0\nn2\nn1\n");
  EXPECT_EQ(result.out, "mine\n");
  expect_nothing_left();
}

TEST_F(BesideNodes, end_with_the_exit_code_of_the_command) {
  EXPECT_EQ(run("exit 3").exit_code, 3);
  EXPECT_EQ(run(fmt::format("{} n1 \"exit 4\"", HYPERMILE_TEST_REMOTE_SHELL)).exit_code, 4);
  expect_nothing_left();
}

TEST_F(BesideNodes, leave_nothing_behind_when_a_signal_ends_them) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    SCOPED_TRACE(signal);
    fs::remove(folder_.path("up"));
    RunningCommand running = start();
    wait_until_up();
    running.signal(signal);
    EXPECT_EQ(running.wait().exit_code, 128 + signal);
    expect_nothing_left();
  }
}

TEST_F(BesideNodes, leave_nothing_behind_when_a_node_cannot_be_made) {
  const std::string ip = RunningCommand::shell("command -v ip").wait().out;
  replace("ip", "[ \"$1\" != netns ] || [ \"$3\" != n2 ] || exit 1\nexec " +
                    ip.substr(0, ip.find('\n')) + " \"$@\"");
  const CommandResult result = run("exit 0");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_NE(result.exit_code, not_allowed_here) << result.err;
  expect_nothing_left();
}

TEST_F(BesideNodes, are_refused_to_who_is_not_root) {
  replace("id", "echo 1000");
  const CommandResult result = run("exit 0");
  EXPECT_EQ(result.exit_code, not_allowed_here);
  EXPECT_EQ(result.err, "skipped: only root may make network namespaces\n");
}

TEST_F(BesideNodes, say_why_the_machine_does_not_allow_them) {
  replace("unshare", "echo 'unshare failed: Operation not permitted' >&2; exit 1");
  const CommandResult result = run("exit 0");
  EXPECT_EQ(result.exit_code, not_allowed_here);
  EXPECT_EQ(result.err, "skipped: this machine makes no namespaces with a bridge in them: unshare "
                        "failed: Operation not permitted\n");
}

} // namespace
} // namespace hypermile::test
