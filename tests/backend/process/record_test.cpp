#include "backend/process/record.hpp"

#include "backend/process/words.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>

namespace hypermile::backend::process {
namespace {

Found found() {
  return {.processes = {{7, {.start = 123456789012, .stopped = true}}, {8, {5, false}}},
          .threads = {{7, {.process = 7, .wish = {0, 1, 77}}}, {9, {7, {3}}}}};
}

TEST(Record, holds_what_was_written_last) {
  Record record;
  record.write(found());
  EXPECT_EQ(record.read(), found());
  Found less = found();
  less.threads.erase(9);
  less.processes.erase(8);
  record.write(less);
  EXPECT_EQ(record.read(), less);
}

TEST(Record, is_read_by_the_parent_of_whoever_wrote_it) {
  Record record;
  record.write({});
  const pid_t child = ::fork();
  if (child == 0) {
    record.write(found());
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(record.read(), found());
}

TEST(Record, holds_nothing_before_it_is_written_and_after_it_is_cleared) {
  Record record;
  EXPECT_EQ(record.read(), std::nullopt);
  record.write(found());
  EXPECT_EQ(record.read(), found());
  record.clear();
  EXPECT_EQ(record.read(), std::nullopt);
}

TEST(Record, holds_many_threads) {
  Found many;
  for (pid_t id = 1; id < 3000; ++id)
    many.threads[id] = {1, {0, 1, 2, 3, 4, 5, 6, 7}};
  Record record;
  record.write(many);
  EXPECT_EQ(record.read(), many);
}

TEST(Words, hold_any_set_of_cpus) {
  for (const control::CpuSet& cpus :
       {control::CpuSet{}, {0}, {7}, {8}, {0, 1, 2, 63, 64, 1023}, {5000}})
    EXPECT_EQ(words::unpack(words::pack(cpus)), cpus);
}

} // namespace
} // namespace hypermile::backend::process
