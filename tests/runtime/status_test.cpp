#include "runtime/status.hpp"

#include "support/temporary_folder.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace hypermile::runtime {
namespace {

void expect_error(const std::string& path) {
  try {
    (void)StatusFile::open(path);
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::hardware);
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
  }
}

TEST(status_file, begins_with_no_rank_started) {
  const test::TemporaryFolder folder;
  const auto status = StatusFile::create(folder.path("status"), 3);
  ASSERT_EQ(status.ranks(), 3u);
  EXPECT_EQ(status.running().load(), -1);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(status.rank(rank).state.load(), RankStatus::not_started);
    EXPECT_EQ(status.rank(rank).iterations.load(), 0u);
    EXPECT_EQ(status.rank(rank).exit_code.load(), 0);
  }
}

TEST(status_file, is_shared_between_who_created_and_who_opened_it) {
  const test::TemporaryFolder folder;
  const auto launcher = StatusFile::create(folder.path("status"), 1000);
  const auto program = StatusFile::open(folder.path("status"));
  ASSERT_EQ(program.ranks(), 1000u);
  program.rank(999).iterations.store(12);
  program.rank(999).time_s.store(0.25);
  program.running().store(998);
  EXPECT_EQ(launcher.rank(999).iterations.load(), 12u);
  EXPECT_EQ(launcher.rank(999).time_s.load(), 0.25);
  EXPECT_EQ(launcher.rank(998).iterations.load(), 0u);
  EXPECT_EQ(launcher.running().load(), 998);
}

TEST(status_file, outlives_who_wrote_it) {
  const test::TemporaryFolder folder;
  { StatusFile::create(folder.path("status"), 2).rank(1).exit_code.store(7); }
  EXPECT_EQ(StatusFile::open(folder.path("status")).rank(1).exit_code.load(), 7);
}

TEST(status_file, that_is_missing_is_an_error) {
  const test::TemporaryFolder folder;
  expect_error(folder.path("status"));
}

TEST(status_file, that_is_shorter_than_it_says_is_an_error) {
  const test::TemporaryFolder folder;
  { (void)StatusFile::create(folder.path("status"), 1000); }
  for (const std::uintmax_t size : {100u, 10u, 0u}) {
    std::filesystem::resize_file(folder.path("status"), size);
    expect_error(folder.path("status"));
  }
}

TEST(status_file, cannot_be_created_in_a_folder_that_does_not_exist) {
  const test::TemporaryFolder folder;
  EXPECT_THROW((void)StatusFile::create(folder.path("none/status"), 1), Error);
}

} // namespace
} // namespace hypermile::runtime
