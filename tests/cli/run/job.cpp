#include "run/job.hpp"

#include "support/processes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace hypermile::test {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

std::vector<std::string> words_of(const Job& job) {
  std::vector<std::string> program = job.program;
  program[0] = mpi_program(job.flavour, program[0]);
  return mpirun(job.flavour, job.ranks, program);
}

std::map<std::string, std::string> environment_of(const Job& job, const std::string& folder) {
  auto environment = job_environment(folder);
  environment.insert(job.environment.begin(), job.environment.end());
  return environment;
}

} // namespace

void expect_nothing_left(const std::string& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    EXPECT_FALSE(entry.path().filename().string().starts_with("hypermile")) << entry;
  // What mpirun has told to end may be a little later than mpirun.
  std::vector<std::string> left;
  for (int i = 0; i < 100; ++i) {
    left = processes_started_with("TMPDIR=" + folder);
    if (left.empty())
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  ADD_FAILURE() << "still running: " << left.front();
}

std::vector<std::string> flavours() { return {HYPERMILE_TEST_FLAVOURS}; }

std::string mpi_program(const std::string& flavour, const std::string& name) {
  return HYPERMILE_BINARY_DIR "/tests/programs/" + flavour + "/" + name;
}

std::vector<std::string> mpirun(const std::string& flavour, int ranks,
                                const std::vector<std::string>& program) {
  std::vector<std::string> words{"mpirun." + flavour};
  if (flavour == "openmpi")
    words.emplace_back("--oversubscribe");
  words.insert(words.end(), {"-n", std::to_string(ranks)});
  words.insert(words.end(), program.begin(), program.end());
  return words;
}

std::map<std::string, std::string> job_environment(const std::string& folder) {
  return {{"TMPDIR", folder},
          {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
          {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
          {"OMPI_MCA_mpi_yield_when_idle", "1"}};
}

JobResult run_job(const Job& job) {
  const TemporaryFolder temporary;
  const TemporaryFolder out;
  const std::string report = out.path("report.json");
  std::vector<std::string> words{"run",       "--backend", "emulated", "--platform",
                                 "table-3.1", "--json",    "-o",       report};
  const bool names_bound = std::ranges::find(job.options, "--max-slowdown") != job.options.end() ||
                           job.environment.contains("HYPERMILE_MAX_SLOWDOWN");
  if (!names_bound)
    words.insert(words.end(), {"--max-slowdown", "none"});
  words.insert(words.end(), job.options.begin(), job.options.end());
  words.emplace_back("--");
  std::ranges::copy(words_of(job), std::back_inserter(words));
  JobResult result{RunningCommand(words, "", environment_of(job, temporary.path())).wait(), {}};
  expect_nothing_left(temporary.path());
  if (fs::exists(report))
    result.report = json::parse(std::ifstream(report), nullptr, false);
  return result;
}

json run_successfully(const Job& job) {
  JobResult result = run_job(job);
  EXPECT_EQ(result.command.exit_code, 0) << result.command.err;
  EXPECT_TRUE(result.report.is_object()) << result.command.err;
  return std::move(result.report);
}

CommandResult run_plainly(const Job& job) {
  const TemporaryFolder temporary;
  std::string line;
  for (const std::string& word : words_of(job))
    line += "'" + word + "' ";
  return RunningCommand::shell("exec " + line, environment_of(job, temporary.path())).wait();
}

} // namespace hypermile::test
