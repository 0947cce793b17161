// What MPI 4 has brought: its time is communication, and who waits for whom is known or said not to
// be.

#include "run/job.hpp"

#include <gtest/gtest.h>

namespace hypermile::test {
namespace {

using nlohmann::json;

constexpr int repetitions = 40;

class Mpi4 : public testing::TestWithParam<std::string> {
protected:
  /// Choices are made beside the program: they take the time they need, on any machine.
  static Job job(const std::string& program) {
    return {.flavour = GetParam(),
            .program = {program, std::to_string(repetitions), "2000"},
            .options = {"--apply", "async"}};
  }
  /// Calls of MPI by each rank in an iteration, and of each outside the loop.
  struct Calls {
    std::vector<int> in_iteration;
    int besides;
  };
  /// The report of a program whose output is what it is without hypermile, and whose rank 1 waits.
  static json watched(const std::string& program, const Calls& calls) {
    const CommandResult plain = run_plainly(job(program));
    EXPECT_EQ(plain.exit_code, 0) << plain.err;
    const JobResult result = run_job(job(program));
    EXPECT_EQ(result.command.exit_code, plain.exit_code) << result.command.err;
    EXPECT_EQ(result.command.out, plain.out);
    EXPECT_TRUE(result.report.is_object()) << result.command.err;
    if (!result.report.is_object())
      return {};
    const json& ranks = result.report.at("ranks_detail");
    for (std::size_t r = 0; r < calls.in_iteration.size(); ++r) {
      EXPECT_EQ(ranks[r].at("iterations"), repetitions);
      EXPECT_EQ(ranks[r].at("mpi_calls"), calls.in_iteration[r] * repetitions + calls.besides);
    }
    EXPECT_GT(ranks[1].at("communication_s"), 0);
    return result.report;
  }
  static void expect_followed(const json& report) {
    ASSERT_TRUE(report.is_object());
    EXPECT_TRUE(report.at("remarks").empty()) << report.at("remarks");
    bool by_dependency = false;
    for (const json& decision : report.at("decisions"))
      by_dependency = by_dependency || decision.at("time_model") == "dependency";
    EXPECT_TRUE(by_dependency) << report.at("decisions");
  }
  /// The report says so, and why.
  static void expect_not_followed(const json& report, const std::string& why) {
    ASSERT_TRUE(report.is_object());
    EXPECT_NE(
        report.at("remarks").dump().find("it is not known which rank waits for which: " + why),
        std::string::npos)
        << report.at("remarks");
  }
};
INSTANTIATE_TEST_SUITE_P(mpi, Mpi4,
                         testing::ValuesIn(std::vector<std::string>{HYPERMILE_TEST_MPI4_FLAVOURS}),
                         [](const auto& test) { return test.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Mpi4);

TEST_P(Mpi4, large_counts_and_combined_messages_are_followed) {
  expect_followed(watched("large_counts", {{8, 8}, 3}));
}

TEST_P(Mpi4, persistent_collectives_are_followed_in_whatever_order_they_start) {
  expect_followed(watched("persistent_collectives", {{2, 3}, 8}));
}

TEST_P(Mpi4, partitioned_communication_is_counted_but_not_followed) {
  expect_not_followed(watched("partitioned", {{6, 6}, 4}),
                      "MPI_Psend_init cannot be followed: it is partitioned communication");
}

TEST_P(Mpi4, communication_of_a_session_is_counted_but_not_followed) {
  expect_not_followed(
      watched("sessions", {{1, 1}, 4}),
      "MPI_Comm_create_from_group cannot be followed: it makes a communicator of an MPI session");
}

TEST_P(Mpi4, a_program_of_sessions_alone_runs_and_the_missing_report_is_explained) {
  Job alone = job("sessions");
  alone.program.emplace_back("alone");
  const CommandResult plain = run_plainly(alone);
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  const JobResult result = run_job(alone);
  EXPECT_EQ(result.command.exit_code, 0) << result.command.err;
  EXPECT_EQ(result.command.out, plain.out);
  EXPECT_NE(result.command.err.find("only calls MPI_Session_init"), std::string::npos)
      << result.command.err;
}

} // namespace
} // namespace hypermile::test
