#include "report/job_json.hpp"

#include "report/jobs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <iterator>

namespace hypermile::report {
namespace {

using nlohmann::json;
using test::job;
using test::job_choice;
using test::job_in_gear0;
using test::job_in_gears;
using Texts = std::vector<std::string>;

json json_of(const Job& j) { return json::parse(job_json(j)); }

Texts keys_of(const json& object) {
  Texts keys;
  for (const auto& [key, value] : object.items())
    keys.push_back(key);
  return keys; // sorted
}

/// Everything is known of it.
Job complete() {
  Job j = job(job_in_gears());
  j.settings.platform = "two.yaml";
  j.settings.max_slowdown = 0.05;
  for (const std::size_t rank : {0U, 2U}) {
    j.run.ranks[rank].energy = Joules{80};
    j.run.ranks[rank].access->meter = "1 package";
  }
  j.run.ranks[0].stolen = Seconds{0.5};
  j.run.ranks[1].stolen = Seconds{0.1};
  j.run.decisions[0].gap = 0.25;
  j.run.decisions[0].measured_time_ratio = 1.25;
  j.baseline = job_in_gear0();
  j.external = Job::External{Joules{300}, 0.5, "power.csv"};
  j.remarks = {"a remark"};
  return j;
}

TEST(json, of_a_job_has_every_figure) {
  const json report = json_of(complete());
  EXPECT_EQ(report.at("schema"), "hypermile/run/1");
  EXPECT_EQ(report.at("command"), "mpirun -n 4 ./app");
  EXPECT_EQ(report.at("exit_code"), 0);
  EXPECT_EQ(report.at("method"), "exact");
  EXPECT_EQ(report.at("objective"), "maxdist");
  EXPECT_EQ(report.at("max_slowdown"), 0.05);
  EXPECT_EQ(report.at("platform"), "two.yaml");
  EXPECT_EQ(report.at("emulated"), false);
  EXPECT_EQ(report.at("dry_run"), false);
  EXPECT_EQ(report.at("ranks"), 4);
  EXPECT_EQ(report.at("time_s"), 10);
  EXPECT_EQ(report.at("gears_in_effect"), true);
  EXPECT_DOUBLE_EQ(report.at("predicted").at("time_ratio"), 1.25);
  EXPECT_DOUBLE_EQ(report.at("predicted").at("energy_ratio"), 0.8);
  EXPECT_DOUBLE_EQ(report.at("measured").at("time_ratio"), 1.2);
  EXPECT_DOUBLE_EQ(report.at("measured").at("energy_ratio"), (64 + 33) * 1.4 / (2 * 84));
  EXPECT_DOUBLE_EQ(report.at("whole_run").at("time_ratio"), 10 / (8.6 - 0.0044));
  EXPECT_DOUBLE_EQ(report.at("whole_run").at("energy_ratio"), 186 / 214.5);
  EXPECT_DOUBLE_EQ(report.at("taken_by_others"), 0.03);
  EXPECT_DOUBLE_EQ(report.at("ranks_detail").at(0).at("taken_by_others_s"), 0.5);
  EXPECT_TRUE(report.at("ranks_detail").at(2).at("taken_by_others_s").is_null());
  EXPECT_DOUBLE_EQ(report.at("overhead_s"), 0.004);
  EXPECT_DOUBLE_EQ(report.at("estimated_call_overhead_s"), 0.0004);
  EXPECT_NEAR(report.at("own_time_percent"), 100 * (10 / (10 - 0.0044) - 1), 1e-9);
  EXPECT_EQ(report.at("remarks"), json({"a remark"}));
}

TEST(json, of_energy_tells_what_it_rests_on) {
  const json energy = json_of(complete()).at("energy");
  EXPECT_EQ(energy.at("measured_j"), 160);
  EXPECT_EQ(energy.at("meters"), json({"1 package on each of 2 nodes"}));
  EXPECT_DOUBLE_EQ(energy.at("power_table_j"), 186);
  EXPECT_EQ(energy.at("power_assumed"), false);
  EXPECT_EQ(energy.at("external").at("energy_j"), 300);
  EXPECT_EQ(energy.at("external").at("coverage"), 0.5);
  EXPECT_EQ(energy.at("external").at("source"), "power.csv");
}

TEST(json, of_a_baseline_tells_what_its_energy_rests_on) {
  Job j = complete();
  const json baseline = json_of(j).at("baseline");
  EXPECT_EQ(baseline.at("time_s"), 10);
  EXPECT_EQ(baseline.at("energy_j"), 240);
  EXPECT_EQ(baseline.at("energy_by"), "power tables");
  EXPECT_EQ(baseline.at("against_it").at("time_ratio"), 1);
  EXPECT_DOUBLE_EQ(baseline.at("against_it").at("energy_ratio"), 186.0 / 240);
  j.baseline->ranks[0].energy = j.baseline->ranks[2].energy = Joules{100};
  EXPECT_EQ(json_of(j).at("baseline").at("energy_by"), "meters");
  j.baseline->ranks[0].energy.reset();
  j.external->coverage = 1;
  j.baseline_external = j.external;
  EXPECT_EQ(json_of(j).at("baseline").at("energy_by"), "external");
}

TEST(json, of_nodes_is_in_the_order_of_their_ranks) {
  const json nodes = json_of(complete()).at("nodes");
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].at("name"), "a");
  EXPECT_EQ(nodes[1].at("name"), "b");
  EXPECT_EQ(nodes[1].at("type"), "two-gears");
  EXPECT_EQ(nodes[1].at("sets_gears_by"), "cpufreq");
  EXPECT_EQ(nodes[1].at("meter"), "1 package");
  EXPECT_EQ(nodes[1].at("energy_j"), 80);
  EXPECT_EQ(nodes[1].at("power_assumed"), false);
  EXPECT_EQ(nodes[1].at("gear"), 1);
  EXPECT_EQ(nodes[1].at("frequency_ghz"), 1);
  EXPECT_EQ(nodes[1].at("gears"), 2);
}

TEST(json, of_ranks_has_what_each_did) {
  const json ranks = json_of(complete()).at("ranks_detail");
  ASSERT_EQ(ranks.size(), 4U);
  EXPECT_EQ(ranks[2], json({{"rank", 2},
                            {"node", "b"},
                            {"time_s", 10},
                            {"computation_s", 6.5},
                            {"communication_s", 3.5},
                            {"mpi_calls", 160},
                            {"iterations", 140},
                            {"loop_first_iteration_s", 1},
                            {"loop_s", 8},
                            {"overhead_s", 0.003},
                            {"estimated_call_overhead_s", 0.0001 * 3},
                            {"unwatched_s", 0},
                            {"taken_by_others_s", nullptr}}));
}

TEST(json, of_a_choice_has_what_was_predicted_and_when_it_was_set) {
  const json decisions = json_of(complete()).at("decisions");
  ASSERT_EQ(decisions.size(), 1U);
  const json& decision = decisions[0];
  EXPECT_EQ(decision.at("nodes"), json({"a", "b"}));
  EXPECT_EQ(decision.at("gears"), json({0, 1}));
  EXPECT_EQ(decision.at("time_model"), "cluster");
  EXPECT_EQ(decision.at("iteration_time_s"), 0.05);
  EXPECT_EQ(decision.at("iteration_energy_j"), 1);
  EXPECT_EQ(decision.at("predicted_iteration_time_s"), 0.0625);
  EXPECT_EQ(decision.at("predicted_iteration_energy_j"), 0.8);
  EXPECT_EQ(decision.at("predicted_distance_points"), 0);
  EXPECT_EQ(decision.at("certificate").at("kind"), "bound");
  EXPECT_EQ(decision.at("certificate").at("gap"), 0.25);
  EXPECT_EQ(decision.at("measured_time_ratio"), 1.25);
  EXPECT_EQ(decision.at("declined"), "");
  EXPECT_EQ(decision.at("stepped_back"), "");
  EXPECT_TRUE(decision.at("misfit").is_null());
  EXPECT_EQ(decision.at("set"), json::parse(R"([
      {"node": "a", "time_s": 3.0, "gear": 0, "in_effect": true, "away_s": 0.0},
      {"node": "b", "time_s": 3.0, "gear": 1, "in_effect": true, "away_s": 0.0}])"));
}

TEST(json, of_a_choice_that_came_to_nothing_says_why) {
  Job j = complete();
  auto& decision = j.run.decisions[0];
  decision.declined = "not worth it";
  decision.stepped_back = "it took too long";
  decision.measured_time_ratio.reset();
  decision.misfit = {Seconds{3}, 1.5, 0.9};
  j.run.ranks[2].changes[0].in_effect = false;
  j.run.ranks[2].changes[0].away = Seconds{2.5};
  const json told = json_of(j).at("decisions").at(0);
  EXPECT_EQ(told.at("declined"), "not worth it");
  EXPECT_EQ(told.at("stepped_back"), "it took too long");
  EXPECT_TRUE(told.at("measured_time_ratio").is_null());
  EXPECT_EQ(told.at("misfit"), json({{"time_s", 3}, {"time_ratio", 1.5}, {"energy_ratio", 0.9}}));
  EXPECT_EQ(told.at("set").at(1).at("in_effect"), false);
  EXPECT_EQ(told.at("set").at(1).at("away_s"), 2.5);
}

TEST(json, of_a_choice_does_not_tell_as_measured_that_its_gears_made_the_program_faster) {
  Job j = complete();
  j.run.decisions[0].measured_time_ratio = 0.22;
  EXPECT_TRUE(json_of(j).at("decisions").at(0).at("measured_time_ratio").is_null());
  j.run.decisions[0].measured_time_ratio = 0.98; // as noisy as that may be
  EXPECT_EQ(json_of(j).at("decisions").at(0).at("measured_time_ratio"), 0.98);
}

TEST(json, of_a_choice_that_reached_nobody_has_an_empty_list) {
  Job j = complete();
  for (auto& rank : j.run.ranks)
    rank.changes.clear();
  EXPECT_EQ(json_of(j).at("decisions").at(0).at("set"), json::array());
}

/// Nothing is known of it.
Job bare() {
  Job j = job(job_in_gear0());
  j.command.clear();
  j.exit_code.reset();
  for (auto& rank : j.run.ranks) {
    rank.access.reset();
    rank.node.type.power.assign(2, {});
    rank.node.type.frequencies_known = false;
  }
  return j;
}

TEST(json, has_null_for_what_is_not_known) {
  const json report = json_of(bare());
  for (const char* const key :
       {"exit_code", "max_slowdown", "predicted", "measured", "whole_run", "baseline"})
    EXPECT_TRUE(report.at(key).is_null()) << key;
  for (const char* const key : {"measured_j", "power_table_j", "external"})
    EXPECT_TRUE(report.at("energy").at(key).is_null()) << key;
  for (const char* const key : {"sets_gears_by", "meter", "energy_j", "frequency_ghz"})
    EXPECT_TRUE(report.at("nodes").at(0).at(key).is_null()) << key;
  for (const char* const key : {"remarks", "decisions"})
    EXPECT_EQ(report.at(key), json::array()) << key;
}

TEST(json, has_null_for_the_energy_of_a_ratio_that_is_not_known) {
  Job j = complete();
  j.settings.meter = "none";
  const json report = json_of(j);
  EXPECT_TRUE(report.at("measured").at("energy_ratio").is_null());
  EXPECT_TRUE(report.at("baseline").at("energy_j").is_null());
  EXPECT_TRUE(report.at("baseline").at("energy_by").is_null());
  EXPECT_TRUE(report.at("baseline").at("against_it").at("energy_ratio").is_null());
}

TEST(json, has_the_same_keys_whatever_is_known) {
  const json full = json_of(complete());
  const json empty = json_of(bare());
  EXPECT_EQ(keys_of(full), keys_of(empty));
  EXPECT_EQ(keys_of(full.at("energy")), keys_of(empty.at("energy")));
  EXPECT_EQ(keys_of(full.at("nodes").at(0)), keys_of(empty.at("nodes").at(0)));
  EXPECT_EQ(keys_of(json_of(job({}))), keys_of(full));
}

TEST(json, survives_names_that_are_not_utf_8) {
  Job j = complete();
  j.command = "./app \xff";
  EXPECT_EQ(json_of(j).at("command"), "./app \xef\xbf\xbd");
}

TEST(json, has_no_key_that_is_not_documented) {
  std::ifstream file(HYPERMILE_SOURCE_DIR "/docs/run-json.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::function<void(const json&)> look = [&](const json& value) {
    for (const auto& [key, inner] : value.items()) {
      if (value.is_object()) {
        EXPECT_NE(page.find("`" + key + "`"), std::string::npos) << key;
      }
      if (inner.is_structured())
        look(inner);
    }
  };
  look(json_of(complete()));
}

} // namespace
} // namespace hypermile::report
