#include "compare/results.hpp"

#include "compare/comparison.hpp"
#include "support/temporary_folder.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

namespace hypermile::compare {
namespace {

using nlohmann::json;
using test::contains;

json run_document() {
  return {{"schema", "hypermile/run/1"},
          {"hypermile_version", "0.1.0"},
          {"command", "mpirun -n 2 ./app"},
          {"exit_code", 0},
          {"method", "exact"},
          {"objective", "maxdist"},
          {"max_slowdown", 0.05},
          {"platform", "two.yaml"},
          {"emulated", false},
          {"dry_run", false},
          {"collective_rules", nullptr},
          {"ranks", 2},
          {"time_s", 10.5},
          {"power_caps", json::array()},
          {"energy",
           {{"measured_j", 210.5},
            {"meters", {"1 package"}},
            {"power_table_j", 250.5},
            {"power_assumed", false},
            {"assumed", json::array()},
            {"external", nullptr}}},
          {"plan", nullptr},
          {"taken_by_others", 0.01},
          {"nodes", {{{"name", "n0"}, {"type", "t"}, {"sets_gears_by", "cpufreq"}}}},
          {"ranks_detail", {{{"iterations", 75}}, {{"iterations", 76}}}}};
}

json steer_document() {
  return {{"schema", "hypermile/steer/1"},
          {"hypermile_version", "0.1.0"},
          {"program", "./server"},
          {"exit_code", 0},
          {"reported_progress", true},
          {"bounds",
           {{"power_w", 90},
            {"throughput_per_s", nullptr},
            {"utilisation", nullptr},
            {"deadline_s", nullptr},
            {"energy_j", nullptr},
            {"items", nullptr}}},
          {"backend", "cpufreq"},
          {"power_measured", true},
          {"power_source", "measured: 1 package"},
          {"time_s", 20.0},
          {"items", 1000},
          {"energy_j", 1500.0}};
}

struct Results : testing::Test {
  test::TemporaryFolder folder;

  [[nodiscard]] std::string written(const json& document,
                                    const std::string& name = "a.json") const {
    std::ofstream(folder.path(name)) << document.dump();
    return folder.path(name);
  }
  [[nodiscard]] std::string refusal(const json& document) const {
    try {
      (void)read_results(written(document));
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  /// Names of the facts in which two documents differ.
  [[nodiscard]] std::vector<std::string> differing(const json& a, const json& b) const {
    std::vector<std::string> names;
    const auto of_a = read_results(written(a, "a.json"));
    const auto of_b = read_results(written(b, "b.json"));
    for (const Difference& difference : differences_of({&of_a[0]}, {&of_b[0]}))
      names.push_back(difference.what);
    return names;
  }
};

TEST_F(Results, of_a_run_have_its_time_and_every_energy_that_is_known) {
  const auto runs = read_results(written(run_document()));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].time, Seconds{10.5});
  ASSERT_EQ(runs[0].energies.size(), 2U);
  EXPECT_EQ(runs[0].energies[0].by, EnergyBy::meters);
  EXPECT_EQ(runs[0].energies[0].energy, Joules{210.5});
  EXPECT_EQ(runs[0].energies[1].by, EnergyBy::power_tables);
  EXPECT_EQ(runs[0].source, folder.path("a.json"));
}

TEST_F(Results, of_emulated_nodes_and_of_assumed_power_do_not_look_measured) {
  json emulated = run_document();
  emulated["emulated"] = true;
  emulated["energy"]["power_assumed"] = true;
  const auto energies = read_results(written(emulated))[0].energies;
  EXPECT_EQ(energies.at(0).by, EnergyBy::emulated);
  EXPECT_EQ(energies.at(1).by, EnergyBy::assumed_power);
}

/// What runs differ in has to be told, whatever it is.
TEST_F(Results, of_runs_tell_what_they_differ_in) {
  const std::vector<std::pair<json::json_pointer, json>> changes{
      {"/command"_json_pointer, "mpirun -n 2 ./other"},
      {"/ranks"_json_pointer, 4},
      {"/method"_json_pointer, "alg5"},
      {"/objective"_json_pointer, "edp"},
      {"/max_slowdown"_json_pointer, nullptr},
      {"/platform"_json_pointer, "other.yaml"},
      {"/emulated"_json_pointer, true},
      {"/dry_run"_json_pointer, true},
      {"/collective_rules"_json_pointer, "rules.conf"},
      {"/power_caps"_json_pointer, {{{"kind", "peak"}, {"cap_w", 90}}}},
      {"/energy/meters"_json_pointer, {"2 packages"}},
      {"/energy/assumed"_json_pointer, {"generic"}},
      {"/plan"_json_pointer, {{"origin", "plan.json"}}},
      {"/taken_by_others"_json_pointer, 0.3},
      {"/nodes/0/name"_json_pointer, "n1"},
      {"/nodes/0/type"_json_pointer, "u"},
      {"/nodes/0/sets_gears_by"_json_pointer, nullptr},
      {"/ranks_detail/1/iterations"_json_pointer, 150},
      {"/hypermile_version"_json_pointer, "0.2.0"}};
  for (const auto& [where, value] : changes) {
    json changed = run_document();
    changed[where] = value;
    EXPECT_EQ(differing(run_document(), changed).size(), 1U) << where.to_string();
    EXPECT_EQ(differing(changed, changed).size(), 0U) << where.to_string();
  }
  json quieter = run_document();
  quieter["taken_by_others"] = 0.0;
  EXPECT_TRUE(differing(run_document(), quieter).empty());
}

TEST_F(Results, of_steered_programs_tell_what_they_differ_in) {
  for (const auto& [where, value] : std::vector<std::pair<json::json_pointer, json>>{
           {"/program"_json_pointer, "./other"},
           {"/bounds/power_w"_json_pointer, 80},
           {"/backend"_json_pointer, "cores"},
           {"/items"_json_pointer, 2000},
           {"/power_source"_json_pointer, "assumed: there is no meter"}}) {
    json changed = steer_document();
    changed[where] = value;
    EXPECT_EQ(differing(steer_document(), changed).size(), 1U) << where.to_string();
  }
}

TEST_F(Results, of_steered_programs_say_how_their_energy_is_known) {
  json document = steer_document();
  EXPECT_EQ(read_results(written(document))[0].energies.at(0).by, EnergyBy::meters);
  document["power_measured"] = false;
  document["power_source"] = "assumed: there is no meter";
  EXPECT_EQ(read_results(written(document))[0].energies.at(0).by, EnergyBy::assumed_power);
  document["power_source"] = "estimated for an emulated node";
  EXPECT_EQ(read_results(written(document))[0].energies.at(0).by, EnergyBy::power_tables);
}

TEST_F(Results, of_a_sweep_are_its_rows_and_those_that_failed_are_left_out) {
  const json row{{"program", "cg"},  {"class", "S"},  {"ranks", 4},    {"platform", "p"},
                 {"method", "none"}, {"time_s", 1.5}, {"energy_j", 20}};
  json failed = row;
  failed["method"] = nullptr;
  failed["time_s"] = nullptr;
  const json sweep{{"schema", "hypermile/sweep/1"}, {"rows", {row, failed}}};
  const auto runs = read_results(written(sweep));
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].cell, "cg S, 4 ranks, p");
  EXPECT_EQ(runs[0].energies.at(0).by, EnergyBy::simulation);
  const json nothing{{"schema", "hypermile/sweep/1"}, {"rows", {failed}}};
  EXPECT_TRUE(contains(refusal(nothing), "has no run that was done"));
}

TEST_F(Results, that_cannot_be_understood_are_refused_by_file_and_key) {
  const json whole = run_document();
  for (const auto& [key, value] : whole.items()) {
    if (key == "hypermile_version") // older versions did not tell it
      continue;
    json without = run_document();
    without.erase(key);
    EXPECT_TRUE(contains(refusal(without), key)) << key << ": " << refusal(without);
    EXPECT_TRUE(contains(refusal(without), folder.path("a.json"))) << refusal(without);
  }
  json odd = run_document();
  odd["time_s"] = 0;
  EXPECT_TRUE(contains(refusal(odd), "only what took some time")) << refusal(odd);
  odd = steer_document();
  odd["reported_progress"] = false;
  EXPECT_TRUE(contains(refusal(odd), "was not steered")) << refusal(odd);
  odd = {{"schema", "hypermile/plan/1"}};
  EXPECT_TRUE(contains(refusal(odd), "has no time and energy of runs")) << refusal(odd);
  EXPECT_TRUE(contains(refusal(json::array()), "a.json")) << refusal(json::array());
}

} // namespace
} // namespace hypermile::compare
