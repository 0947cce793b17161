// Calibrating collectives over two nodes.

#include "nodes/job_on_nodes.hpp"

#include <fmt/format.h>

namespace hypermile::test {
namespace {

using nlohmann::json;

class NodesCollectives : public JobOnNodes {};

INSTANTIATE_TEST_SUITE_P(mpi, NodesCollectives, testing::Values(HYPERMILE_TEST_FLAVOURS),
                         [](const auto& flavour) { return flavour.param; });

/// One of each node, and then both.
TEST_P(NodesCollectives, are_measured_with_some_of_the_processes_of_each_node) {
  start_line(fmt::format("$HYPERMILE bcast calibrate --quiet --calls --procs-per-node 1,2 --sizes "
                         "64KiB --segments 0 --passes 1 --seconds 0.001 --platform d13 -- {}",
                         mpirun(2)));
  const CommandResult result = wait();
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json calibration = json::parse(result.out);
  ASSERT_EQ(calibration.at("measured").size(), 2U);
  for (const std::size_t each : {1U, 2U}) {
    const json& measured = calibration.at("measured").at(each - 1);
    EXPECT_EQ(measured.at("nodes"), 2);
    EXPECT_EQ(measured.at("processes_per_node"), each);
    bool scatters = false;
    for (const json& cell : measured.at("cells")) {
      EXPECT_EQ(cell.at("times_s").size(), 1U);
      scatters = scatters || cell.at("algorithm") == "MPI_Scatter";
    }
    EXPECT_TRUE(scatters);
  }
  expect_nothing_left();
}

} // namespace
} // namespace hypermile::test
