// Sweeps that a signal ends, in a process of their own.

#include "support/processes.hpp"
#include "sweep/fake_study.hpp"
#include "sweep/sweep.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace hypermile::sweep {
namespace {

using study::Outcome;
using test::FakeStudy;

/// A sweep in another process, ended by a signal once `until` holds. The status of waitpid().
template <class Until> int sweep_until(const FakeStudy& fake, int signal, const Until& until) {
  const pid_t child = test::in_another_process([&] {
    ::setenv("TMPDIR", fake.path("temporary").c_str(), 1);
    fake.sweep();
  });
  while (!until())
    std::this_thread::yield();
  ::kill(child, signal);
  return test::end_of_process(child);
}

std::size_t known(const FakeStudy& fake) {
  std::size_t count = 0;
  for (const Outcome& outcome : collect(fake.places(), fake.results()))
    count += outcome.status == Outcome::Status::done ? 1 : 0;
  return count;
}

/// Whether no simulation of this study runs any more; the kernel may take a moment.
bool all_gone(const FakeStudy& fake) {
  for (int i = 0; i < 2000; ++i) {
    if (test::processes_with(fake.path("hypermile")).empty())
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

class InterruptedSweep : public testing::TestWithParam<int> {};

TEST_P(InterruptedSweep, leaves_nothing_running_and_goes_on_without_repeating_what_is_finished) {
  const FakeStudy fake({"A", "B", "late"}); // which does not end before there is a file "go"
  std::filesystem::create_directory(fake.path("temporary"));
  const int status = sweep_until(fake, GetParam(), [&] {
    return known(fake) == 4 && fake.count("simulate late one") == 1 &&
           fake.count("simulate late two") == 1;
  });
  if (GetParam() == SIGKILL) {
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
  } else {
    EXPECT_EQ(WEXITSTATUS(status), 128 + GetParam());
    EXPECT_TRUE(std::filesystem::is_empty(fake.path("temporary")));
  }
  EXPECT_TRUE(all_gone(fake));
  EXPECT_EQ(known(fake), 4U);
  fake.write("go", "");
  fake.sweep();
  EXPECT_EQ(known(fake), 6U);
  for (const char* line : {"record A", "record B", "simulate A one", "simulate A two",
                           "simulate B one", "simulate B two", "record late"})
    EXPECT_EQ(fake.count(line), 1U) << line;
  for (const char* line : {"simulate late one", "simulate late two"}) // that were under way
    EXPECT_EQ(fake.count(line), 2U) << line;
}

TEST_P(InterruptedSweep, goes_on_with_what_was_recorded) {
  const FakeStudy fake({"A", "slow"});
  std::filesystem::create_directory(fake.path("temporary"));
  sweep_until(fake, GetParam(), [&] { return fake.count("record slow") == 1; });
  EXPECT_TRUE(all_gone(fake));
  EXPECT_EQ(known(fake), 0U);
  fake.write("go", "");
  fake.sweep();
  EXPECT_EQ(known(fake), 4U);
  EXPECT_EQ(fake.count("record A"), 1U);
  EXPECT_EQ(fake.count("record slow"), 2U);
}

INSTANTIATE_TEST_SUITE_P(By, InterruptedSweep, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGKILL));

} // namespace
} // namespace hypermile::sweep
