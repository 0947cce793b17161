// --gentle-wait: ranks that wait leave their cores to others, and nothing else changes.

#include "run/job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

namespace hypermile::test {
namespace {

using nlohmann::json;

class GentleWait : public testing::TestWithParam<std::string> {
protected:
  [[nodiscard]] Job gentle(std::vector<std::string> program, int ranks = 2) const {
    return {.flavour = GetParam(),
            .ranks = ranks,
            .program = std::move(program),
            .options = {"--method", "none", "--gentle-wait"}};
  }
  [[nodiscard]] Job plain(std::vector<std::string> program, int ranks = 2) const {
    Job job = gentle(std::move(program), ranks);
    job.options.pop_back();
    return job;
  }
  /// What ranks print may come in any order.
  static std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
      lines.push_back(line);
    std::ranges::sort(lines);
    return lines;
  }
  void expect_same(int ranks) const {
    const CommandResult with = run_job(gentle({"waiting"}, ranks)).command;
    const CommandResult without = run_plainly(plain({"waiting"}, ranks));
    EXPECT_EQ(with.exit_code, 0) << with.err;
    EXPECT_GT(lines_of(with.out).size(), 50U);
    EXPECT_EQ(lines_of(with.out), lines_of(without.out));
  }
  void expect_right(const std::vector<std::string>& program, int ranks = 2) const {
    if (!std::ifstream(mpi_program(GetParam(), program[0])).good())
      return; // needs MPI 4, or a Fortran compiler
    const JobResult result = run_job(gentle(program, ranks));
    EXPECT_EQ(result.command.exit_code, 0) << program[0] << '\n' << result.command.err;
  }
  /// Of the ranks that wait, in seconds.
  static double cpu_time(const Job& job) {
    const JobResult result = run_job(job);
    EXPECT_EQ(result.command.exit_code, 0) << result.command.err;
    return std::stod(result.command.out);
  }
  /// A busy machine takes cores from ranks that spin, and wakes ranks that sleep: of several runs,
  /// the least disturbed ones tell.
  void expect_much_less_cpu_time(const Job& job) const {
    double gently = std::numeric_limits<double>::infinity();
    double spinning = 0;
    for (int run = 0; run < 10 && gently >= 0.5 * spinning; ++run) {
      gently = std::min(gently, cpu_time(job));
      spinning = std::max(spinning, cpu_time(plain({"late_root", "200"})));
    }
    EXPECT_LT(gently, 0.5 * spinning);
  }
};
INSTANTIATE_TEST_SUITE_P(mpi, GentleWait, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param; });

TEST_P(GentleWait, changes_no_result_status_or_error_on_2_ranks) { expect_same(2); }
TEST_P(GentleWait, changes_no_result_status_or_error_on_3_ranks) { expect_same(3); }

TEST_P(GentleWait, is_right_in_programs_of_many_kinds) {
  for (const char* const name :
       {"completions", "collectives", "persistent", "null_request", "communicators", "probing",
        "wildcards", "one_sided", "polling", "halo2d", "roles", "fortran_loop", "fortran_messages",
        "fortran_mpif", "fortran_f08", "large_counts", "partitioned", "persistent_collectives",
        "sessions"})
    expect_right({name, "20", "200"});
}

TEST_P(GentleWait, is_right_on_more_ranks) {
  for (const char* const name : {"completions", "collectives", "communicators"})
    expect_right({name, "5", "200"}, 5);
}

TEST_P(GentleWait, is_right_in_programs_with_threads) {
  for (const char* const level : {"2", "3"})
    expect_right({"threads", level, "4", "40", "1000"});
}

TEST_P(GentleWait, is_right_where_ranks_without_it_join) {
  if (GetParam() == "mpich")
    GTEST_SKIP() << "Debian's mpirun.mpich cannot spawn";
  expect_right({"spawning", "20", "200"});
}

TEST_P(GentleWait, needs_much_less_cpu_time) {
  expect_much_less_cpu_time(gentle({"late_root", "200"}));
}

TEST_P(GentleWait, counts_the_time_in_mpi) {
  const json report = run_successfully(gentle({"late_root", "200"}));
  const json& waiting = report.at("ranks_detail").at(1);
  EXPECT_GE(waiting.at("communication_s").get<double>(), 6 * 0.2 * 0.9);
  EXPECT_EQ(waiting.at("mpi_calls"), 8); // of the program, not those that they are made of
}

TEST_P(GentleWait, is_a_variable_too) {
  Job job = plain({"late_root", "200"});
  job.environment["HYPERMILE_GENTLE_WAIT"] = "on";
  expect_much_less_cpu_time(job);
  job.environment["HYPERMILE_GENTLE_WAIT"] = "perhaps";
  const CommandResult refused = run_job(job).command;
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_NE(refused.err.find("HYPERMILE_GENTLE_WAIT: 'perhaps' is neither on nor off"),
            std::string::npos)
      << refused.err;
}

} // namespace
} // namespace hypermile::test
