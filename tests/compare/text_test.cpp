#include "compare/text.hpp"

#include "compare/runs.hpp"
#include "compare/verdict.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace hypermile::compare {
namespace {

using nlohmann::json;
using test::compared;
using test::contains;
using test::measured_run;
using test::simulated_run;

const std::vector<compare::Run> quiet_a{measured_run(99, 1990), measured_run(100, 2000),
                                        measured_run(101, 2010)};
const std::vector<compare::Run> quiet_b{measured_run(100, 1590), measured_run(101, 1600),
                                        measured_run(102, 1610)};

TEST(the_verdict, of_one_run_each_says_that_chance_cannot_be_told) {
  const auto sentences = verdict(compared({measured_run(100, 2000)}, {measured_run(101, 1600)}));
  ASSERT_EQ(sentences.size(), 2U);
  EXPECT_EQ(sentences[0], "B used 20.0 % less energy and took 1 % longer.");
  EXPECT_TRUE(contains(sentences[1], "chance cannot be told from one run"));
}

TEST(the_verdict, leaves_out_chance_between_runs_of_one_simulation) {
  const std::vector<compare::Run> runs{simulated_run("none", 10, 100),
                                       simulated_run("exact", 11, 80)};
  EXPECT_EQ(verdict(compared(runs, runs, "none", "exact")),
            std::vector<std::string>{
                "exact against unscaled: B used 20.0 % less energy and took 10.0 % longer."});
}

TEST(the_verdict, tells_what_the_runs_show_and_what_they_do_not) {
  const auto sentences = verdict(compared(quiet_a, quiet_b));
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_TRUE(sentences[0].starts_with("B used 20.0 % less energy (95 %: 19.")) << sentences[0];
  EXPECT_TRUE(contains(sentences[0], " and took as long as far as can be told (95 %: -1.3 to "))
      << sentences[0];
}

TEST(the_verdict, of_runs_that_only_differ_by_chance_is_that_there_is_no_difference_to_show) {
  const auto sentences =
      verdict(compared(quiet_a, {measured_run(98, 1985), measured_run(103, 2020)}));
  ASSERT_EQ(sentences.size(), 1U);
  EXPECT_TRUE(sentences[0].starts_with("No difference that these runs can show: energy (95 %: -"))
      << sentences[0];
}

TEST(the_verdict, of_equal_runs_finds_no_difference_of_rounding) {
  const std::vector<compare::Run> same(3, measured_run(0.1, 0.7));
  EXPECT_EQ(verdict(compared(same, same)).at(0), "B used as much energy and took as long.");
}

TEST(the_verdict, says_where_energy_is_not_known) {
  compare::Run unknown = measured_run(100, 0);
  unknown.energies.clear();
  EXPECT_EQ(verdict(compared({unknown}, {unknown})).at(0), "B took as long; energy is not known.");
}

TEST(the_verdict, of_a_study_is_about_the_mean_of_its_cells) {
  const auto comparison =
      compared({simulated_run("exact", 10, 100, "cg"), simulated_run("exact", 10, 100, "ep")},
               {simulated_run("exact", 10, 90, "cg"), simulated_run("exact", 10, 90, "ep")});
  EXPECT_TRUE(verdict(comparison)[0].starts_with(
      "exact, on average over 2 cells: B used 10.0 % less energy (95 %: 10.0 to 10.0 %) and took "
      "as long"))
      << verdict(comparison)[0];
}

Comparison with_everything() {
  auto a = quiet_a;
  auto b = quiet_b;
  a[0].facts = {{"command", std::string(300, 'x')}};
  b[0].facts = {{"command", "./b"}};
  a[0].taken_by_others = 0.5;
  return compared(a, b);
}

TEST(the_text, begins_with_the_verdict_and_fits_a_terminal) {
  const Limits limits{.max_slowdown = 0.0, .max_more_energy = 0.0, .proven = true};
  const Comparison comparison = with_everything();
  const std::string text = comparison_text(comparison, limits, exceeded(comparison, limits));
  EXPECT_TRUE(text.starts_with("B used 20.0 % less energy")) << text;
  EXPECT_TRUE(contains(text, "Limits: not kept.")) << text;
  EXPECT_TRUE(contains(text, "Not like for like:\n  command")) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(line.size() < 80 || contains(line, "xxx")) << line; // a word cannot be wrapped
}

TEST(the_text, of_assumed_power_has_no_joules) {
  compare::Run assumed = measured_run(10, 0);
  assumed.energies = {{EnergyBy::assumed_power, Joules{123.25}}};
  const std::string text = comparison_text(compared({assumed}, {assumed}), {}, {});
  EXPECT_FALSE(contains(text, "123.25")) << text;
  EXPECT_TRUE(contains(text, "only its ratio means something")) << text;
}

TEST(the_text, of_many_cells_has_a_line_for_each) {
  std::vector<compare::Run> runs;
  for (int cell = 0; cell < 30; ++cell)
    runs.push_back(simulated_run("exact", 1 + cell, 1, "cell " + std::to_string(cell)));
  const std::string text = comparison_text(compared(runs, runs), {}, {});
  EXPECT_TRUE(contains(text, "\ncell 29: exact ")) << text;
  EXPECT_LE(std::ranges::count(text, '\n'), 45) << text;
}

TEST(the_json, has_the_figures_of_the_comparison) {
  const Comparison comparison = compared(quiet_a, quiet_b);
  const json report = json::parse(comparison_json(comparison, {}, {}));
  EXPECT_EQ(report.at("schema"), "hypermile/comparison/1");
  EXPECT_EQ(report.at("verdict"), verdict(comparison));
  const json& energy = report.at("pairs").at(0).at("energy");
  EXPECT_DOUBLE_EQ(energy.at("a").at("mean_j"), 2000);
  EXPECT_DOUBLE_EQ(energy.at("a").at("deviation_j"), 10);
  EXPECT_DOUBLE_EQ(energy.at("difference_j"), -400);
  EXPECT_NEAR(energy.at("percent"), -20, 1e-9);
  EXPECT_LT(energy.at("percent_low"), -20);
  EXPECT_GT(energy.at("percent_high"), -20);
  EXPECT_EQ(energy.at("shown"), true);
  EXPECT_TRUE(report.at("limits").at("kept").is_null());
  EXPECT_TRUE(report.at("pairs").at(0).at("cell").is_null());
}

TEST(the_json, of_one_run_each_has_no_intervals) {
  const auto report =
      json::parse(comparison_json(compared({measured_run(1, 1)}, {measured_run(2, 2)}), {}, {}));
  const json& time = report.at("pairs").at(0).at("time");
  for (const char* const key :
       {"difference_low_s", "difference_high_s", "percent_low", "percent_high", "shown"})
    EXPECT_TRUE(time.at(key).is_null()) << key;
  EXPECT_TRUE(time.at("a").at("deviation_s").is_null());
}

} // namespace
} // namespace hypermile::compare
