// `run --record` with jobs of real MPIs.

#include "replay/recorded_run.hpp"
#include "run/job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace hypermile::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class RecordingJobs : public testing::TestWithParam<std::string> {
protected:
  [[nodiscard]] Job job(const std::vector<std::string>& program, int ranks = 2) const {
    return {
        .flavour = GetParam(), .ranks = ranks, .program = program, .options = {"--record", file()}};
  }
  [[nodiscard]] std::string file() const { return folder_.path("run.hmr"); }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(fs::path(file()).parent_path()))
      names.push_back(entry.path().filename());
    return names;
  }

  TemporaryFolder folder_;
};

std::size_t calls(const model::RankTimeline& rank) {
  return static_cast<std::size_t>(std::ranges::count(
      rank.events, 1U, [](const model::Event& event) { return std::uint32_t{event.ends_call}; }));
}

TEST_P(RecordingJobs, keeps_each_call_and_all_computation_of_each_rank) {
  const json report = run_successfully(job({"c_loop", "30", "300"}, 3));
  const auto run = replay::read_recorded_run(file());
  EXPECT_EQ(replay::why_not_repeatable(run), "");
  EXPECT_NE(run.program.find("c_loop 30 300"), std::string::npos) << run.program;
  EXPECT_NE(run.platform, ""); // the emulated one, which says how fast its nodes are
  ASSERT_EQ(run.timeline.ranks.size(), 3U);
  for (std::size_t r = 0; r < 3; ++r) {
    const model::RankTimeline& rank = run.timeline.ranks[r];
    const json& told = report["ranks_detail"][r];
    EXPECT_EQ(run.nodes[r], told["node"]);
    EXPECT_EQ(calls(rank), told["mpi_calls"]);
    const Work all = std::accumulate(rank.work.begin(), rank.work.end(), Work{});
    const double computed = told["computation_s"];
    EXPECT_NEAR((all / run.speeds[r]).value(), computed, 0.01 * computed);
  }
}

TEST_P(RecordingJobs, leaves_gears_as_they_are) {
  const json report = run_successfully(job({"c_loop", "60", "300"}));
  EXPECT_TRUE(report["decisions"].empty());
}

TEST_P(RecordingJobs, keeps_an_earlier_file_where_the_job_fails) {
  std::ofstream(file()) << "earlier";
  const JobResult result = run_job(job({"ending", "abort"}));
  EXPECT_NE(result.command.exit_code, 0);
  EXPECT_EQ(files(), std::vector<std::string>{"run.hmr"});
  std::string text;
  std::ifstream(file()) >> text;
  EXPECT_EQ(text, "earlier");
}

TEST_P(RecordingJobs, that_cannot_be_written_are_an_error_and_the_job_goes_on) {
  Job unwritable = job({"c_loop", "5", "300"});
  unwritable.options[1] = folder_.path("none/run.hmr");
  const JobResult result = run_job(unwritable);
  EXPECT_EQ(result.command.exit_code, 1);
  EXPECT_NE(result.command.err.find("the run was not recorded: "), std::string::npos)
      << result.command.err;
  EXPECT_FALSE(result.report.is_null());
}

TEST_P(RecordingJobs, that_cannot_be_repeated_are_called_so) {
  const JobResult result = run_job(job({"one_sided"}));
  EXPECT_EQ(result.command.exit_code, 1);
  EXPECT_NE(result.command.err.find("run.hmr cannot be repeated: "), std::string::npos)
      << result.command.err;
}

INSTANTIATE_TEST_SUITE_P(Mpi, RecordingJobs, testing::ValuesIn(flavours()),
                         [](const auto& of) { return of.param; });

} // namespace
} // namespace hypermile::test
