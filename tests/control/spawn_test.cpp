// How programs are started, whoever starts them.

#include "control/spawn.hpp"

#include "control/descriptor.hpp"
#include "control/processes.hpp"
#include "control/small_file.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>

namespace hypermile::control {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

class Spawning : public testing::Test {
protected:
  /// What a program prints that ends by itself.
  std::string output_of(Spawn program) {
    const Descriptor file(::open(folder_.path("out").c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600));
    program.descriptors = {Spawn::nothing, file.number()};
    EXPECT_EQ(wait_for(spawn(program)).exit_code, 0);
    std::ifstream stream(folder_.path("out"));
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::string shell(const std::string& line, Spawn program = {}) {
    program.arguments = {"/bin/sh", "-c", line};
    return output_of(program);
  }
  static ProcessEnd wait_for(pid_t pid) {
    int status = 0;
    EXPECT_EQ(::waitpid(pid, &status, 0), pid);
    return end_of(status);
  }
  /// A file that may be executed.
  std::string program(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path(name), std::ios::binary) << text;
    fs::permissions(folder_.path(name), fs::perms::owner_all);
    return folder_.path(name);
  }
  static void expect_error(const std::string& program, int number, const std::string& text) {
    try {
      (void)spawn({.arguments = {program}, .environment = environment_with({})});
      ADD_FAILURE() << program << " was started";
    } catch (const FileError& error) {
      EXPECT_EQ(error.number(), number) << error.what();
      EXPECT_NE(std::string(error.what()).find("cannot start '" + program + "'" + text),
                std::string::npos)
          << error.what();
    }
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
  }
  [[nodiscard]] const test::TemporaryFolder& folder() const { return folder_; }

private:
  test::TemporaryFolder folder_;
};

TEST_F(Spawning, gives_exactly_the_environment_that_it_is_told) {
  EXPECT_EQ(output_of({.arguments = {"/usr/bin/env"}}), "");
  EXPECT_EQ(output_of({.arguments = {"/usr/bin/env"}, .environment = {"A=1", "B=x y", "C="}}),
            "A=1\nB=x y\nC=\n");
}

TEST_F(Spawning, computes_an_environment_from_ours_and_leaves_ours) {
  ::setenv("HYPERMILE_TEST_WORD", "before", 1);
  const Texts ours = environment_with({});
  EXPECT_EQ(environment_with({{"HYPERMILE_TEST_NEW", "1"}}, "HYPERMILE_TEST_"),
            environment_with({{"HYPERMILE_TEST_NEW", "1"}}, "HYPERMILE_TEST_WORD"));
  Texts with = environment_with({{"HYPERMILE_TEST_WORD", "a=b"}, {"HYPERMILE_TEST_NEW", ""}});
  EXPECT_EQ(environment_with({}), ours);
  EXPECT_STREQ(std::getenv("HYPERMILE_TEST_WORD"), "before");
  EXPECT_EQ(std::erase(with, "HYPERMILE_TEST_WORD=a=b"), 1U);
  EXPECT_EQ(std::erase(with, "HYPERMILE_TEST_NEW="), 1U);
  Texts rest = ours;
  EXPECT_EQ(std::erase(rest, "HYPERMILE_TEST_WORD=before"), 1U);
  EXPECT_EQ(with, rest);
  ::unsetenv("HYPERMILE_TEST_WORD");
}

TEST_F(Spawning, asks_the_path_that_the_program_is_given_in_its_order) {
  fs::create_directories(folder().path("a/tool")); // a folder is no program
  fs::create_directory(folder().path("b"));
  fs::create_directory(folder().path("c"));
  std::ofstream(folder().path("b/tool")) << "not executable";
  program("c/tool", "#!/bin/sh\necho c\n");
  const std::string path = "PATH=" + folder().path("a") + ":" + folder().path("b") +
                           ":/nowhere:" + folder().path("c") + ":/usr/bin";
  EXPECT_EQ(output_of({.arguments = {"tool"}, .environment = {path}}), "c\n");
  EXPECT_EQ(find_program("tool", path.substr(5)), folder().path("c/tool"));
  EXPECT_EQ(find_program("tool", folder().path("b")), "");
  EXPECT_EQ(find_program(folder().path("c/tool"), ""), folder().path("c/tool"));
}

TEST_F(Spawning, says_why_a_program_cannot_be_started) {
  expect_error("no-such-program", ENOENT, ": No such file or directory (ENOENT)");
  expect_error("/nowhere/program", ENOENT, ": No such file or directory (ENOENT)");
  std::ofstream(folder().path("text")) << "#!/bin/sh\n";
  expect_error(folder().path("text"), EACCES, ": Permission denied (EACCES)");
  expect_error(folder().path(), EACCES, ": Permission denied (EACCES)");
  expect_error(program("other", std::string("\x7f"
                                            "ELF\0\1\2",
                                            7)),
               ENOEXEC, ": Exec format error (ENOEXEC)");
  expect_error(program("orphan", "#!/nowhere/interpreter\n"), ENOENT,
               ", whose interpreter is missing: No such file or directory (ENOENT)");
  const std::string busy = program("busy", "#!/bin/sh\n");
  const Descriptor writer(::open(busy.c_str(), O_WRONLY | O_CLOEXEC));
  expect_error(busy, ETXTBSY, ": Text file busy (ETXTBSY)");
}

TEST_F(Spawning, says_when_there_are_too_many_arguments) {
  EXPECT_THROW((void)spawn({.arguments = {"/bin/true", std::string(1 << 20, 'x')}}), FileError);
}

TEST_F(Spawning, has_the_shell_run_a_text_without_an_interpreter) {
  const std::string script = program("script", "echo \"$0 $# $2\"\n");
  EXPECT_EQ(output_of({.arguments = {script, "a", "b c"}}), script + " 2 b c\n");
}

TEST_F(Spawning, exchanges_descriptors) {
  int first[2] = {-1, -1};
  int second[2] = {-1, -1};
  ASSERT_EQ(::pipe2(first, O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(second, O_CLOEXEC), 0);
  // Our own numbers are among those of the program, in another order.
  const int low = std::min(first[1], second[1]);
  const int high = std::max(first[1], second[1]);
  std::vector<int> numbers(static_cast<std::size_t>(high) + 1, Spawn::ours);
  numbers[static_cast<std::size_t>(low)] = high;
  numbers[static_cast<std::size_t>(high)] = low;
  const std::string line =
      "echo low >&" + std::to_string(low) + "; echo high >&" + std::to_string(high);
  EXPECT_EQ(
      wait_for(spawn({.arguments = {"/bin/bash", "-c", line}, .descriptors = numbers})).exit_code,
      0);
  char text[5] = {};
  EXPECT_EQ(::read(high == first[1] ? first[0] : second[0], text, 4), 4);
  EXPECT_STREQ(text, "low\n");
  for (const int end : {first[0], first[1], second[0], second[1]})
    ::close(end);
}

TEST_F(Spawning, hands_on_no_descriptor_that_is_close_on_exec) {
  const Descriptor secret(::open("/dev/zero", O_RDONLY | O_CLOEXEC));
  EXPECT_EQ(shell("ls -l /proc/self/fd").find("/dev/zero"), std::string::npos);
}

/// A mask of signals in a line of /proc/self/status.
std::uint64_t mask_in(const std::string& status, const std::string& key) {
  const auto line = status.find(key + ":\t");
  return line == status.npos ? ~0ULL
                             : std::stoull(status.substr(line + key.size() + 2), nullptr, 16);
}
std::uint64_t bit(int signal) { return 1ULL << (signal - 1); }

TEST_F(Spawning, resets_handlers_and_keeps_what_is_ignored_but_for_closed_pipes) {
  const auto usr1 = std::signal(SIGUSR1, [](int) { ::abort(); });
  const auto hup = std::signal(SIGHUP, SIG_IGN); // as nohup does
  const auto pipe = std::signal(SIGPIPE, SIG_IGN);
  const std::string status = output_of({.arguments = {"/bin/cat", "/proc/self/status"}});
  EXPECT_EQ(mask_in(status, "SigCgt") & bit(SIGUSR1), 0U);
  EXPECT_EQ(mask_in(status, "SigIgn") & (bit(SIGHUP) | bit(SIGPIPE)), bit(SIGHUP));
  EXPECT_EQ(std::signal(SIGHUP, hup), SIG_IGN); // ours are as they were
  EXPECT_EQ(std::signal(SIGPIPE, pipe), SIG_IGN);
  EXPECT_NE(std::signal(SIGUSR1, usr1), SIG_DFL);
}

TEST_F(Spawning, blocks_the_signals_that_it_is_told) {
  sigset_t before;
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &set, &before);
  const auto blocked = [&](Spawn program) {
    program.arguments = {"/bin/cat", "/proc/self/status"};
    return mask_in(output_of(program), "SigBlk");
  };
  EXPECT_EQ(blocked({}) & bit(SIGUSR2), bit(SIGUSR2));
  EXPECT_EQ(blocked({.arguments = {}, .blocked = before}) & bit(SIGUSR2), 0U);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(Spawning, puts_a_program_where_it_is_told) {
  const Texts sleep{"/bin/sleep", "1000"};
  const pid_t here = spawn({.arguments = sleep});
  EXPECT_EQ(::getpgid(here), ::getpgid(0));
  const pid_t group = spawn({.arguments = sleep, .place = Spawn::Place::own_group});
  EXPECT_EQ(::getpgid(group), group);
  EXPECT_EQ(::getsid(group), ::getsid(0));
  const Descriptor secret(::open("/dev/zero", O_RDONLY)); // not close-on-exec
  const pid_t apart = spawn({.arguments = sleep,
                             .descriptors = {Spawn::nothing, Spawn::nothing, Spawn::nothing},
                             .place = Spawn::Place::apart});
  EXPECT_EQ(::getsid(apart), apart);
  EXPECT_EQ(::waitpid(apart, nullptr, WNOHANG), -1);
  const fs::path process = "/proc/" + std::to_string(apart);
  EXPECT_EQ(fs::read_symlink(process / "cwd"), "/");
  EXPECT_TRUE(test::comes_true([&] { // once the loader has closed its own
    return std::distance(fs::directory_iterator(process / "fd"), {}) == 3;
  }));
  for (const pid_t pid : {here, group, apart})
    ::kill(pid, SIGKILL);
  EXPECT_EQ(wait_for(here).signal, SIGKILL);
  EXPECT_EQ(wait_for(group).exit_code, 128 + SIGKILL);
}

TEST_F(Spawning, kills_a_program_that_dies_with_us) {
  int channel[2] = {-1, -1};
  ASSERT_EQ(::pipe2(channel, O_CLOEXEC), 0);
  test::Child starter([&] {
    const pid_t pid = spawn({.arguments = {"/bin/sleep", "1000"}, .dies_with_us = true});
    EXPECT_EQ(::write(channel[1], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  });
  pid_t sleeper = 0;
  ASSERT_EQ(::read(channel[0], &sleeper, sizeof sleeper), static_cast<ssize_t>(sizeof sleeper));
  EXPECT_EQ(::kill(sleeper, 0), 0);
  starter.end_by(SIGKILL);
  EXPECT_TRUE(test::comes_true([&] {
    std::ifstream stat("/proc/" + std::to_string(sleeper) + "/stat");
    std::string line;
    return !std::getline(stat, line) || line.find(") Z ") != line.npos;
  }));
  ::close(channel[0]);
  ::close(channel[1]);
}

} // namespace
} // namespace hypermile::control
