// What surrounds a job: its output, what else is loaded into it, a disk that is full.

#include "run/job.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace hypermile::test {
namespace {

namespace fs = std::filesystem;

class Environment : public testing::TestWithParam<std::string> {
protected:
  static std::string tool() {
    return HYPERMILE_TEST_TOOL_FOLDER "/libtests_counting_tool_" + GetParam() + ".so";
  }
  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
};
INSTANTIATE_TEST_SUITE_P(mpi, Environment, testing::Values(HYPERMILE_TEST_FLAVOURS),
                         [](const auto& test) { return test.param; });

TEST_P(Environment, stdout_is_the_programs_byte_for_byte) {
  const Job job{.flavour = GetParam(), .program = {"output", "30"}};
  const CommandResult plain = run_plainly(job);
  EXPECT_EQ(plain.out.size(), 30u * 256u);
  EXPECT_TRUE(run_job(job).command.out == plain.out);
}

TEST_P(Environment, what_the_user_preloads_is_loaded_too) {
  const JobResult result = run_job({.flavour = GetParam(),
                                    .program = {"c_loop", "40", "1000"},
                                    .environment = {{"LD_PRELOAD", tool()}}});
  EXPECT_EQ(result.command.exit_code, 0);
  EXPECT_TRUE(has(result.command.err, "counted 80 calls")) << result.command.err;
  ASSERT_TRUE(result.report.is_object());
  EXPECT_EQ(result.report.at("ranks_detail")[0].at("iterations"), 40);
}

TEST_P(Environment, what_the_user_has_the_launcher_preload_is_loaded_too) {
  const TemporaryFolder folder;
  std::vector<std::string> words{"run",      "--quiet",     "--backend", "none",
                                 "--report", folder.path(), "--"};
  for (const std::string& word :
       mpirun(GetParam(), 2, {mpi_program(GetParam(), "c_loop"), "40", "1000"}))
    words.push_back(word);
  const bool open_mpi = GetParam() == "openmpi";
  const std::vector<std::string> given =
      open_mpi ? std::vector<std::string>{"-x", "LD_PRELOAD=" + tool(), "-x", "MY_OWN=1"}
               : std::vector<std::string>{"-genv", "LD_PRELOAD", tool()};
  words.insert(words.begin() + 8, given.begin(), given.end());
  const auto result = RunningCommand(words, "", job_environment(folder.path())).wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(has(result.err, "counted 80 calls")) << result.err;
  EXPECT_TRUE(fs::exists(folder.path("run.json"))) << result.err;
}

TEST_P(Environment, no_library_is_opened_while_the_loader_holds_its_lock) {
  if (!fs::exists(mpi_program(GetParam(), "fortran_mpif")))
    GTEST_SKIP() << "there is no Fortran compiler";
  const JobResult result = run_job({.flavour = GetParam(),
                                    .program = {"fortran_mpif", "40", "1000"},
                                    .environment = {{"LD_PRELOAD", HYPERMILE_TEST_LOADER_ORDER}}});
  EXPECT_EQ(result.command.exit_code, 0);
  EXPECT_TRUE(has(result.command.err, "dl_iterate_phdr() was watched")) << result.command.err;
  EXPECT_FALSE(has(result.command.err, "is opened within")) << result.command.err;
}

TEST_P(Environment, variables_that_the_user_hands_on_arrive) {
  if (GetParam() != "openmpi")
    GTEST_SKIP() << "of Open MPI's mpirun";
  const TemporaryFolder folder;
  auto environment = job_environment(folder.path());
  environment["MY_FIRST"] = "first";
  const auto result =
      RunningCommand({"run", "--quiet", "--", "mpirun.openmpi", "-x", "MY_FIRST", "-x",
                      "MY_SECOND=second", "-n", "1", "sh", "-c",
                      "echo $MY_FIRST $MY_SECOND ${LD_PRELOAD##*/} $HYPERMILE_METHOD"},
                     "", environment)
          .wait();
  EXPECT_EQ(result.out, "first second libhypermile-preload.so exact\n") << result.err;
}

TEST_P(Environment, on_a_full_temporary_folder_rank_0_prints_the_report) {
  const TemporaryFolder folder;
  auto environment = job_environment(folder.path());
  environment["LD_PRELOAD"] = HYPERMILE_TEST_NO_SPACE;
  environment["NO_SPACE_IN"] = folder.path("hypermile-");
  std::vector<std::string> words{"run", "--"};
  for (const std::string& word :
       mpirun(GetParam(), 2, {mpi_program(GetParam(), "c_loop"), "40", "1000"}))
    words.push_back(word);
  const auto result = RunningCommand(words, "", environment).wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(has(result.err, "No space left on device")) << result.err;
  EXPECT_TRUE(has(result.err, "2 ranks on 1 node")) << result.err;
  expect_nothing_left(folder.path());
}

TEST_P(Environment, without_the_temporary_folder_that_is_named_the_report_arrives_all_the_same) {
  const TemporaryFolder folder;
  auto environment = job_environment(folder.path("missing"));
  std::vector<std::string> words{"run", "--", mpi_program(GetParam(), "c_loop"), "40", "1000"};
  const auto result = RunningCommand(words, "", environment).wait();
  EXPECT_FALSE(has(result.err, "no report came")) << result.err;
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(has(result.err, "1 rank on 1 node")) << result.err;
}

TEST_P(Environment, a_kept_report_is_told_of_with_what_makes_a_page_of_it) {
  const TemporaryFolder folder;
  const auto told = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--report", folder.path("kept"), "--"});
    for (const std::string& word :
         mpirun(GetParam(), 2, {mpi_program(GetParam(), "c_loop"), "40", "1000"}))
      words.push_back(word);
    const auto result = RunningCommand(words, "", job_environment(folder.path())).wait();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.err;
  };
  const std::string err = told({"run"});
  EXPECT_TRUE(has(err, "hypermile: the report is in ")) << err;
  const bool makes_pages = fs::exists(HYPERMILE_BINARY_DIR "/share/hypermile/report.html");
  EXPECT_EQ(has(err, "as HTML: hypermile report "), makes_pages) << err;
  EXPECT_EQ(told({"run", "--quiet"}), "");
}

TEST_P(Environment, on_a_full_report_folder_the_report_is_shown) {
  const TemporaryFolder folder;
  auto environment = job_environment(folder.path());
  environment["LD_PRELOAD"] = HYPERMILE_TEST_NO_SPACE;
  environment["NO_SPACE_IN"] = folder.path("report");
  std::vector<std::string> words{"run", "--report", folder.path("report"), "--"};
  for (const std::string& word :
       mpirun(GetParam(), 2, {mpi_program(GetParam(), "c_loop"), "40", "1000"}))
    words.push_back(word);
  const auto result = RunningCommand(words, "", environment).wait();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_TRUE(has(result.err, "No space left on device")) << result.err;
  EXPECT_TRUE(has(result.err, "2 ranks on 1 node")) << result.err;
  EXPECT_TRUE(fs::is_empty(folder.path("report")));
}

} // namespace
} // namespace hypermile::test
