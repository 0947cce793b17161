#include "io/gears_text.hpp"
#include "io/refusal.hpp"

#include <gtest/gtest.h>

namespace hypermile::io {
namespace {

using Gears = std::vector<model::Gear>;

TEST(gear_choice, is_one_gear_for_all_nodes) {
  EXPECT_EQ(std::get<model::Gear>(parse_gear_choice("3")), 3u);
}

TEST(gear_choice, is_a_gear_per_node) {
  EXPECT_EQ(std::get<Gears>(parse_gear_choice("0, 3 ,12")), (Gears{0, 3, 12}));
}

TEST(gear_choice, is_a_gear_per_node_type) {
  EXPECT_EQ(std::get<GearsOfTypes>(parse_gear_choice("type1=2, big = 0,a=b=1")),
            (GearsOfTypes{{"type1", 2}, {"big", 0}, {"a=b", 1}}));
}

TEST(gear_choice, refuses_anything_else) {
  for (const char* text : {"", ",", "1,", ",1", "-1", "1.5", "0x1", "fast", "99999999999999999999",
                           "type1=", "=3", "type1=2,3", "type1=2,type1=2", "1 2"})
    EXPECT_NE(refusal([&] { return parse_gear_choice(text); }), "") << text;
}

TEST(gear_lines, are_choices_with_the_numbers_of_their_lines) {
  const auto lines = parse_gear_lines("# two nodes\n0,3\r\n\n 2 \nb=1", "f");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].number, 2u);
  EXPECT_EQ(std::get<Gears>(lines[0].gears), (Gears{0, 3}));
  EXPECT_EQ(lines[1].number, 4u);
  EXPECT_EQ(std::get<model::Gear>(lines[1].gears), 2u);
  EXPECT_EQ(lines[2].number, 5u);
}

TEST(gear_lines, are_refused_with_file_and_line) {
  EXPECT_EQ(refusal([] { return parse_gear_lines("0,3\n0,x\n", "f.txt"); }).rfind("f.txt:2: ", 0),
            0u);
}

TEST(gear_lines, must_not_be_missing) {
  EXPECT_EQ(refusal([] { return parse_gear_lines("\n# none\n", "f.txt"); }).rfind("f.txt: ", 0),
            0u);
}

TEST(gears, are_read_as_they_are_printed) {
  const Gears gears{0, 13, 7};
  EXPECT_EQ(print_gears(gears), "0,13,7");
  EXPECT_EQ(parse_gears(print_gears(gears)), gears);
}

} // namespace
} // namespace hypermile::io
