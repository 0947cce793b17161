#pragma once

#include "support/command_line.hpp"
#include "support/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace hypermile::test {

/// Names of the MPIs that there are: openmpi, mpich.
std::vector<std::string> flavours();

/// A program of the tests, as built for that MPI.
std::string mpi_program(const std::string& flavour, const std::string& name);

/// The command that starts a job of that MPI: mpirun and its options, then `program`.
std::vector<std::string> mpirun(const std::string& flavour, int ranks,
                                const std::vector<std::string>& program);

/// What both MPIs need of the environment to run a job of any user in TMPDIR `folder`.
std::map<std::string, std::string> job_environment(const std::string& folder);

/// Fails the test if there is anything of hypermile's in that TMPDIR, or anything still running
/// that was given it.
void expect_nothing_left(const std::string& folder);

/// A job under `hypermile run --backend emulated`, and its report.
struct Job {
  std::string flavour;
  int ranks = 2;
  std::vector<std::string> program; ///< name of a test program, arguments
  std::vector<std::string> options{};
  std::map<std::string, std::string> environment{};
};

struct JobResult {
  CommandResult command;
  nlohmann::json report; ///< null: there is none
};

/// Runs it; fails the test if anything is left in TMPDIR or running.
JobResult run_job(const Job& job);

/// The same; fails the test unless there is a report of a job that succeeded.
nlohmann::json run_successfully(const Job& job);

/// The job without hypermile.
CommandResult run_plainly(const Job& job);

} // namespace hypermile::test
