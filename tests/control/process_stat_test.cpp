#include "control/process_stat.hpp"

#include "control/processes.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace hypermile::control {
namespace {

class ProcessStatTest : public testing::Test {
protected:
  void write(pid_t pid, const std::string& text) const {
    std::filesystem::create_directories(proc_.path(std::to_string(pid)));
    std::ofstream(proc_.path(std::to_string(pid) + "/stat")) << text;
  }
  [[nodiscard]] std::optional<ProcessStat> read(pid_t pid) const {
    return process_stat(pid, proc_.path());
  }

private:
  test::TemporaryFolder proc_;
};

TEST_F(ProcessStatTest, is_read_after_a_name_that_looks_like_it) {
  write(7, "7 (a) Z 1 (b\n) c) S 5 6 7 8 9 10 11 12 13 14 15 16 170 30 20 0 3 0 1234 99 99\n");
  const auto stat = read(7);
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->state, 'S');
  EXPECT_EQ(stat->parent, 5);
  EXPECT_EQ(stat->waited, 200U);
  EXPECT_EQ(stat->threads, 3U);
  EXPECT_EQ(stat->start, 1234U);
}

TEST_F(ProcessStatTest, is_none_of_a_process_that_is_not_there_or_a_text_that_ends_early) {
  write(7, "7 (a) S 5 6 7 8");
  write(8, "");
  EXPECT_EQ(read(7), std::nullopt);
  EXPECT_EQ(read(8), std::nullopt);
  EXPECT_EQ(read(9), std::nullopt);
}

TEST_F(ProcessStatTest, tells_processes_that_run_from_those_that_have_ended) {
  EXPECT_TRUE(
      is_running(ProcessStat{.state = 'T', .parent = 1, .waited = 0, .threads = 1, .start = 1}));
  EXPECT_FALSE(
      is_running(ProcessStat{.state = 'Z', .parent = 1, .waited = 0, .threads = 1, .start = 1}));
  // Its first thread has ended, another has not.
  EXPECT_TRUE(
      is_running(ProcessStat{.state = 'Z', .parent = 1, .waited = 0, .threads = 2, .start = 1}));
}

TEST_F(ProcessStatTest, is_read_of_a_real_process) {
  const test::Child child([] {});
  const auto stat = process_stat(child.pid());
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->parent, ::getpid());
  EXPECT_EQ(stat->threads, 1U);
  EXPECT_TRUE(is_running(*stat));
}

} // namespace
} // namespace hypermile::control
