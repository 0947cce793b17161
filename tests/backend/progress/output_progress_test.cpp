#include "backend/progress/output_progress.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::backend::progress {
namespace {

/// The items after this output.
double items_of(OutputProgress& progress, std::string_view output) {
  progress.take(output);
  return progress.done().value_or(control::Done{.items = -1, .arrivals = std::nullopt}).items;
}

std::string refusal_of(const std::string& regex) {
  try {
    OutputProgress progress(regex);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    return error.what();
  }
  return "";
}

TEST(progress_on_the_output, is_none_until_a_line_has_a_number) {
  OutputProgress progress("frame= *([0-9]+)");
  EXPECT_FALSE(progress.done());
  EXPECT_EQ(items_of(progress, "starting\nframe=\nframe= 12"), -1) << "the line is not over";
  EXPECT_EQ(items_of(progress, "3 fps=25\n"), 123);
  EXPECT_FALSE(progress.done()->arrivals);
}

TEST(progress_on_the_output, comes_in_pieces_of_any_size) {
  OutputProgress progress("done ([0-9.e+]+)");
  for (const char c : std::string("done 1\nnothing\ndone 2.5e+3 of 10000\r\n\ndo"))
    progress.take({&c, 1});
  EXPECT_EQ(progress.done()->items, 2500);
}

TEST(progress_on_the_output, may_be_a_bar_that_is_drawn_over_and_over) {
  OutputProgress progress("([0-9]+)/100");
  EXPECT_EQ(items_of(progress, "\r# 7/100\r## 9/100\r### 11/100"), 9);
}

TEST(progress_on_the_output, starts_anew_with_a_number_that_falls) {
  OutputProgress progress("([0-9]+)");
  EXPECT_EQ(items_of(progress, "7\n9\n"), 9);
  EXPECT_EQ(items_of(progress, "2\n"), 11);
  EXPECT_EQ(items_of(progress, "3\n"), 12);
  EXPECT_EQ(items_of(progress, "3\n"), 12);
}

TEST(progress_on_the_output, has_the_first_match_of_a_line) {
  OutputProgress progress("item ([0-9]+)");
  EXPECT_EQ(items_of(progress, "item 3, item 4\n"), 3);
}

TEST(progress_on_the_output, is_not_what_is_no_number) {
  OutputProgress progress("item (\\S+)");
  for (const char* text : {"item many\n", "item -3\n", "item nan\n", "item inf\n", "item 12a\n",
                           "item 1e999\n", "item 1,000\n"})
    EXPECT_EQ(items_of(progress, text), -1) << text;
  EXPECT_NE(progress.why_not().find("has matched '1,000', which is no number of items; try:"),
            std::string::npos);
  EXPECT_EQ(items_of(progress, "item 4\n"), 4);
  EXPECT_EQ(progress.why_not(), "");
}

TEST(progress_on_the_output, has_an_optional_group) {
  OutputProgress progress("item( [0-9]+)?");
  EXPECT_EQ(items_of(progress, "item\n"), -1);
  EXPECT_EQ(progress.why_not(), "");
}

TEST(progress_on_the_output, looks_at_the_begin_of_lines_that_do_not_end) {
  OutputProgress progress("(?:a|x)*item ([0-9]+)");
  const std::string long_piece(100'000, 'x');
  for (int i = 0; i < 100; ++i)
    progress.take(long_piece);
  EXPECT_EQ(items_of(progress, "item 3\n"), -1);
  EXPECT_EQ(items_of(progress, std::string(OutputProgress::longest_line - 6, 'x') + "item 4xxx\n"),
            4);
  EXPECT_EQ(items_of(progress, "item 5\n"), 5);
}

TEST(progress_on_the_output, may_have_any_bytes) {
  OutputProgress progress("([0-9]+)");
  std::string all;
  for (int i = 0; i < 256; ++i)
    all += static_cast<char>(i);
  EXPECT_EQ(items_of(progress, all + "\n"), 123456789) << "after the carriage return among them";
}

TEST(a_regular_expression, needs_a_group_and_to_be_one) {
  EXPECT_NE(
      refusal_of("frame=[0-9]+").find("'frame=[0-9]+' does not say where the number is; try:"),
      std::string::npos);
  EXPECT_NE(refusal_of("frame=([0-9]+").find("is no regular expression"), std::string::npos);
  EXPECT_NE(refusal_of("").find("does not say where"), std::string::npos);
  EXPECT_NE(refusal_of("(?:a)").find("does not say where"), std::string::npos);
}

} // namespace
} // namespace hypermile::backend::progress
