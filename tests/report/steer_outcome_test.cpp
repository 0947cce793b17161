#include "report/steer_outcome.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace hypermile::report {
namespace {

using nlohmann::json;
using test::expect_part;
using Texts = std::vector<std::string>;

session::Outcome outcome() {
  session::Outcome one;
  one.exit_code = 3;
  one.result = {.time = Seconds{100},
                .steady = Seconds{80},
                .kept = Seconds{76},
                .calibrating = Seconds{4.5},
                .items = 12345,
                .energy = Joules{5000},
                .reported = true,
                .configuration = 1};
  one.account.calibrations = 2;
  one.account.phases = 2;
  one.account.phase_changes = 3;
  one.account.arrival_changes = 4;
  one.bounds = {.power = Watts{90}, .throughput = Rate{200}};
  one.configuration = "4 cores, 2.40 GHz";
  one.backend = "cpufreq";
  one.measures = "2 packages, 2 DRAM";
  return one;
}

Texts all_keys(const json& object) {
  Texts keys;
  for (const auto& [key, value] : object.items())
    keys.push_back(key);
  return keys; // sorted
}

TEST(steer_text, says_what_came_of_it) {
  EXPECT_EQ(steer_text("./server --port 80", outcome()),
            "./server --port 80\n"
            "  bounds        at most 90 W, at least 200 items/s\n"
            "  steered for   100.0 s, by cores and gears (cpufreq)\n"
            "  done          12345 items, 123.5/s\n"
            "  energy        5000 J, 50 W on average (measured: 2 packages, 2 DRAM)\n"
            "  bounds kept   95.0 % of 80.0 s in the steady state\n"
            "  calibrations  2, 4.5 s; 2 phases, 3 changes of phase, 4 of arrivals\n"
            "  at the end    4 cores, 2.40 GHz\n");
}

TEST(steer_text, never_shows_assumed_or_estimated_energy_as_measured) {
  session::Outcome one = outcome();
  one.measures = "";
  one.backend = "cores";
  std::string text = steer_text("./server", one);
  expect_part(text, "(assumed: there is no meter)");
  expect_part(text, "by cores alone");
  one.measures = "emulated";
  text += steer_text("./server", one);
  expect_part(text, "(estimated for an emulated node)");
  EXPECT_EQ(text.find("measured"), std::string::npos);
}

TEST(steer_text, says_that_no_configuration_keeps_the_bounds) {
  session::Outcome one = outcome();
  one.account.keeps_bounds = false;
  expect_part(steer_text("./server", one), "which misses the bounds: none keeps them");
}

TEST(steer_text, of_a_program_that_reported_nothing_has_no_figures) {
  session::Outcome one = outcome();
  one.result = {};
  EXPECT_EQ(steer_text("./server", one),
            "./server\n"
            "  bounds        at most 90 W, at least 200 items/s\n"
            "  result        the program has reported no progress, and was not steered\n");
}

TEST(steer_text, of_a_run_without_time_has_no_nonsense) {
  session::Outcome one = outcome();
  one.result = {};
  one.result.reported = true;
  const std::string text = steer_text("./server", one);
  for (const char* const nonsense : {"nan", "inf"})
    EXPECT_EQ(text.find(nonsense), std::string::npos) << text;
}

TEST(steer_text, names_all_bounds) {
  session::Outcome one = outcome();
  one.bounds = {.utilisation = 0.9, .deadline = Seconds{7200}, .energy = Joules{5e6}, .items = 1e6};
  const std::string text = steer_text("./render", one);
  expect_part(text, "at most 90 % utilisation");
  expect_part(text, "1e+06 items in 7200 s");
  expect_part(text, "1e+06 items\n                with 5e+06 J");
  one.bounds = {};
  expect_part(steer_text("./render", one), "bounds        none\n");
}

/// But for the command, which is the user's.
TEST(steer_text, fits_a_terminal) {
  session::Outcome one = outcome();
  one.bounds = {.power = Watts{123.456},
                .throughput = Rate{123456.7},
                .deadline = Seconds{7200},
                .energy = Joules{5e6},
                .items = 1e6};
  one.result.time = Seconds{1234567};
  one.result.items = 1.23456e12;
  one.result.energy = Joules{1.2345e9};
  one.account = {
      .calibrations = 123, .phases = 123, .phase_changes = 1234, .arrival_changes = 1234};
  one.account.keeps_bounds = false;
  one.configuration = "124 cores, 2.40 GHz, interleaved";
  one.measures = "2 packages, 2 DRAM, of a machine that has four of everything";
  std::istringstream lines(steer_text("./server", one));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80U) << line;
}

TEST(steer_json, has_every_figure) {
  const json report = json::parse(steer_json("./server", outcome()));
  EXPECT_EQ(report.at("schema"), "hypermile/steer/1");
  EXPECT_TRUE(report.at("hypermile_version").is_string());
  EXPECT_EQ(report.at("program"), "./server");
  EXPECT_EQ(report.at("exit_code"), 3);
  EXPECT_EQ(report.at("reported_progress"), true);
  EXPECT_EQ(report.at("bounds").at("power_w"), 90);
  EXPECT_EQ(report.at("bounds").at("throughput_per_s"), 200);
  for (const char* const none : {"utilisation", "deadline_s", "energy_j", "items"})
    EXPECT_TRUE(report.at("bounds").at(none).is_null()) << none;
  EXPECT_EQ(report.at("backend"), "cpufreq");
  EXPECT_EQ(report.at("power_measured"), true);
  EXPECT_EQ(report.at("power_source"), "measured: 2 packages, 2 DRAM");
  EXPECT_EQ(report.at("time_s"), 100);
  EXPECT_EQ(report.at("items"), 12345);
  EXPECT_EQ(report.at("energy_j"), 5000);
  EXPECT_EQ(report.at("steady_s"), 80);
  EXPECT_EQ(report.at("bounds_kept_s"), 76);
  EXPECT_EQ(report.at("calibrating_s"), 4.5);
  EXPECT_EQ(report.at("calibrations"), 2);
  EXPECT_EQ(report.at("phases"), 2);
  EXPECT_EQ(report.at("phase_changes"), 3);
  EXPECT_EQ(report.at("arrival_changes"), 4);
  EXPECT_EQ(report.at("keeps_bounds"), true);
  EXPECT_EQ(report.at("configuration"), "4 cores, 2.40 GHz");
  EXPECT_EQ(report.size(), 21U);
}

TEST(steer_json, has_the_same_fields_whatever_happened) {
  session::Outcome nothing;
  EXPECT_EQ(all_keys(json::parse(steer_json("x", nothing))),
            all_keys(json::parse(steer_json("x", outcome()))));
}

TEST(steer_json, never_shows_estimated_energy_as_measured) {
  session::Outcome one = outcome();
  for (const char* const source : {"", "emulated"}) {
    one.measures = source;
    EXPECT_EQ(json::parse(steer_json("x", one)).at("power_measured"), false);
  }
}

TEST(steer_json, has_any_name_of_a_program) {
  const std::string name = "./a \"b\" \n\t\x01";
  EXPECT_EQ(json::parse(steer_json(name, outcome())).at("program"), name);
  EXPECT_TRUE(json::accept(steer_json("./\xff\xfe", outcome()))); // not UTF-8
}

TEST(timeline_json, has_a_sample_for_each_row) {
  const steer::Space space =
      steer::all_configurations({.sockets = 2,
                                 .cores_per_socket = 2,
                                 .gears = model::GearTable({Hertz{2.4e9}, Hertz{1.2e9}})});
  session::Row row{.time = Seconds{12.5}, .length = Seconds{1}, .mode = steer::Mode::choosing};
  row.phase = 1;
  row.configuration = 3;
  row.next = 8;
  row.throughput = Rate{100};
  row.load = 0.5;
  row.power = Watts{42};
  row.decision = "why";
  const json all = json::parse(timeline_json({row, row}, space));
  EXPECT_EQ(all.at("schema"), "hypermile/steer-timeline/1");
  ASSERT_EQ(all.at("samples").size(), 2U);
  const json& sample = all.at("samples")[0];
  EXPECT_EQ(all_keys(sample), (Texts{"arrivals_per_s", "capacity_per_s", "configuration",
                                     "decision", "keeps_bounds", "length_s", "load", "mode", "next",
                                     "phase", "power_w", "throughput_per_s", "time_s"}));
  EXPECT_EQ(sample.at("mode"), "choosing");
  EXPECT_TRUE(sample.at("arrivals_per_s").is_null());
  EXPECT_EQ(sample.at("time_s"), 12.5);
  EXPECT_EQ(sample.at("power_w"), 42);
  EXPECT_EQ(sample.at("decision"), "why");
  for (const auto& [name, index] : {std::pair("configuration", 3U), {"next", 8U}}) {
    const steer::Configuration& one = space[index];
    EXPECT_EQ(sample.at(name).at("cores"), one.cores);
    EXPECT_EQ(sample.at(name).at("frequency_ghz"), one.gear == 0 ? 2.4 : 1.2);
    EXPECT_EQ(sample.at(name).at("placement"),
              one.placement == model::Placement::linear ? "linear" : "interleaved");
  }
}

TEST(timeline_json, names_no_frequency_that_nobody_knows) {
  const steer::Space space = steer::all_configurations(
      {.sockets = 1, .cores_per_socket = 2, .gears = model::GearTable({Hertz{1}})});
  const json all = json::parse(timeline_json({session::Row{}}, space));
  EXPECT_TRUE(all.at("samples")[0].at("configuration").at("frequency_ghz").is_null());
  EXPECT_EQ(json::parse(timeline_json({}, space)).at("samples").size(), 0U);
}

} // namespace
} // namespace hypermile::report
