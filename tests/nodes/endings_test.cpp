// However a job over two nodes ends, and whoever is killed, both are restored.

#include "nodes/job_on_nodes.hpp"

#include <signal.h>

namespace hypermile::test {
namespace {

class NodesEnd : public JobOnNodes {
protected:
  void start_long_job() {
    start(job(100'000), "--gears 3,3"); // in MPI_Init, however busy the machine is
    wait_for_gears();
  }
};

INSTANTIATE_TEST_SUITE_P(mpi, NodesEnd, testing::Values(HYPERMILE_TEST_FLAVOURS),
                         [](const auto& flavour) { return flavour.param; });

TEST_P(NodesEnd, sigint_to_hypermile_restores_both) {
  start_long_job();
  send(SIGINT, HYPERMILE_COMMAND);
  (void)wait();                   // MPICH's may end with 0
  EXPECT_TRUE(n1.is_as_before()); // when the command returns
  expect_restored();
  expect_nothing_left();
}

TEST_P(NodesEnd, sigterm_to_hypermile_restores_both) {
  start_long_job();
  send(SIGTERM, HYPERMILE_COMMAND);
  (void)wait();
  EXPECT_TRUE(n1.is_as_before());
  expect_restored();
  expect_nothing_left();
}

TEST_P(NodesEnd, sigkill_of_a_rank_restores_both) {
  start_long_job();
  send(SIGKILL, program());
  EXPECT_NE(wait().exit_code, 0);
  EXPECT_TRUE(n1.is_as_before());
  expect_restored();
  expect_nothing_left();
}

TEST_P(NodesEnd, sigkill_of_mpirun_restores_both) {
  start_long_job();
  send(SIGKILL, launcher());
  EXPECT_EQ(wait().exit_code, 128 + SIGKILL);
  expect_restored();
  expect_nothing_left();
}

} // namespace
} // namespace hypermile::test
