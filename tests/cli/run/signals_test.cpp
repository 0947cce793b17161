// Signals to the launcher, which are meant for the job.

#include "run/job.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace hypermile::test {
namespace {

struct Signal {
  std::string flavour;
  std::string name;
  bool to_group; ///< of processes; else to hypermile alone
};

class Signals : public testing::TestWithParam<std::tuple<std::string, std::string, bool>> {
protected:
  /// Sends the signal to a job that would go on for minutes, when it is in its main loop.
  static CommandResult interrupt(const Signal& signal, const TemporaryFolder& folder) {
    const std::string there = folder.path("there");
    std::string job;
    for (const std::string& word :
         mpirun(signal.flavour, 2,
                {mpi_program(signal.flavour, "ending"), "stay", "0", "120", "1000", there}))
      job += " '" + word + "'";
    // What setsid starts in the background has the shell's number of it, and a group of its own.
    const std::string line = "setsid $HYPERMILE run --backend emulated --platform table-3.1 --" +
                             job + " & job=$!; for i in $(seq 600); do [ -e '" + there +
                             "' ] && break; sleep 0.1; done; " + "kill -" + signal.name +
                             (signal.to_group ? " -$job" : " $job") + "; wait $job";
    return RunningCommand::shell(line, job_environment(folder.path())).wait();
  }
};
INSTANTIATE_TEST_SUITE_P(mpi, Signals,
                         testing::Combine(testing::Values(HYPERMILE_TEST_FLAVOURS),
                                          testing::Values("TERM", "INT"), testing::Bool()),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" + std::get<1>(test.param) +
                                  (std::get<2>(test.param) ? "_to_the_group" : "_to_hypermile");
                         });

TEST_P(Signals, end_the_job_and_leave_nothing) {
  const auto& [flavour, name, to_group] = GetParam();
  const TemporaryFolder folder;
  const CommandResult result = interrupt({flavour, name, to_group}, folder);
  // MPICH's mpirun may return 0 where its own helpers got the signal, too.
  EXPECT_TRUE(result.exit_code != 0 || flavour == "mpich") << result.err;
  EXPECT_NE(result.err.find("ended before all its ranks had called MPI_Finalize"),
            std::string::npos)
      << result.err;
  expect_nothing_left(folder.path());
}

/// A command that tells how often it gets SIGTERM. `target`: whom to send it.
CommandResult count_of_sigterm(const std::string& target) {
  const TemporaryFolder folder;
  const std::string there = folder.path("there");
  const std::string line =
      "setsid $HYPERMILE run -- sh -c 'trap \"echo got it\" TERM; touch " + there +
      "; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.05; done; exit 5' & job=$!; " +
      "for i in $(seq 600); do [ -e " + there + " ] && break; sleep 0.02; done; " + "kill -TERM " +
      target + "; wait $job";
  return RunningCommand::shell(line).wait();
}

TEST(signals, reach_the_command_once_whether_sent_to_hypermile_or_to_the_group) {
  for (const std::string target : {"$job", "-$job"}) {
    const CommandResult result = count_of_sigterm(target);
    EXPECT_EQ(result.out, "got it\n") << target;
    EXPECT_EQ(result.exit_code, 5) << target;
  }
}

} // namespace
} // namespace hypermile::test
