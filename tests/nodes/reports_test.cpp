// What a job over two nodes sets and reports.

#include "nodes/job_on_nodes.hpp"

#include <fmt/format.h>

#include <signal.h>

namespace hypermile::test {
namespace {

using nlohmann::json;

class NodesReport : public JobOnNodes {
protected:
  static json node(const json& report, const std::string& name) {
    for (const json& node : report.at("nodes"))
      if (node.at("name") == name)
        return node;
    return {};
  }

  static bool has_remark(const json& report, const std::string& text) {
    for (const json& remark : report.at("remarks"))
      if (remark.get<std::string>().find(text) != std::string::npos)
        return true;
    return false;
  }
};

INSTANTIATE_TEST_SUITE_P(mpi, NodesReport, testing::Values(HYPERMILE_TEST_FLAVOURS),
                         [](const auto& flavour) { return flavour.param; });

TEST_P(NodesReport, names_both_nodes_with_their_gears_and_types) {
  start(job(500), "--platform /run/node/platform.yaml --gears 3,3");
  wait_for_gears();
  const CommandResult result = wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(n1.is_as_before());
  EXPECT_TRUE(n2.is_as_before());
  const json report = this->report();
  ASSERT_TRUE(report.is_object()) << result.err;
  EXPECT_EQ(node(report, "n1").at("type"), "slow");
  EXPECT_EQ(node(report, "n2").at("type"), "fast");
  for (const json& one : report.at("nodes")) {
    EXPECT_EQ(one.at("sets_gears_by"), "cpufreq");
    EXPECT_FALSE(one.at("power_assumed"));
  }
  EXPECT_TRUE(report.at("gears_in_effect"));
  expect_nothing_left();
}

TEST_P(NodesReport, adds_up_what_the_meters_of_both_measure) {
  const FakePowercap of_n1(n1.sysfs().root());
  const FakePowercap of_n2(n2.sysfs().root());
  of_n1.zone("intel-rapl:0", "package-0");
  of_n1.zone("intel-rapl:1", "package-1");
  of_n2.zone("intel-rapl:0", "package-0");
  start(job(400), "--gears 3,3");
  wait_for_gears(); // the meters have been read by then
  of_n1.count("intel-rapl:0", 1'000'000);
  of_n1.count("intel-rapl:1", 2'000'000);
  of_n2.count("intel-rapl:0", 4'000'000);
  const CommandResult result = wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  ASSERT_TRUE(report().is_object()) << result.err;
  EXPECT_EQ(report().at("energy").at("measured_j"), 7);
  EXPECT_EQ(report().at("energy").at("meters"), json({"1 package on n2", "2 packages on n1"}));
}

TEST_P(NodesReport, says_which_of_the_nodes_may_not_be_set) {
  const std::string root = n2.sysfs().root();
  const CommandResult mounted =
      n2.shell(fmt::format("mount --bind {0} {0} && mount -o remount,bind,ro {0}", root));
  ASSERT_EQ(mounted.exit_code, 0) << mounted.err;
  start(job(400), "--gears 3,3");
  wait_until("gears are set on n1", [this] { return !n1.is_as_before(); });
  const CommandResult result = wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_restored();
  const json report = this->report();
  ASSERT_TRUE(report.is_object()) << result.err;
  EXPECT_EQ(node(report, "n1").at("sets_gears_by"), "cpufreq");
  EXPECT_TRUE(node(report, "n2").at("sets_gears_by").is_null()) << report;
  EXPECT_EQ(node(report, "n2").at("gear"), 0);
  EXPECT_TRUE(has_remark(report, "n2: no gear is set:")) << report;
  EXPECT_TRUE(has_remark(report, "Read-only file system")) << report;
  EXPECT_FALSE(has_remark(report, "n1:")) << report;
}

TEST_P(NodesReport, comes_from_one_of_the_commands_where_each_node_has_its_own) {
  start_line(fmt::format(
      "exec {} \"$HYPERMILE\" run --gears 3,3 --json -o /run/node/report.json -- {} 300 2000",
      mpirun(), program()));
  wait_for_gears();
  const CommandResult result = wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err.find("no report came"), std::string::npos) << result.err;
  EXPECT_EQ(result.err, "");
  ASSERT_TRUE(report().is_object()) << result.err;
  EXPECT_EQ(report().at("nodes").size(), 2U);
  EXPECT_TRUE(n1.is_as_before());
  EXPECT_TRUE(n2.is_as_before());
  expect_nothing_left();
}

TEST_P(NodesReport, is_written_by_rank_0_where_that_is_not_on_the_node_of_the_command) {
  start(fmt::format("{} {} 300 2000", mpirun("n2,n1"), program()), "--report /run/node/kept");
  const CommandResult result = wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.err.find("2 ranks on 2 nodes"), std::string::npos) << result.err;
  EXPECT_NE(n2.shell("cat /run/node/kept/run.json").err.find("hypermile/run/1"), std::string::npos);
  expect_nothing_left();
}

TEST_P(NodesReport, survives_sigkill_of_the_command) {
  start(job(400), "--gears 3,3 --report /run/node/kept");
  wait_for_gears();
  send(SIGKILL, HYPERMILE_COMMAND);
  EXPECT_EQ(wait().exit_code, 128 + SIGKILL);
  expect_restored();
  expect_nothing_left();
  EXPECT_NE(on_n1("err").find("2 ranks on 2 nodes"), std::string::npos) << on_n1("err");
  const auto kept = json::parse(on_n1("kept/run.json"), nullptr, false);
  ASSERT_TRUE(kept.is_object());
  EXPECT_EQ(kept.at("nodes").size(), 2U);
  EXPECT_TRUE(kept.at("gears_in_effect"));
}

} // namespace
} // namespace hypermile::test
