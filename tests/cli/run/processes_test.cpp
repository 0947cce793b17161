// Jobs whose processes start others, are few, or are many.

#include "run/job.hpp"

#include <gtest/gtest.h>

namespace hypermile::test {
namespace {

using nlohmann::json;

class Processes : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(mpi, Processes, testing::Values(HYPERMILE_TEST_FLAVOURS),
                         [](const auto& test) { return test.param; });

TEST_P(Processes, what_a_rank_starts_or_forks_off_is_left_alone) {
  const json report =
      run_successfully({.flavour = GetParam(), .program = {"helpers", "60", "1000"}});
  ASSERT_TRUE(report.is_object());
  for (const json& rank : report.at("ranks_detail")) {
    EXPECT_EQ(rank.at("iterations"), 60);
    EXPECT_EQ(rank.at("mpi_calls"), 60);
  }
}

TEST_P(Processes, what_a_job_spawns_is_left_alone) {
  if (GetParam() == "mpich")
    GTEST_SKIP() << "MPICH's mpirun of Debian 12 cannot spawn";
  const json report =
      run_successfully({.flavour = GetParam(), .program = {"spawning", "60", "1000"}});
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report.at("ranks"), 2);
  ASSERT_EQ(report.at("remarks").size(), 1u);
  EXPECT_NE(report.at("remarks")[0].get<std::string>().find("MPI_Comm_spawn"), std::string::npos);
}

TEST_P(Processes, one_rank) {
  const json report =
      run_successfully({.flavour = GetParam(), .ranks = 1, .program = {"c_loop", "40", "1000"}});
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report.at("ranks_detail")[0].at("iterations"), 40);
}

TEST_P(Processes, more_ranks_than_cores) {
  const json report =
      run_successfully({.flavour = GetParam(), .ranks = 4, .program = {"c_loop", "30", "500"}});
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(report.at("ranks"), 4);
  for (const json& rank : report.at("ranks_detail"))
    EXPECT_EQ(rank.at("mpi_calls"), 120);
}

TEST_P(Processes, a_program_without_mpirun_is_a_job_of_one_rank) {
  const TemporaryFolder folder;
  const auto result = RunningCommand({"run", "--backend", "none", "--json", "-o", "-", "--",
                                      mpi_program(GetParam(), "c_loop"), "40", "1000"},
                                     "", job_environment(folder.path()))
                          .wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json::parse(result.out, nullptr, false).value("ranks", 0), 1);
}

TEST_P(Processes, iterations_that_the_program_marks) {
  const json report =
      run_successfully({.flavour = GetParam(), .program = {"marker", "40", "1000"}});
  ASSERT_TRUE(report.is_object());
  for (const json& rank : report.at("ranks_detail"))
    EXPECT_EQ(rank.at("iterations"), 39); // the last one's end is not marked
}

} // namespace
} // namespace hypermile::test
