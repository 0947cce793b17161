#include "launch/command.hpp"

#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace hypermile::launch {
namespace {

End shell(const std::string& line) {
  return run({.arguments = {"/bin/sh", "-c", line}, .environment = {}});
}

/// The error that a command cannot be started with.
Error error_of(const std::string& program) {
  try {
    (void)run({.arguments = {program}, .environment = {}});
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << program << " was started";
  return Error(ErrorKind::model, "");
}

bool has_default_action(int signal) {
  struct sigaction action {};
  sigaction(signal, nullptr, &action);
  return action.sa_handler == SIG_DFL;
}

TEST(command, hands_its_exit_code_on) {
  for (const int code : {0, 1, 7, 127, 255}) {
    const End end = shell("exit " + std::to_string(code));
    EXPECT_EQ(end.exit_code, code);
    EXPECT_EQ(end.signal, 0);
  }
}

TEST(command, that_a_signal_killed_ends_with_128_and_its_number) {
  for (const int signal : {SIGKILL, SIGTERM, SIGABRT}) {
    const End end = shell("ulimit -c 0; kill -" + std::to_string(signal) + " $$");
    EXPECT_EQ(end.exit_code, 128 + signal);
    EXPECT_EQ(end.signal, signal);
  }
}

TEST(command, is_looked_for_in_the_path) {
  EXPECT_EQ(run({.arguments = {"true"}, .environment = {}}).exit_code, 0);
  EXPECT_EQ(run({.arguments = {"false"}, .environment = {}}).exit_code, 1);
}

TEST(command, that_does_not_exist_is_named) {
  const Error error = error_of("no-such-launcher");
  EXPECT_EQ(error.kind(), ErrorKind::config);
  EXPECT_STREQ(error.what(), "cannot start 'no-such-launcher': No such file or directory (ENOENT); "
                             "try: the command that starts the job without hypermile, after --");
}

TEST(command, that_does_not_exist_is_not_blamed_on_a_folder_that_may_not_be_searched) {
  const test::TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::none);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (folder.path() + ":" + path).c_str(), 1);
  EXPECT_EQ(error_of("no-such-launcher").kind(), ErrorKind::config);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  std::ofstream(folder.path("no-such-launcher")) << "not a program";
  EXPECT_EQ(error_of("no-such-launcher").kind(), ErrorKind::hardware);
  ::setenv("PATH", path.c_str(), 1);
}

TEST(command, that_cannot_be_executed_is_named_with_the_reason) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path("text")) << "not a program";
  const Error error = error_of(folder.path("text"));
  EXPECT_EQ(error.kind(), ErrorKind::hardware);
  EXPECT_NE(std::string(error.what()).find(folder.path("text") + "': Permission denied"),
            std::string::npos)
      << error.what();
}

TEST(command, has_its_environment_and_leaves_ours) {
  ::unsetenv("HYPERMILE_METHOD");
  const End end = run({.arguments = {"/bin/sh", "-c", "test \"$HYPERMILE_METHOD\" = slack"},
                       .environment = {{"HYPERMILE_METHOD", "slack"}}});
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(std::getenv("HYPERMILE_METHOD"), nullptr);
}

TEST(command, gets_signals_that_are_sent_to_us) {
  for (const char* const signal : {"TERM", "HUP", "INT", "USR1"}) {
    const End end = shell(std::string("trap 'exit 5' ") + signal + "; kill -" + signal +
                          " $PPID; while :; do sleep 0.01; done");
    EXPECT_EQ(end.exit_code, 5) << signal;
  }
}

/// Else the probe would take `pkill -x` for a signal to all, which is not passed on.
TEST(command, is_not_watched_by_a_process_of_our_name) {
  const End end =
      shell("for i in $(seq 1000); do for child in $(cat /proc/$PPID/task/$PPID/children)"
            "; do [ $(cat /proc/$child/comm) != hypermile-probe ] || exit 0; done; "
            "sleep 0.01; done; exit 1");
  EXPECT_EQ(end.exit_code, 0);
}

TEST(command, gets_a_signal_that_it_dies_of) {
  EXPECT_EQ(shell("kill -TERM $PPID; while :; do sleep 0.01; done").exit_code, 128 + SIGTERM);
}

TEST(command, leaves_signals_as_they_were) {
  (void)shell("exit 0");
  EXPECT_THROW((void)run({.arguments = {"no-such-launcher"}, .environment = {}}), Error);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1})
    EXPECT_TRUE(has_default_action(signal)) << signal;
  sigset_t blocked;
  sigprocmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 0);
}

TEST(command, may_write_to_a_closed_pipe_though_hypermile_ignores_that) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(shell("kill -PIPE $$").exit_code, 128 + SIGPIPE);
  std::signal(SIGPIPE, before);
}

} // namespace
} // namespace hypermile::launch
