#include "study/time_left.hpp"

#include <gtest/gtest.h>

namespace hypermile::study {
namespace {

Cell cell(const std::string& program, const std::string& class_name) {
  Cell made;
  made.program = program;
  made.class_name = class_name;
  return made;
}

const Cell cg_a = cell("cg", "A");
const Cell cg_s = cell("cg", "S");
const Cell ep_s = cell("ep", "S");

TEST(durations, are_those_of_the_most_similar_cells) {
  Durations durations;
  EXPECT_FALSE(durations.expected(cg_a));
  durations.finished(cg_a, Seconds{10});
  durations.finished(cg_a, Seconds{20});
  durations.finished(cg_s, Seconds{3});
  EXPECT_DOUBLE_EQ(durations.expected(cg_a)->value(), 15);            // program and class
  EXPECT_DOUBLE_EQ(durations.expected(cell("cg", "B"))->value(), 11); // program
  EXPECT_DOUBLE_EQ(durations.expected(ep_s)->value(), 11);            // all
}

TEST(time_left, is_the_work_left_shared_by_the_jobs) {
  Durations durations;
  EXPECT_FALSE(time_left(durations, std::vector<const Cell*>{&cg_a}, {}, 2));
  durations.finished(cg_a, Seconds{10});
  const std::vector<const Cell*> four(4, &cg_a);
  EXPECT_DOUBLE_EQ(time_left(durations, four, {}, 2)->value(), 20);
  const std::vector<Running> running{{&cg_a, Seconds{4}}, {&cg_a, Seconds{1000}}};
  EXPECT_DOUBLE_EQ(time_left(durations, four, running, 2)->value(), (40 + 6 + 0) / 2.0);
  EXPECT_DOUBLE_EQ(time_left(durations, {}, running, 2)->value(), 6); // one job alone works
  EXPECT_DOUBLE_EQ(time_left(durations, {}, {}, 2)->value(), 0);
}

TEST(times, are_told_as_exactly_as_they_matter) {
  EXPECT_EQ(in_words(Seconds{0.2}), "1 s");
  EXPECT_EQ(in_words(Seconds{119}), "119 s");
  EXPECT_EQ(in_words(Seconds{121}), "3 min");
  EXPECT_EQ(in_words(Seconds{2 * 3600 + 61}), "2 h 2 min");
}

} // namespace
} // namespace hypermile::study
