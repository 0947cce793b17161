#include "study/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::study {
namespace {

/// Two methods of a paper, one of them with an option; three programs.
PublishedTable small_table() {
  const Effect printed{.slowdown = 0.05, .saving = 0.25, .distance = 0.2};
  PublishedTable table{.name = "t",
                       .title = "a table",
                       .source = "[X] Table 1",
                       .class_name = "C",
                       .platform = "table-3.1",
                       .methods = {},
                       .programs = {},
                       .differences = {"one"}};
  table.methods = {{.name = "EDP", .method = "exact", .options = {{"objective", {"edp"}}}},
                   {.name = "Theirs", .method = "alg5"}};
  for (const char* name : {"CG", "LU", "EP"})
    table.programs.push_back({.name = name, .ranks = 8, .effects = {printed, printed}});
  return table;
}

const Commands cg_and_ep{{"CG", {"./cg", "{class}"}}, {"EP", {"./ep"}}};

Run run_of(const std::string& method, double time, double energy) {
  return {.method = method, .time = Seconds{time}, .energy = Joules{energy}, .gears = {}};
}

Outcome done(std::vector<Run> runs) {
  return {.status = Outcome::Status::done, .reason = "", .took = {}, .runs = std::move(runs)};
}

bool has_word(const Cell& cell, const std::string& word) {
  return std::ranges::find(cell.arguments, word) != cell.arguments.end();
}

TEST(cells_of_a_table, are_those_of_the_programs_at_hand) {
  const auto cells = cells_of(small_table(), "W", cg_and_ep, {{"reference-speed", {"3Gf"}}});
  ASSERT_EQ(cells.size(), 4u); // two programs, without and with the option
  for (std::size_t i = 0; i < cells.size(); ++i) {
    EXPECT_EQ(cells[i].number, i + 1);
    EXPECT_EQ(cells[i].program, i % 2 == 0 ? "CG" : "EP");
    EXPECT_EQ(cells[i].class_name, "W");
    EXPECT_EQ(cells[i].ranks, 8u);
    EXPECT_TRUE(has_word(cells[i], "--reference-speed=3Gf"));
    EXPECT_EQ(has_word(cells[i], "--objective=edp"), i >= 2);
    EXPECT_TRUE(has_word(cells[i], i < 2 ? "--compare=alg5,exact,planned" : "--compare=exact"));
  }
  EXPECT_TRUE(has_word(cells[0], "W")); // {class}
}

TEST(cells_of_a_table, share_the_recording_of_a_program) {
  const auto cells = cells_of(small_table(), "W", cg_and_ep, {});
  EXPECT_EQ(cells[0].recorder, cells[2].recorder);
  EXPECT_NE(cells[0].recorder, cells[1].recorder);
}

TEST(compare, puts_what_was_found_below_what_was_published) {
  const auto cg = done({run_of("none", 100, 1000), run_of("alg5", 125, 500),
                        run_of("exact", 100, 600), run_of("planned", 100, 400)});
  const auto cg_edp = done({run_of("none", 100, 1000), run_of("exact", 200, 100)});
  Outcome failed;
  failed.status = Outcome::Status::failed;
  failed.reason = "it fell over";
  const auto comparison =
      compare(small_table(), "W", cg_and_ep, {cg, failed, cg_edp, failed}); // CG, EP, CG, EP
  ASSERT_EQ(comparison.programs.size(), 3u);
  const auto& lines = comparison.programs[0].lines;
  std::vector<std::string> names;
  for (const auto& line : lines)
    names.push_back((line.published ? "published " : "") + line.method);
  EXPECT_EQ(names, (std::vector<std::string>{"published EDP", "exact edp", "published Theirs",
                                             "alg5", "exact", "planned"}));
  EXPECT_DOUBLE_EQ(lines[0].effect.value().distance, 0.2);
  EXPECT_DOUBLE_EQ(lines[1].effect.value().slowdown, 1);
  EXPECT_DOUBLE_EQ(lines[3].effect.value().slowdown, 0.25);
  EXPECT_DOUBLE_EQ(lines[3].effect.value().distance, 0.8 - 0.5);
  EXPECT_DOUBLE_EQ(lines[5].effect.value().saving, 0.6);
  EXPECT_DOUBLE_EQ(comparison.programs[0].unscaled.value().time.value(), 100);
}

TEST(compare, tells_programs_that_are_not_there_from_those_that_failed) {
  Outcome failed;
  failed.status = Outcome::Status::failed;
  failed.reason = "it fell over";
  const auto comparison = compare(small_table(), "W", cg_and_ep, {{}, failed, {}, {}});
  EXPECT_TRUE(comparison.programs[0].at_hand);
  EXPECT_EQ(comparison.programs[0].status, Outcome::Status::missing);
  EXPECT_FALSE(comparison.programs[1].at_hand);
  EXPECT_FALSE(comparison.programs[1].lines[1].effect);
  EXPECT_TRUE(comparison.programs[1].lines[0].effect); // published nevertheless
  EXPECT_EQ(comparison.programs[2].status, Outcome::Status::failed);
  EXPECT_EQ(comparison.programs[2].reason, "it fell over");
  EXPECT_EQ(comparison.compared(), 0u);
  EXPECT_TRUE(comparison.means().empty());
}

TEST(a_table_without_figures, has_the_lines_of_its_methods_only) {
  auto table = small_table();
  for (auto& program : table.programs)
    program.effects.clear();
  const auto comparison = compare(table, "W", {}, {});
  for (const auto& line : comparison.programs[0].lines)
    EXPECT_FALSE(line.published);
  EXPECT_EQ(comparison.programs[0].lines.size(), 4U);
}

TEST(a_check_of_predictions, has_one_run_without_methods_and_the_errors_of_the_others) {
  auto table = small_table();
  table.methods.clear();
  table.options = {{"waiting", {"spinning"}}};
  table.time_error = 0.03;
  for (auto& program : table.programs)
    program.effects.clear();
  const auto cells = cells_of(table, "W", cg_and_ep, {{"gears", {"1", "2"}}});
  ASSERT_EQ(cells.size(), 2U);
  for (const char* word : {"--compare=none", "--waiting=spinning", "--gears=1", "--gears=2"})
    EXPECT_TRUE(has_word(cells[0], word)) << word;
  auto runs = std::vector{run_of("none", 10, 100), run_of("gears:1,1", 20, 50)};
  runs[1].by_cluster = Prediction{.time = Seconds{19}, .energy = Joules{50}};
  const auto comparison = compare(table, "W", cg_and_ep, {done(runs), {}});
  EXPECT_TRUE(comparison.programs[0].lines.empty());
  ASSERT_EQ(comparison.errors().size(), 1U);
  EXPECT_NEAR(comparison.errors()[0].largest_time, 0.05, 1e-12);
  EXPECT_TRUE(comparison.programs[2].errors.empty()); // EP is missing
}

TEST(means, are_over_the_programs_that_are_done) {
  const auto with_alg5 = [](double time) {
    return done({run_of("none", 100, 1000), run_of("alg5", time, 500), run_of("exact", 100, 1000),
                 run_of("planned", 100, 1000)});
  };
  const auto edp = done({run_of("none", 100, 1000), run_of("exact", 100, 1000)});
  const auto comparison =
      compare(small_table(), "W", cg_and_ep, {with_alg5(110), with_alg5(130), edp, edp});
  EXPECT_EQ(comparison.compared(), 2u);
  const auto means = comparison.means();
  ASSERT_EQ(means.size(), comparison.programs[0].lines.size());
  EXPECT_NEAR(means[3].effect.value().slowdown, 0.2, 1e-12);
  EXPECT_NEAR(means[0].effect.value().saving, 0.25, 1e-12); // without LU, which has the same
}

} // namespace
} // namespace hypermile::study
