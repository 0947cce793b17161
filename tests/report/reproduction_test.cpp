#include "report/reproduction.hpp"
#include "support/text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>

namespace hypermile::report {
namespace {

using nlohmann::json;
using study::Outcome;
using test::contains;

/// CG is done, MG failed, LU is not there.
study::Comparison three_programs() {
  study::PublishedTable table{.name = "t-1",
                              .title = "three programs",
                              .source = "[X] Table 1",
                              .class_name = "C",
                              .platform = "table-3.1",
                              .methods = {{.name = "Algorithm 5", .method = "alg5"}},
                              .programs = {},
                              .differences = {std::string(60, 'x') + " " + std::string(60, 'y')}};
  for (const char* name : {"CG", "MG", "LU"})
    table.programs.push_back(
        {.name = name,
         .ranks = 8,
         .time = Seconds{36.11},
         .effects = {{.slowdown = 0.0712, .saving = 0.3125, .distance = 0.2413}}});
  const auto run = [](const char* method, double time, double energy) {
    return study::Run{
        .method = method, .time = Seconds{time}, .energy = Joules{energy}, .gears = {}};
  };
  Outcome done{.status = Outcome::Status::done, .reason = "", .took = {}, .runs = {}};
  done.runs = {run("none", 100, 1000), run("alg5", 125, 600), run("exact", 110, 700),
               run("planned", 105, 600)};
  Outcome failed{.status = Outcome::Status::failed,
                 .reason = "it fell over | and " + std::string(100, 'z'),
                 .took = {},
                 .runs = {}};
  return study::compare(table, "A", {{"CG", {"cg"}}, {"MG", {"mg"}}}, {done, failed});
}

/// Of one program both models predict two gears, of the other one only the cluster model.
study::Comparison check_of_predictions() {
  study::PublishedTable table{.name = "t-2",
                              .title = "a check",
                              .source = "[X] section 1",
                              .class_name = "",
                              .platform = "table-2.1",
                              .methods = {},
                              .programs = {{.name = "CG", .ranks = 8}, {.name = "MG", .ranks = 8}},
                              .differences = {"one"},
                              .options = {},
                              .time_error = 0.031};
  const auto predicted = [](double time) {
    return study::Prediction{.time = Seconds{time}, .energy = Joules{90}};
  };
  study::Run run{.method = "gears:1", .time = Seconds{100}, .energy = Joules{100}, .gears = {1}};
  run.by_cluster = predicted(96);
  Outcome mg{.status = Outcome::Status::done, .reason = "", .took = {}, .runs = {run, run}};
  run.by_dependency = predicted(100.5);
  Outcome cg{.status = Outcome::Status::done, .reason = "", .took = {}, .runs = {run, run, run}};
  cg.runs[2].by_cluster = predicted(98);
  return study::compare(table, "A", {{"CG", {"cg"}}, {"MG", {"mg"}}}, {cg, mg});
}

TEST(print_reproduction, puts_ours_below_the_published_figures) {
  const std::string text = print_reproduction(three_programs());
  EXPECT_TRUE(contains(text,
                       "\nCG 8      published, Algorithm 5             7.12    31.25     24.13\n"
                       "          alg5                              25.00    40.00     20.00\n"
                       "          exact                             10.00    30.00     20.91\n"))
      << text;
  EXPECT_TRUE(contains(text, "Here: class A on platform table-3.1.")) << text;
}

TEST(print_reproduction, says_why_there_are_no_figures) {
  const std::string text = print_reproduction(three_programs());
  EXPECT_TRUE(contains(text, "not simulated: there is no such program here; try: --program"))
      << text;
  EXPECT_TRUE(contains(text, "failed: it fell over")) << text;
}

TEST(print_reproduction, says_what_differs_and_fits_a_terminal_but_for_long_words) {
  const std::string text = print_reproduction(three_programs());
  EXPECT_TRUE(contains(text, "- The programs are of class C there, of class A here.\n")) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(line.size() <= 80 || contains(line, "zzz")) << line;
}

TEST(print_reproduction, of_a_check_has_the_errors_of_each_model_and_the_published_one) {
  const std::string text = print_reproduction(check_of_predictions());
  EXPECT_TRUE(contains(text, "\nCG 8      cluster              4.00     3.00      10.00    10.00\n"
                             "          dependency           0.50     0.50      10.00    10.00\n"
                             "MG 8      cluster              4.00     4.00      10.00    10.00\n"))
      << text;
  EXPECT_TRUE(contains(text, "\nall 2     cluster              4.00     3.50      10.00    10.00\n"
                             "          published            3.10\n"))
      << text;
  EXPECT_FALSE(contains(text, "are of class")) << text;
}

TEST(reproduction_page, of_a_check_has_the_same_errors_and_a_plot) {
  const std::string page =
      reproduction_page(check_of_predictions(), "hypermile reproduce t-2", "t-2.svg");
  EXPECT_TRUE(contains(page, "| CG 8 | cluster | 4.00 | 3.00 | 10.00 | 10.00 |\n"
                             "|  | dependency | 0.50 | 0.50 | 10.00 | 10.00 |\n"))
      << page;
  EXPECT_TRUE(contains(page, "|  | published | 3.10 | | | |\n")) << page;
  const std::string svg = reproduction_plot(check_of_predictions());
  EXPECT_TRUE(contains(svg, "<title>CG, dependency: 0.50 %</title>")) << svg;
  EXPECT_FALSE(contains(svg, "<title>MG, dependency")) << svg;
}

TEST(reproduction_json, has_the_figures_and_null_where_there_are_none) {
  const json table = json::parse(reproduction_json({three_programs()})).at("tables").at(0);
  EXPECT_EQ(table["table"], "t-1");
  EXPECT_EQ(table["published_class"], "C");
  EXPECT_EQ(table["class"], "A");
  EXPECT_EQ(table["compared"], 1);
  const json& cg = table["programs"][0];
  EXPECT_EQ(cg["status"], "done");
  EXPECT_EQ(cg["time_s"], 100);
  EXPECT_TRUE(cg["published_energy_j"].is_null());
  EXPECT_EQ(cg["lines"][0]["published"], true);
  EXPECT_NEAR(cg["lines"][1]["distance_points"].get<double>(), 20, 1e-9);
  EXPECT_EQ(table["programs"][1]["status"], "failed");
  EXPECT_EQ(table["programs"][2]["status"], "no program");
  EXPECT_TRUE(table["programs"][2]["lines"][1]["saving_percent"].is_null());
  EXPECT_NEAR(table["programs"][2]["lines"][0]["saving_percent"].get<double>(), 31.25, 1e-9);
}

TEST(reproduction_json, of_a_check_has_errors_and_no_lines) {
  const json table = json::parse(reproduction_json({check_of_predictions()})).at("tables").at(0);
  EXPECT_TRUE(table["published_class"].is_null());
  EXPECT_NEAR(table["published_time_error_percent"].get<double>(), 3.1, 1e-9);
  EXPECT_TRUE(table["programs"][0]["lines"].empty());
  const json& errors = table["programs"][0]["errors"];
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[1]["model"], "dependency");
  EXPECT_NEAR(errors[1]["largest_time_error_percent"].get<double>(), 0.5, 1e-9);
  EXPECT_EQ(table["errors"].size(), 1U); // the dependency model does not predict MG
}

TEST(reproduction_json, has_no_key_that_is_not_documented) {
  std::ifstream file(HYPERMILE_SOURCE_DIR "/docs/reproduction.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const auto documented = [&](const std::string& key) {
    for (const char* begin : {"`", "`."})
      for (const char* end : {"`", "[]`"})
        if (contains(page, begin + key + end))
          return true;
    return key == "schema";
  };
  const std::function<void(const json&)> look = [&](const json& value) {
    for (const auto& [key, inner] : value.items()) {
      if (value.is_object()) {
        EXPECT_TRUE(documented(key)) << key;
      }
      if (inner.is_structured())
        look(inner);
    }
  };
  look(json::parse(reproduction_json({three_programs(), check_of_predictions()})));
  look(json::parse(tables_json({{.name = "f16-3.2",
                                 .title = "NAS programs",
                                 .source = "[F16]",
                                 .class_name = "C",
                                 .platform = "table-3.1"},
                                {.name = "m16", .title = "models", .source = "[M16]"}})));
}

TEST(reproduction_page, has_a_row_per_line_and_the_plot) {
  const std::string page =
      reproduction_page(three_programs(), "hypermile reproduce t-1", "t-1.svg");
  EXPECT_TRUE(page.starts_with("# [X] Table 1: three programs\n")) << page;
  EXPECT_TRUE(contains(page, "![the figures as a chart](t-1.svg)")) << page;
  EXPECT_TRUE(contains(page, "| CG 8 | published, Algorithm 5 | 7.12 | 31.25 | 24.13 |\n"
                             "|  | alg5 | 25.00 | 40.00 | 20.00 |\n"))
      << page;
  EXPECT_TRUE(contains(page, "- LU: not simulated: ")) << page;
  EXPECT_TRUE(contains(page, "| CG | 36.11 | 100.00 |  | 1000.00 |\n")) << page;
}

TEST(reproduction_plot, shows_the_programs_that_are_done) {
  const std::string svg = reproduction_plot(three_programs());
  EXPECT_TRUE(contains(svg, "<title>CG, published, Algorithm 5: 24.13 points</title>")) << svg;
  EXPECT_TRUE(contains(svg, "<title>CG, alg5: 20.00 points</title>")) << svg;
  EXPECT_FALSE(contains(svg, ">MG<"));
  EXPECT_FALSE(contains(svg, ">LU<"));
}

} // namespace
} // namespace hypermile::report
