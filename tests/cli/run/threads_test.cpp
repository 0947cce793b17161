// Programs with threads, at every level of MPI_Init_thread.

#include "run/job.hpp"

#include <gtest/gtest.h>

namespace hypermile::test {
namespace {

using nlohmann::json;

constexpr int calls_per_iteration = 4;

class Threads : public testing::TestWithParam<std::string> {
protected:
  static json run(int level) {
    return run_successfully(
        {.flavour = GetParam(), .program = {"threads", std::to_string(level), "4", "40", "1000"}});
  }
  /// By one thread, or by all in turn.
  static void expect_followed(const json& report) {
    ASSERT_TRUE(report.is_object());
    EXPECT_TRUE(report.at("remarks").empty()) << report.at("remarks");
    for (const json& rank : report.at("ranks_detail")) {
      EXPECT_EQ(rank.at("iterations"), 40);
      EXPECT_EQ(rank.at("mpi_calls"), 40 * calls_per_iteration);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(mpi, Threads, testing::Values(HYPERMILE_TEST_FLAVOURS),
                         [](const auto& test) { return test.param; });

TEST_P(Threads, single) { expect_followed(run(0)); }
TEST_P(Threads, funneled) { expect_followed(run(1)); }
TEST_P(Threads, serialized) { expect_followed(run(2)); }

TEST_P(Threads, of_multiple_the_first_is_watched_and_that_is_said_once) {
  const json report = run(3);
  ASSERT_TRUE(report.is_object());
  ASSERT_EQ(report.at("remarks").size(), 1u);
  EXPECT_NE(report.at("remarks")[0].get<std::string>().find("other threads communicate"),
            std::string::npos);
  for (const json& rank : report.at("ranks_detail")) {
    // Where the threads share few cores, what precedes the loop may take longer than its first
    // iterations; then its end may be found between two calls.
    EXPECT_GE(rank.at("iterations"), 30);
    EXPECT_LE(rank.at("iterations"), 40);
  }
  // Until another thread communicates, the events are all there.
  const json& decisions = report.at("decisions");
  ASSERT_FALSE(decisions.empty());
  EXPECT_EQ(decisions.back().at("time_model"), "cluster");
}

TEST_P(Threads, multiple_with_one_thread_is_followed) {
  const json report =
      run_successfully({.flavour = GetParam(), .program = {"threads", "3", "1", "40", "1000"}});
  ASSERT_TRUE(report.is_object());
  EXPECT_TRUE(report.at("remarks").empty()) << report.at("remarks");
}

} // namespace
} // namespace hypermile::test
