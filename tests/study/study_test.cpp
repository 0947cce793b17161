#include "study/study.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace hypermile::study {
namespace {

using Words = std::vector<std::string>;

Study two_programs() {
  Study study;
  study.name = "two";
  study.programs = {
      {.name = "cg",
       .command = {"./cg", "--class", "{class}"},
       .classes = {"S", "W"},
       .ranks = {4, 8},
       .options = {{"max-slowdown", {"3%"}}}},
      {.name = "ep", .command = {"./ep"}, .classes = {""}, .ranks = {2}, .options = {}}};
  study.platforms = {"table-3.1", "my/own.yaml"};
  study.methods = {"exact", "alg5"};
  study.options = {{"max-slowdown", {"5%"}}, {"reference-speed", {"300Gf"}}};
  return study;
}

TEST(filled, puts_class_and_ranks_into_words) {
  EXPECT_EQ(filled("in/{class}-{n}.{n}", "B", 16), "in/B-16.16");
  EXPECT_EQ(filled("{}{1}{ a}{class", "B", 16), "{}{1}{ a}{class"); // which are none of ours
  EXPECT_THROW((void)filled("{clas}", "B", 16), Error);
}

TEST(cells, are_every_combination_in_the_order_of_the_study) {
  const auto cells = cells_of(two_programs());
  ASSERT_EQ(cells.size(), 10U); // 2 classes x 2 numbers of ranks x 2 platforms, and 2 platforms
  EXPECT_EQ(described(cells[0]), "cg S, 4 ranks, table-3.1");
  EXPECT_EQ(described(cells[1]), "cg S, 4 ranks, my/own.yaml");
  EXPECT_EQ(described(cells[7]), "cg W, 8 ranks, my/own.yaml");
  EXPECT_EQ(described(cells[9]), "ep, 2 ranks, my/own.yaml");
  for (std::size_t i = 0; i < cells.size(); ++i)
    EXPECT_EQ(cells[i].number, i + 1);
}

TEST(a_cell, compares_all_methods_in_one_simulation) {
  const auto cells = cells_of(two_programs());
  EXPECT_EQ(cells[0].arguments,
            (Words{"simulate", "--platform=table-3.1", "--ranks=4", "--compare=exact,alg5",
                   "--jobs=1", "--json", "--quiet", "--reference-speed=300Gf", "--max-slowdown=3%",
                   "--", "./cg", "--class", "S"}));
  EXPECT_EQ(
      cells[9].arguments,
      (Words{"simulate", "--platform=my/own.yaml", "--ranks=2", "--compare=exact,alg5", "--jobs=1",
             "--json", "--quiet", "--max-slowdown=5%", "--reference-speed=300Gf", "--", "./ep"}));
}

TEST(a_cell, repeats_a_recorded_run_in_place_of_a_program) {
  Study study = two_programs();
  study.programs = {{.name = "cg",
                     .command = {},
                     .recording = "cg-{class}-{n}.hmr",
                     .classes = {"S"},
                     .ranks = {4},
                     .options = {}}};
  const auto cells = cells_of(study);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[1].arguments,
            (Words{"simulate", "--platform=my/own.yaml", "--ranks=4", "--compare=exact,alg5",
                   "--jobs=1", "--json", "--quiet", "--max-slowdown=5%", "--replay=cg-S-4.hmr"}));
  EXPECT_EQ(cells[1].recorder, Words{});
}

TEST(a_recorder, has_only_the_options_that_the_computation_depends_on) {
  EXPECT_EQ(cells_of(two_programs())[0].recorder,
            (Words{"simulate", "--platform=table-3.1", "--ranks=4", "--method=none", "--quiet",
                   "--reference-speed=300Gf", "--", "./cg", "--class", "S"}));
}

TEST(a_recorder, is_not_needed_where_the_study_has_a_recording) {
  Study study = two_programs();
  study.programs[0].options = {{"computation", {"cg-{class}-{n}.txt"}}};
  const auto cells = cells_of(study);
  EXPECT_TRUE(cells[0].recorder.empty());
  EXPECT_EQ(cells[7].arguments[9], "--computation=cg-W-8.txt");
  EXPECT_FALSE(cells[9].recorder.empty());
}

TEST(repetitions, are_cells_of_their_own) {
  Study study = two_programs();
  study.repeat = 3;
  const auto cells = cells_of(study);
  EXPECT_EQ(cells.size(), 30U);
  EXPECT_EQ(described(cells[2]), "cg S, 4 ranks, table-3.1, repetition 3");
  EXPECT_EQ(cells[2].arguments, cells[0].arguments);
}

TEST(cells, are_as_many_as_were_counted_before_and_differ) {
  std::mt19937 random(5);
  const auto some = [&](const std::string& letter) {
    Words words;
    for (auto n = 1 + random() % 4; n > 0; --n)
      words.push_back(letter + std::to_string(n));
    return words;
  };
  for (int round = 0; round < 200; ++round) {
    Study study;
    for (const std::string& name : some("p"))
      study.programs.push_back({.name = name,
                                .command = {name, "{class}"},
                                .classes = some("C"),
                                .ranks = std::vector<std::size_t>(1 + random() % 3, 1),
                                .options = {}});
    for (Program& program : study.programs)
      for (std::size_t i = 0; i < program.ranks.size(); ++i)
        program.ranks[i] = i + 1;
    study.platforms = some("t");
    study.methods = {"exact"};
    study.repeat = 1 + random() % 3;
    const auto cells = cells_of(study);
    EXPECT_EQ(cells.size(), count_cells(study));
    std::set<std::string> names;
    for (const Cell& cell : cells)
      names.insert(described(cell));
    EXPECT_EQ(names.size(), cells.size());
  }
}

TEST(counting_cells, does_not_overflow) {
  Study study = two_programs();
  study.repeat = static_cast<std::size_t>(-1);
  EXPECT_EQ(count_cells(study), most_cells + 1);
}

} // namespace
} // namespace hypermile::study
