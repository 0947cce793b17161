// The folder of memories: several jobs at once, and jobs that are killed.

#include "learn/memory_folder.hpp"

#include "io/text_file.hpp"
#include "learn/jobs.hpp"
#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <sys/wait.h>
#include <unistd.h>

namespace hypermile::learn {
namespace {

using test::identity;
using test::memory_of;
using test::recorded;

TEST(memory_folder, finds_what_was_learnt_of_this_job_only) {
  const test::TemporaryFolder temporary;
  const MemoryFolder folder(temporary.path() + "/made/here");
  EXPECT_EQ(folder.learn(memory_of(recorded(1))).memory.runs, 1u);
  EXPECT_EQ(folder.learn(memory_of(recorded(1))).memory.runs, 2u);
  EXPECT_EQ(folder.find(identity())->runs, 2u);
  EXPECT_FALSE(folder.find(identity({"--class", "W"})));
  EXPECT_EQ(folder.files().size(), 1u);
  EXPECT_EQ(folder.files_of("app").size(), 1u);
  EXPECT_TRUE(folder.files_of("ap").empty());
}

TEST(memory_folder, names_a_damaged_file_and_replaces_it_by_the_next_run) {
  const test::TemporaryFolder temporary;
  const MemoryFolder folder(temporary.path());
  const std::string file = folder.file_of(identity());
  std::ofstream(file) << "hypermile/memory/4\nrubbish";
  try {
    (void)folder.find(identity());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(file), std::string::npos) << error.what();
  }
  EXPECT_EQ(folder.learn(memory_of(recorded(1))).memory.runs, 1u);
  EXPECT_TRUE(folder.find(identity()));
}

TEST(memory_folder, refuses_the_file_of_another_job_by_that_name) {
  const test::TemporaryFolder temporary;
  const MemoryFolder folder(temporary.path());
  folder.learn(memory_of(recorded(1), {"other"}));
  std::filesystem::rename(folder.file_of(identity({"other"})), folder.file_of(identity()));
  EXPECT_THROW((void)folder.find(identity()), Error);
}

TEST(memory_folder, that_cannot_be_read_or_written_is_an_error) {
  EXPECT_THROW((void)MemoryFolder("/proc/none").learn(memory_of(recorded(1))), Error);
  EXPECT_THROW((void)MemoryFolder("/nowhere").files(), Error);
}

/// Runs in a child process; returns its pid.
template <class Doing> pid_t in_child(const Doing& doing) {
  const pid_t child = ::fork();
  if (child == 0) {
    doing();
    ::_exit(0);
  }
  return child;
}

TEST(memory_folder, counts_every_run_of_jobs_that_learn_at_the_same_time) {
  const test::TemporaryFolder temporary;
  const MemoryFolder folder(temporary.path());
  const Memory memory = memory_of(recorded(1));
  constexpr std::size_t writers = 4;
  constexpr std::size_t runs = 25;
  std::vector<pid_t> children;
  for (std::size_t w = 0; w < writers; ++w)
    children.push_back(in_child([&] {
      for (std::size_t r = 0; r < runs; ++r)
        (void)folder.learn(memory);
    }));
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(folder.find(identity())->runs, writers * runs);
  EXPECT_EQ(folder.files().size(), 1u);
}

TEST(memory_folder, has_the_old_memory_or_the_new_one_after_sigkill) {
  const test::TemporaryFolder temporary;
  const MemoryFolder folder(temporary.path());
  const Memory memory = memory_of(recorded(1, 200));
  (void)folder.learn(memory);
  std::size_t runs = 1;
  for (useconds_t delay = 0; delay < 30'000; delay += 1000) {
    const pid_t child = in_child([&] {
      for (;;)
        (void)folder.learn(memory);
    });
    ::usleep(delay);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const auto known = folder.find(identity()); // would throw
    ASSERT_TRUE(known);
    EXPECT_GE(known->runs, runs);
    runs = known->runs;
  }
  EXPECT_EQ(folder.files().size(), 1u);
  EXPECT_GT(folder.learn(memory).memory.runs, runs); // no lock is left
}

} // namespace
} // namespace hypermile::learn
