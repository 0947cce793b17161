// `run --learn`, `plan` and `run --plan` with jobs of real MPIs.

#include "io/text_file.hpp"
#include "learn/memory.hpp"
#include "model/dependency/calls.hpp"
#include "run/job.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace hypermile::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Learning : public testing::TestWithParam<std::string> {
protected:
  /// NAS EP: one long computation, and then a sum.
  [[nodiscard]] Job ep(const std::string& problem) const {
    return {.flavour = GetParam(),
            .ranks = 4,
            .program = {"../../../apps/" + GetParam() + "/ep", "--class", problem},
            .options = {"--learn", memory()}};
  }
  [[nodiscard]] Job loop(const std::string& iterations, std::vector<std::string> options) const {
    return {.flavour = GetParam(),
            .ranks = 4,
            .program = {"c_loop", iterations, "300"},
            .options = std::move(options)};
  }
  [[nodiscard]] std::string memory() const { return folder_.path("memory"); }
  [[nodiscard]] CommandResult plan(const std::vector<std::string>& options) const {
    std::vector<std::string> words{"plan", memory()};
    words.insert(words.end(), options.begin(), options.end());
    return RunningCommand(words).wait();
  }
  /// What became of it, in words.
  static std::string learnt(const json& report) {
    std::string text;
    for (const std::string line : report["learnt"])
      text += line + "\n";
    return text;
  }
  /// The one file that has been learnt.
  [[nodiscard]] std::string file() const {
    for (const auto& entry : fs::directory_iterator(memory()))
      if (entry.path().extension() == ".memory")
        return entry.path();
    return "";
  }

  TemporaryFolder folder_;
};

TEST_P(Learning, sets_gears_from_the_begin_of_the_second_run_of_a_program_without_a_loop) {
  const json first = run_successfully(ep("S"));
  EXPECT_TRUE(first["plan"].is_null());
  EXPECT_NE(learnt(first).find("The next run of this job"), std::string::npos) << learnt(first);

  const auto shown = plan({"ep", "--json"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  const json planned = json::parse(shown.out);
  EXPECT_GT(planned["predicted"]["saving_percent"], 0);
  EXPECT_EQ(planned["ranks"].size(), 4u);

  const auto srun = plan({"ep", "--print-srun"}).out;
  EXPECT_NE(srun.find("\nsrun --nodes="), std::string::npos) << srun; // after the types of nodes
  EXPECT_NE(srun.find("/ep --class S"), std::string::npos) << srun;   // with its folder

  const json second = run_successfully(ep("S"));
  EXPECT_EQ(second["plan"]["runs"], 1);
  // Where others stretch its computation, it is not the run that was planned.
  EXPECT_TRUE(second["gears_in_effect"] == true || second["plan"]["departed"].is_string())
      << second;
  EXPECT_LT(second["plan"]["predicted"]["energy_ratio"], 1);
  EXPECT_NE(learnt(second).find("memory"), std::string::npos);

  const json other = run_successfully(ep("W"));
  EXPECT_TRUE(other["plan"].is_null());
  EXPECT_NE(learnt(other).find("1 job of this program, with other arguments"), std::string::npos)
      << learnt(other);
}

/// hypermile's own time on a rank is not in its recording, but its clock went on: nobody leaves an
/// operation of all before the last one came. Shorter pauses than 10 us are not recorded.
TEST_P(Learning, records_when_ranks_came_and_left_though_some_choose_meanwhile) {
  const json report = run_successfully(loop("400", {"--learn", memory()}));
  ASSERT_GE(report["decisions"].size(), 3u);
  const learn::Memory memory = learn::parse_memory(io::read_text_file(file()), file());
  model::Timeline timeline{.functions = memory.functions, .ranks = {}};
  for (const runtime::RankReport& rank : memory.ranks)
    timeline.ranks.push_back(rank.lesson->timeline);
  const model::dependency::Matching matching(timeline);
  const model::dependency::Calls calls(matching);
  std::size_t checked = 0;
  for (const auto& collective : matching.collectives()) {
    if (matching.operation(collective.arrivals.front()).shape != model::Shape::all ||
        collective.arrivals.size() < timeline.ranks.size())
      continue;
    Seconds last;
    for (const auto arrival : collective.arrivals)
      last = std::max(last, calls.entered(arrival));
    for (const auto arrival : collective.arrivals) {
      EXPECT_GT(calls.left(arrival).value(), last.value() - 50e-6);
      ++checked;
    }
  }
  EXPECT_GE(checked, 100u);
}

TEST_P(Learning, leaves_the_plan_when_the_run_is_another_one) {
  (void)run_successfully(loop("60", {"--learn", memory()}));
  const std::string file = folder_.path("plan.json");
  ASSERT_EQ(plan({"-o", file}).exit_code, 0);
  json plan = json::parse(std::ifstream(file));
  plan["arguments"] = {"400", "300"}; // it is for a shorter run
  for (json& rank : plan["ranks"])
    rank["gear"] = 1;
  std::ofstream(file) << plan;
  const json report = run_successfully(loop("400", {"--plan", file}));
  EXPECT_FALSE(report["plan"]["departed"].is_null()) << report;
  EXPECT_FALSE(report["decisions"].empty());
}

TEST_P(Learning, runs_the_job_and_says_so_where_the_plan_is_for_another_one) {
  (void)run_successfully(loop("60", {"--learn", memory()}));
  const std::string file = folder_.path("plan.json");
  ASSERT_EQ(plan({"-o", file}).exit_code, 0);
  const json report = run_successfully(loop("61", {"--plan", file}));
  EXPECT_TRUE(report["plan"].is_null());
  EXPECT_NE(learnt(report).find("c_loop 60 300"), std::string::npos) << learnt(report);
}

TEST_P(Learning, runs_the_job_and_says_so_where_the_memory_is_damaged) {
  (void)run_successfully(loop("60", {"--learn", memory()}));
  fs::resize_file(file(), fs::file_size(file()) / 2);
  const auto shown = plan({});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_NE(shown.err.find(file()), std::string::npos) << shown.err;
  const json report = run_successfully(loop("60", {"--learn", memory()}));
  EXPECT_TRUE(report["plan"].is_null());
  EXPECT_NE(learnt(report).find(file()), std::string::npos) << learnt(report);
  EXPECT_EQ(plan({}).exit_code, 0); // it has been replaced
}

TEST_P(Learning, runs_the_job_where_the_folder_cannot_be_made) {
  const json report = run_successfully(loop("60", {"--learn", "/proc/none/here"}));
  EXPECT_NE(learnt(report).find("This run was not remembered"), std::string::npos)
      << learnt(report);
}

INSTANTIATE_TEST_SUITE_P(real_mpi, Learning, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param; });

TEST(plan, names_the_jobs_that_there_are) {
  const TemporaryFolder folder;
  const auto none = RunningCommand({"plan", folder.path()}).wait();
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_NE(none.err.find("knows of no job"), std::string::npos) << none.err;
  EXPECT_EQ(RunningCommand({"plan", folder.path("none")}).wait().exit_code, 1);
  EXPECT_EQ(RunningCommand({"plan"}).wait().exit_code, 2);
}

} // namespace
} // namespace hypermile::test
