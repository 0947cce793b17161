#include "simulate/process.hpp"

#include "io/text_file.hpp"
#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <thread>

namespace hypermile::simulate {
namespace {

constexpr Seconds patience{20};

class ProcessTest : public testing::Test {
protected:
  Process shell(const std::string& script) {
    return Process({.arguments = {"/bin/sh", "-c", script},
                    .environment = {{"HYPERMILE_TEST_WORD", "word"}},
                    .output = folder.path("out")});
  }
  [[nodiscard]] std::string output() const { return io::read_text_file(folder.path("out")); }
  /// The process id that a script wrote to a file, once it has.
  [[nodiscard]] pid_t written_id() const {
    for (;;) {
      if (std::filesystem::exists(folder.path("id"))) {
        const std::string text = io::read_text_file(folder.path("id"));
        if (text.ends_with('\n'))
          return static_cast<pid_t>(std::stol(text));
      }
      std::this_thread::yield();
    }
  }
  /// Whether it ends; a grandchild's end is init's to notice, so it may take a moment.
  static bool ends(pid_t process) {
    for (int i = 0; i < 2000; ++i) {
      if (::kill(process, 0) != 0 && errno == ESRCH)
        return true;
      const auto stat = io::read_text_file("/proc/" + std::to_string(process) + "/stat");
      if (stat.find(") Z ") != std::string::npos)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  test::TemporaryFolder folder;
};

TEST_F(ProcessTest, tells_the_exit_code) {
  for (const int code : {0, 1, 7, 255}) {
    const auto end = shell("exit " + std::to_string(code)).wait(patience);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->exit_code, code);
    EXPECT_EQ(end->signal, 0);
  }
}

TEST_F(ProcessTest, tells_the_signal_that_killed_it) {
  const auto end = shell("kill -SEGV $$").wait(patience);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->signal, SIGSEGV);
  EXPECT_EQ(end->exit_code, 128 + SIGSEGV);
}

TEST_F(ProcessTest, collects_stdout_and_stderr_and_gives_no_input) {
  shell("echo out; echo err >&2; cat; echo $HYPERMILE_TEST_WORD").wait(patience);
  EXPECT_EQ(output(), "out\nerr\nword\n");
  EXPECT_EQ(std::getenv("HYPERMILE_TEST_WORD"), nullptr); // ours is as it was
}

TEST_F(ProcessTest, keeps_stderr_apart_if_asked) {
  Process process({.arguments = {"/bin/sh", "-c", "echo out; echo err >&2"},
                   .environment = {},
                   .output = folder.path("out"),
                   .errors = folder.path("err")});
  process.wait(patience);
  EXPECT_EQ(output(), "out\n");
  EXPECT_EQ(io::read_text_file(folder.path("err")), "err\n");
}

TEST_F(ProcessTest, begins_in_the_folder_that_was_asked_for) {
  const auto begin_in = [&](const std::string& where) {
    return Process({.arguments = {"/bin/sh", "-c", "pwd"},
                    .environment = {},
                    .output = folder.path("out"),
                    .errors = "",
                    .folder = where});
  };
  begin_in(folder.path()).wait(patience);
  EXPECT_EQ(output(), folder.path() + "\n");
  EXPECT_THROW(begin_in(folder.path("none")), Error);
}

TEST_F(ProcessTest, can_be_asked_to_end) {
  auto process =
      shell("trap 'exit 3' TERM; echo >" + folder.path("ready") + "; while :; do sleep 0.01; done");
  while (!std::filesystem::exists(folder.path("ready")))
    std::this_thread::yield();
  process.ask_to_end();
  const auto end = process.wait(patience);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit_code, 3);
  process.ask_to_end(); // it has ended
}

TEST_F(ProcessTest, returns_when_patience_ends) {
  auto process = shell("sleep 1000");
  EXPECT_FALSE(process.wait(Seconds{0}));
  EXPECT_FALSE(process.wait(Seconds{0.01}));
}

TEST_F(ProcessTest, kills_the_whole_group_with_the_object) {
  pid_t grandchild = 0;
  {
    auto process = shell("sleep 1000 & echo $! >" + folder.path("id") + "; wait");
    grandchild = written_id();
    EXPECT_EQ(::kill(grandchild, 0), 0);
  }
  EXPECT_TRUE(ends(grandchild));
}

TEST_F(ProcessTest, kills_what_the_program_left_running_when_it_ended) {
  auto process = shell("sleep 1000 & echo $! >" + folder.path("id"));
  const auto end = process.wait(patience);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->exit_code, 0);
  EXPECT_TRUE(ends(written_id()));
}

TEST_F(ProcessTest, says_which_command_does_not_exist) {
  try {
    Process process(
        {.arguments = {"/nowhere/command"}, .environment = {}, .output = folder.path("out")});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::hardware);
    EXPECT_STREQ(error.what(),
                 "cannot start '/nowhere/command': No such file or directory (ENOENT)");
  }
}

TEST_F(ProcessTest, says_where_output_cannot_be_written) {
  EXPECT_THROW(
      Process({.arguments = {"/bin/true"}, .environment = {}, .output = folder.path("none/out")}),
      Error);
}

TEST_F(ProcessTest, stops_waiting_when_we_are_interrupted) {
  const Interruption interruption;
  auto process = shell("sleep 1000");
  EXPECT_EQ(Interruption::pending(), 0);
  ::raise(SIGTERM);
  EXPECT_EQ(Interruption::pending(), SIGTERM);
  EXPECT_FALSE(process.wait(Seconds{1000}));
}

TEST(interruption, is_any_way_in_which_a_user_ends_a_program) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    const Interruption interruption;
    EXPECT_NO_THROW(Interruption::check());
    ::raise(signal);
    EXPECT_EQ(Interruption::pending(), signal);
    EXPECT_THROW(Interruption::check(), Interrupted);
  }
}

TEST(interruption, is_not_a_signal_that_is_ignored) {
  const auto before = std::signal(SIGHUP, SIG_IGN); // as nohup does
  {
    const Interruption interruption;
    ::raise(SIGHUP);
    EXPECT_EQ(Interruption::pending(), 0);
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN); // still
}

TEST_F(ProcessTest, forgets_an_interruption_of_before) {
  {
    const Interruption first;
    ::raise(SIGINT);
    EXPECT_EQ(Interruption::pending(), SIGINT);
  }
  const Interruption second;
  EXPECT_EQ(Interruption::pending(), 0);
}

} // namespace
} // namespace hypermile::simulate
