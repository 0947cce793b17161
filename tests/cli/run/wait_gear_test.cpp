// --wait-gear on emulated nodes of one core, one rank on each.

#include "run/job.hpp"

#include <gtest/gtest.h>

namespace hypermile::test {
namespace {

using nlohmann::json;

class WaitGear : public testing::TestWithParam<std::string> {
protected:
  [[nodiscard]] static Job job(std::vector<std::string> options) {
    return {.flavour = GetParam(),
            .program = {"long_waits", "25", "4000"},
            .options = std::move(options)};
  }
  /// Of all nodes.
  [[nodiscard]] static double total(const json& report, const char* key) {
    double sum = 0;
    for (const json& node : report.at("nodes"))
      sum += node.at("wait_gear").at(key).get<double>();
    return sum;
  }
  static void expect_that_it_saves(const json& report) {
    for (const json& node : report.at("nodes")) {
      const json& use = node.at("wait_gear");
      EXPECT_TRUE(use.at("set")) << use;
      EXPECT_TRUE(use.at("problem").is_null()) << use;
      EXPECT_GT(use.at("times").get<int>(), 0) << use;
      EXPECT_GT(use.at("gear").get<int>(), 0) << use;
      EXPECT_GT(use.at("estimated_saved_j").get<double>(), 0) << use;
      EXPECT_GE(use.at("late_s").get<double>(), use.at("cost_s").get<double>()) << use;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(mpi, WaitGear, testing::ValuesIn(flavours()),
                         [](const auto& flavour) { return flavour.param; });

TEST_P(WaitGear, saves_energy_in_long_waits_and_changes_no_result) {
  const CommandResult plain = run_plainly(job({}));
  for (const char* const how : {"--wait-gear", "--wait-gear=timer"}) {
    const JobResult result = run_job(job({"--method", "none", "--waiting", "spinning", how}));
    EXPECT_EQ(result.command.exit_code, 0) << result.command.err;
    EXPECT_EQ(result.command.out, plain.out);
    expect_that_it_saves(result.report);
  }
}

TEST_P(WaitGear, comes_on_top_of_chosen_gears) {
  const json report = run_successfully(job({"--waiting", "spinning", "--wait-gear"}));
  EXPECT_FALSE(report.at("decisions").empty());
  expect_that_it_saves(report);
}

TEST_P(WaitGear, is_only_imagined_in_a_dry_run) {
  const json report = run_successfully(job({"--waiting", "spinning", "--wait-gear", "--dry-run"}));
  EXPECT_GT(total(report, "estimated_saved_j"), 0);
  for (const json& node : report.at("nodes"))
    EXPECT_FALSE(node.at("wait_gear").at("set"));
}

TEST_P(WaitGear, is_left_alone_where_it_saves_nothing_and_says_why) {
  const json report = run_successfully(job({"--method", "none", "--wait-gear"}));
  EXPECT_EQ(total(report, "times"), 0);
  EXPECT_NE(report.at("remarks").dump().find("--waiting spinning"), std::string::npos);
}

TEST_P(WaitGear, is_a_variable_too_and_off_by_default) {
  Job by_variable = job({"--method", "none"});
  for (const json& node : run_successfully(by_variable).at("nodes"))
    EXPECT_TRUE(node.at("wait_gear").is_null());
  by_variable.environment = {{"HYPERMILE_WAIT_GEAR", "timer"}, {"HYPERMILE_WAITING", "spinning"}};
  expect_that_it_saves(run_successfully(by_variable));
  by_variable.environment["HYPERMILE_WAIT_GEAR"] = "sometimes";
  const CommandResult refused = run_job(by_variable).command;
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_NE(refused.err.find("HYPERMILE_WAIT_GEAR: 'sometimes' is neither model, timer nor off"),
            std::string::npos)
      << refused.err;
}

TEST_P(WaitGear, refuses_words_that_it_does_not_know) {
  for (const char* const wrong : {"--wait-gear=soon", "--waiting=sleeping"}) {
    const CommandResult refused = run_hypermile({"run", wrong, "--", "true"});
    EXPECT_EQ(refused.exit_code, 2) << refused.err;
  }
}

} // namespace
} // namespace hypermile::test
