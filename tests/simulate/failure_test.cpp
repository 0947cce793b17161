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
  expect_refused("/tmp", "/tmp is a folder, not a program");
  expect_refused("", "there is no program");
}

TEST(check_program, refuses_what_is_not_executable) {
  const test::TemporaryFolder folder;
  fs::copy_file(smpi_program, folder.path("app"));
  fs::permissions(folder.path("app"), fs::perms::owner_read);
  // Root may read anything, but execute only what somebody may.
  expect_refused(folder.path("app"),
                 "app is not an executable file; try: chmod u+rx " + folder.path("app"));
}

TEST(check_program, tells_how_to_build_an_ordinary_executable) {
  expect_refused("/proc/self/exe", "is not built for the simulator; try: build it with smpicc");
}

TEST(check_program, refuses_a_script) {
  const test::TemporaryFolder folder;
  io::write_text_file(folder.path("script"),
                      "#!/bin/sh\nexec mpirun ./app\n" + std::string(200, '#'));
  make_executable(folder.path("script"));
  expect_refused(folder.path("script"), "script is a script; try: the MPI program that it starts");
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

  static constexpr const char* simgrids_deadlock =
      "[0.5] x.cpp:1: [ker_engine/CRITICAL] Oops! Deadlock detected, some\n"
      "[0.5] [ker_engine/INFO] 2 actors are still running\n";

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
  expect_says(failed, "ranks 0, 2 are in MPI_Allreduce at 0.500000 s, iteration 7");
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
  run(1, Function::Recv, true, 0.25);
  run(2, Function::Barrier, true, 0.5);
  const auto failed = explain({0, 0}, simgrids_deadlock);
  EXPECT_EQ(failed.exit_code(), 1);
  expect_says(failed, "exact: deadlock, the ranks wait for each other for ever:\n"
                      "  ranks 0, 1 wait in MPI_Recv since 0.250000 to 0.500000 s, iteration 7\n"
                      "  rank 2 waits in MPI_Barrier since 0.500000 s, iteration 7");
  EXPECT_EQ(std::string(failed.what()).find("/INFO]"), std::string::npos) << failed.what();
}

TEST_F(ExplainFailure, tells_who_had_reached_mpi_finalize_in_a_deadlock_and_who_waits_where) {
  run(0, Function::Recv, true, 0.5);
  run(1, Function::Finalize, true, 0.25);
  run(2, Function::Finalize, true, 0.25);
  const auto failed = explain({0, 0}, simgrids_deadlock);
  expect_says(failed, "deadlock, some ranks have reached MPI_Finalize and the others never will:\n"
                      "  rank 0 waits in MPI_Recv since 0.500000 s, iteration 7\n"
                      "  ranks 1, 2 have reached MPI_Finalize at 0.250000 s, iteration 7");
}

TEST_F(ExplainFailure, tells_who_ended_before_mpi_finalize_in_a_deadlock) {
  run(0, Function::Barrier, false, 0.5); // main() has returned
  run(1, Function::Finalize, true, 0.75);
  run(2, Function::Barrier, false, 0.5);
  status.rank(2).state = RankStatus::exited; // with code 0
  const auto failed = explain({0, 0}, simgrids_deadlock);
  EXPECT_EQ(failed.exit_code(), 1);
  expect_says(failed, "rank 0 ended without MPI_Finalize after MPI_Barrier at 0.500000 s");
  expect_says(failed, "rank 1 has reached MPI_Finalize at 0.750000 s");
  expect_says(failed, "rank 2 ended without MPI_Finalize after MPI_Barrier at 0.500000 s");
}

TEST_F(ExplainFailure, does_not_speak_of_iterations_before_a_loop_was_found) {
  run(0, Function::Recv, true, 0.5);
  run(1, Function::Barrier, true, 0.5);
  run(2, Function::Barrier, true, 0.5);
  status.rank(0).iterations = 0;
  status.rank(1).iterations = 0;
  const std::string what = explain({0, 0}, simgrids_deadlock).what();
  EXPECT_NE(what.find("rank 0 waits in MPI_Recv since 0.500000 s\n"), std::string::npos) << what;
  EXPECT_NE(what.find("MPI_Barrier since 0.500000 s, iterations 0 to 7"), std::string::npos)
      << what;
}

TEST_F(ExplainFailure, tells_an_abort_with_code_0_from_a_success) {
  run(0, Function::Barrier, true, 0.5);
  run(1, Function::Barrier, false, 0.5);
  run(2, Function::Barrier, true, 0.5);
  status.rank(1).state = RankStatus::aborted;
  const auto failed = explain({0, 0}, simgrids_deadlock); // as SimGrid calls that, too
  EXPECT_EQ(failed.exit_code(), 1);
  expect_says(failed, "exact: rank 1 called MPI_Abort with code 0:");
}

TEST_F(ExplainFailure, tells_that_ranks_ended_without_mpi_finalize) {
  for (std::size_t rank : {0, 1})
    run(rank, Function::Barrier, false, 0.5);
  status.rank(2).state = RankStatus::finalized;
  const auto failed = explain({0, 0});
  EXPECT_EQ(failed.exit_code(), 1);
  expect_says(failed, "exact: the program ended, but not all ranks have called MPI_Finalize:\n"
                      "  ranks 0, 1 ended without MPI_Finalize after MPI_Barrier at 0.500000 s");
  EXPECT_EQ(std::string(failed.what()).find("rank 2"), std::string::npos) << failed.what();
}

TEST_F(ExplainFailure, tells_a_crash_before_mpi_init) {
  const auto failed = explain({128 + SIGABRT, SIGABRT});
  EXPECT_EQ(failed.exit_code(), 134);
  expect_says(failed, "exact: the program crashed (Aborted) before MPI_Init");
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

TEST_F(ExplainFailure, shows_ranks_in_the_same_place_together_and_a_few_of_many_places) {
  status = StatusFile::create(folder.path("status"), 100);
  for (std::size_t rank = 0; rank < 100; ++rank)
    run(rank, Function::Barrier, true, 1);
  run(50, Function::Recv, true, 1);
  expect_says(explain({3, 0}),
              "\n  ranks 0-49, 51-99 wait in MPI_Barrier since 1.000000 s, iteration 7"
              "\n  rank 50 waits in MPI_Recv since 1.000000 s, iteration 7");
  for (std::size_t rank = 0; rank < 100; ++rank)
    run(rank, static_cast<Function>(static_cast<std::size_t>(Function::Send) + rank), true, 1);
  expect_says(explain({3, 0}), "\n  and 92 more");
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
