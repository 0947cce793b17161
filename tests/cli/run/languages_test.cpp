// Programs of every language, whose messages are followed: gears are chosen by who waits for whom.

#include "run/job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace hypermile::test {
namespace {

using nlohmann::json;

constexpr int iterations = 40;

/// Some choice at least: on a machine that is busy otherwise, a program may seem to do nothing but
/// wait, or its ranks to measure at different times. Choices are made beside the programs of these
/// tests: they take the time they need, on any machine.
bool chosen_by_dependency(const json& report) {
  return std::ranges::any_of(report.at("decisions"), [](const json& decision) {
    return decision.at("time_model") == "dependency";
  });
}

struct Program {
  std::string flavour;
  std::string name;
  int calls_per_iteration;
  /// A Fortran compiler need not be there.
  [[nodiscard]] bool exists() const { return std::ifstream(mpi_program(flavour, name)).good(); }
};

class Languages : public testing::TestWithParam<std::string> {
protected:
  static void expect_followed(const json& report, int calls) {
    ASSERT_TRUE(report.is_object());
    EXPECT_TRUE(chosen_by_dependency(report)) << report.at("decisions");
    for (const json& rank : report.at("ranks_detail")) {
      EXPECT_EQ(rank.at("iterations"), iterations);
      EXPECT_EQ(rank.at("mpi_calls"), calls * iterations);
    }
    EXPECT_TRUE(report.at("remarks").empty()) << report.at("remarks");
  }
  static void expect_followed(const Program& program) {
    if (!program.exists())
      GTEST_SKIP() << "there is no Fortran compiler";
    expect_followed(run_successfully({.flavour = program.flavour,
                                      .program = {program.name, std::to_string(iterations), "2000"},
                                      .options = {"--apply", "async"}}),
                    program.calls_per_iteration);
  }
  /// Started without the launcher, the report on its own stderr and in a folder.
  static void expect_linked(const Program& program) {
    if (!program.exists())
      GTEST_SKIP() << "there is no Fortran compiler";
    const TemporaryFolder folder;
    const CommandResult result =
        run_plainly({.flavour = program.flavour,
                     .program = {program.name, std::to_string(iterations), "2000"},
                     .environment = without_launcher(folder.path())});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find("2 ranks on 2 emulated nodes"), std::string::npos) << result.err;
    expect_followed(read(folder), program.calls_per_iteration);
  }
  static std::map<std::string, std::string> without_launcher(const std::string& report) {
    return {{"HYPERMILE_BACKEND", "emulated"},
            {"HYPERMILE_APPLY", "async"},
            {"HYPERMILE_PLATFORM", HYPERMILE_SOURCE_DIR "/platforms/table-3.1.yaml"},
            {"HYPERMILE_REPORT", report}};
  }
  static json read(const TemporaryFolder& folder) {
    return json::parse(std::ifstream(folder.path("run.json")), nullptr, false);
  }
};
INSTANTIATE_TEST_SUITE_P(mpi, Languages, testing::Values(HYPERMILE_TEST_FLAVOURS),
                         [](const auto& test) { return test.param; });

TEST_P(Languages, c) { expect_followed({GetParam(), "c_loop", 4}); }
TEST_P(Languages, cplusplus) { expect_followed({GetParam(), "halo2d", 9}); }
TEST_P(Languages, fortran_with_mpif) { expect_followed({GetParam(), "fortran_mpif", 4}); }
TEST_P(Languages, fortran_with_use_mpi) { expect_followed({GetParam(), "fortran_loop", 2}); }
TEST_P(Languages, fortran_with_use_mpi_f08) { expect_followed({GetParam(), "fortran_f08", 4}); }

TEST_P(Languages, fortran_that_marks_its_iterations) {
  if (!Program{GetParam(), "fortran_marker", 0}.exists())
    GTEST_SKIP() << "there is no Fortran compiler";
  const json report = run_successfully(
      {.flavour = GetParam(), .program = {"fortran_marker", std::to_string(iterations)}});
  ASSERT_TRUE(report.is_object());
  for (const json& rank : report.at("ranks_detail")) // the last iteration has no end
    EXPECT_EQ(rank.at("iterations"), iterations - 1);
}

TEST_P(Languages, fortran_that_counts_what_it_does) {
  if (!Program{GetParam(), "fortran_progress", 0}.exists())
    GTEST_SKIP() << "there is no Fortran compiler";
  const std::string program = mpi_program(GetParam(), "fortran_progress");
  EXPECT_EQ(RunningCommand::shell("exec " + program + " 10", {}).wait().exit_code, 0);
  const CommandResult result =
      run_hypermile({"steer", "--objective", "min-energy", "--backend", "emulated", "--output", "-",
                     "--json", "--", program, "500"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const json report = json::parse(result.out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << result.out;
  EXPECT_EQ(report.at("reported_progress"), true);
  EXPECT_GT(report.at("items"), 0);
  EXPECT_LE(report.at("items"), 2 * 500);
}

TEST_P(Languages, c_that_starts_what_an_extension_of_mpi_has_prepared) {
  const JobResult result = run_job(
      {.flavour = GetParam(), .program = {"extension", std::to_string(iterations), "2000"}});
  if (result.command.exit_code == 77)
    GTEST_SKIP() << "this MPI has no such extension";
  ASSERT_TRUE(result.report.is_object()) << result.command.err;
  for (const json& rank : result.report.at("ranks_detail"))
    EXPECT_EQ(rank.at("mpi_calls"), 2 * iterations + 1); // MPI_Request_free
  EXPECT_NE(
      result.report.at("remarks").dump().find(
          "MPI_Start cannot be followed: the function that prepared its request is not watched"),
      std::string::npos)
      << result.report.at("remarks");
}

TEST_P(Languages, c_linked_to_hypermile_and_not_preloaded) {
  expect_linked({GetParam(), "c_loop_linked", 4});
}
TEST_P(Languages, fortran_linked_to_hypermile_and_not_preloaded) {
  expect_linked({GetParam(), "fortran_f08_linked", 4});
}

TEST_P(Languages, what_is_linked_to_hypermile_may_be_preloaded_too) {
  expect_followed({GetParam(), "c_loop_linked", 4});
}

TEST_P(Languages, preloaded_without_the_launcher) {
  const TemporaryFolder folder;
  auto environment = without_launcher(folder.path());
  environment["LD_PRELOAD"] = run_hypermile({"run", "--print-library"}).out;
  environment["LD_PRELOAD"].pop_back();
  const CommandResult result =
      run_plainly({.flavour = GetParam(),
                   .program = {"c_loop", std::to_string(iterations), "2000"},
                   .environment = environment});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("2 ranks on 2 emulated nodes"), std::string::npos) << result.err;
  expect_followed(read(folder), 4);
}

} // namespace
} // namespace hypermile::test
