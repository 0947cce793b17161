#include "simulate/failure.hpp"

#include "io/text_file.hpp"
#include "runtime/pmpi/functions.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace hypermile::simulate {
namespace {

namespace fs = std::filesystem;
using runtime::RankStatus;
using runtime::StatusFile;
using runtime::pmpi::Function;

constexpr const char* smpi_program = HYPERMILE_BINARY_DIR "/tests/programs/smpi/ring";

void make_executable(const std::string& path) {
  fs::permissions(path, fs::perms::owner_exec, fs::perm_options::add);
}

void expect_refused(const std::string& program, const std::string& message) {
  try {
    check_program(program);
    FAIL() << "accepted " << program;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(check_program, accepts_what_smpicxx_built) { EXPECT_NO_THROW(check_program(smpi_program)); }

TEST(check_program, says_that_there_is_no_such_file) {
  expect_refused("/nowhere/app", "there is no program /nowhere/app");
  expect_refused("/tmp", "there is no program /tmp");
  expect_refused("", "there is no program");
}

TEST(check_program, refuses_what_is_not_executable) {
  const test::TemporaryFolder folder;
  fs::copy_file(smpi_program, folder.path("app"));
  fs::permissions(folder.path("app"), fs::perms::owner_read);
  expect_refused(folder.path("app"), "there is no program");
}

TEST(check_program, tells_how_to_build_an_ordinary_executable) {
  expect_refused("/proc/self/exe", "is not built for the simulator; try: build it with smpicc");
}

TEST(check_program, refuses_a_script) {
  const test::TemporaryFolder folder;
  io::write_text_file(folder.path("script"),
                      "#!/bin/sh\nexec mpirun ./app\n" + std::string(200, '#'));
  make_executable(folder.path("script"));
  expect_refused(folder.path("script"), "is not built for the simulator");
}

TEST(check_program, refuses_a_truncated_program) {
  const test::TemporaryFolder folder;
  for (const std::uintmax_t size : {100u, 64u, 20u, 0u}) {
    fs::copy_file(smpi_program, folder.path("app"), fs::copy_options::overwrite_existing);
    fs::resize_file(folder.path("app"), size);
    expect_refused(folder.path("app"), "is not built for the simulator");
  }
}

// --- explain_failure() ---

class ExplainFailure : public testing::Test {
protected:
  ProgramFailed explain(const Process::End& end, const std::string& output = "") {
    io::write_text_file(folder.path("out"), output);
    return explain_failure("exact", end, status, folder.path("out"));
  }
  void run(std::size_t rank, Function function, bool in_mpi, double time) {
    RankStatus& s = status.rank(rank);
    s.state = RankStatus::running;
    s.function = static_cast<std::uint32_t>(function);
    s.in_mpi = in_mpi ? 1 : 0;
    s.time_s = time;
    s.iterations = 7;
  }
  static void expect_says(const Error& error, const std::string& message) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }

  test::TemporaryFolder folder;
  StatusFile status = StatusFile::create(folder.path("status"), 3);
};

TEST_F(ExplainFailure, names_the_rank_that_exited_and_passes_its_code_on) {
  run(0, Function::Allreduce, true, 0.5);
  run(1, Function::Allreduce, false, 0.25);
  run(2, Function::Allreduce, true, 0.5);
  status.rank(1).exit_code = 7;
  const auto failed = explain({7, 0}, "something is wrong\n");
  EXPECT_EQ(failed.exit_code(), 7);
  expect_says(failed, "exact: rank 1 ended the program with exit code 7");
  expect_says(failed, "rank 0 is in MPI_Allreduce at 0.500000 s, iteration 7");
  expect_says(failed, "rank 1 ran on after MPI_Allreduce at 0.250000 s");
  expect_says(failed, "the end of what the program printed:\n  something is wrong");
}

TEST_F(ExplainFailure, names_the_rank_that_crashed) {
  run(0, Function::Barrier, true, 0.5);
  run(1, Function::Sendrecv, false, 0.75);
  status.running() = 1;
  const auto failed = explain({128 + SIGSEGV, SIGSEGV});
  EXPECT_EQ(failed.exit_code(), 139);
  expect_says(failed, "rank 1 crashed (Segmentation fault)");
  expect_says(failed, "rank 1 ran on after MPI_Sendrecv at 0.750000 s, iteration 7");
}

TEST_F(ExplainFailure, tells_a_deadlock_though_simgrid_calls_it_success) {
  run(0, Function::Recv, true, 0.5);
  run(1, Function::Recv, true, 0.5);
  status.rank(2).state = RankStatus::finalized;
  const auto failed =
      explain({0, 0}, "[0.5] x.cpp:1: [ker_engine/CRITICAL] Oops! Deadlock detected, some\n"
                      "[0.5] [ker_engine/INFO] 2 actors are still running\n");
  EXPECT_EQ(failed.exit_code(), 1);
  expect_says(failed, "deadlock");
  expect_says(failed, "rank 0 is in MPI_Recv");
  EXPECT_EQ(std::string(failed.what()).find("rank 2"), std::string::npos) << failed.what();
  EXPECT_EQ(std::string(failed.what()).find("/INFO]"), std::string::npos) << failed.what();
}

TEST_F(ExplainFailure, tells_that_nobody_called_mpi_init) {
  const auto failed = explain({0, 0});
  EXPECT_EQ(failed.exit_code(), 1);
  expect_says(failed, "no rank called MPI_Init");
}

TEST_F(ExplainFailure, repeats_the_runtimes_own_complaint_and_nothing_else) {
  run(0, Function::Init, true, 0);
  const auto failed = explain({2, 0}, "noise\nhypermile: error: host 'n' states no power\nnoise\n");
  expect_says(failed, "exact: host 'n' states no power");
  EXPECT_EQ(std::string(failed.what()).find("noise"), std::string::npos) << failed.what();
}

TEST_F(ExplainFailure, shows_a_few_ranks_of_many) {
  status = StatusFile::create(folder.path("status"), 100);
  for (std::size_t rank = 0; rank < 100; ++rank)
    run(rank, Function::Barrier, true, 1);
  expect_says(explain({3, 0}),
              "rank 7 is in MPI_Barrier at 1.000000 s, iteration 7\n  and 92 more");
}

TEST_F(ExplainFailure, shows_no_list_of_ranks_where_all_had_finished) {
  for (std::size_t rank = 0; rank < 3; ++rank)
    status.rank(rank).state = RankStatus::finalized;
  const auto failed = explain({1, 0}, "rank 2: wrong result\n");
  EXPECT_EQ(failed.exit_code(), 1);
  expect_says(failed, "exit code 1 after MPI_Finalize\nthe end of what the program printed:");
}

} // namespace
} // namespace hypermile::simulate
