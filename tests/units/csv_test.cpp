#include "units/csv.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile {
namespace {

const std::string file = "table.csv";

CsvReader reader(std::string_view text) {
  return {text, file, {.needed = {"a", "b"}, .optional = {"c"}, .example = "a,b"}};
}

/// What the first call of `read` that throws says.
template <class Read> std::string complaint(std::string_view text, const Read& read) {
  try {
    CsvReader csv = reader(text);
    while (csv.next())
      read(csv);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    return error.what();
  }
  return "no error";
}
std::string complaint(std::string_view text) {
  return complaint(text, [](const CsvReader&) {});
}

TEST(csv, reads_columns_in_any_order) {
  CsvReader csv = reader("c,b,a\nx,2.5,1\n,-3e2,4\n");
  EXPECT_TRUE(csv.has("c"));
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.line(), 2U);
  EXPECT_EQ(csv.field("c"), "x");
  EXPECT_EQ(csv.number("b", "a number"), 2.5);
  EXPECT_EQ(csv.count("a", "a number"), 1U);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.line(), 3U);
  EXPECT_EQ(csv.field("c"), "");
  EXPECT_EQ(csv.number("b", "a number"), -300);
  EXPECT_FALSE(csv.next());
}

TEST(csv, does_without_optional_columns_and_a_last_line_end) {
  CsvReader csv = reader("a,b\n1,2");
  EXPECT_FALSE(csv.has("c"));
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.field("b"), "2");
  EXPECT_FALSE(csv.next());
}

TEST(csv, reads_line_ends_of_windows) {
  CsvReader csv = reader("a,b\r\n1,2\r\n3,4\r\n");
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.number("b", "a number"), 2);
  ASSERT_TRUE(csv.next());
  EXPECT_EQ(csv.count("b", "a number"), 4U);
  EXPECT_FALSE(csv.next());
}

TEST(csv, a_header_alone_has_no_rows) {
  EXPECT_FALSE(reader("a,b").next());
  EXPECT_FALSE(reader("a,b\n").next());
}

TEST(csv, refuses_headers_that_it_does_not_know) {
  const std::string advice = "; try: a first line such as 'a,b'";
  EXPECT_EQ(complaint(""), "table.csv:1: the file is empty" + advice);
  EXPECT_EQ(complaint("a\n1\n"), "table.csv:1: there is no column b" + advice);
  EXPECT_EQ(complaint("a,b,d\n"), "table.csv:1: 'd' is not a column" + advice);
  EXPECT_EQ(complaint("a,b,a\n"), "table.csv:1: the column a is there twice" + advice);
  EXPECT_EQ(complaint("a, b\n"), "table.csv:1: ' b' is not a column" + advice);
  EXPECT_EQ(complaint("\na,b\n"), "table.csv:1: '' is not a column" + advice);
}

TEST(csv, refuses_rows_with_too_few_or_too_many_fields) {
  EXPECT_EQ(complaint("a,b\n1,2\n3\n"), "table.csv:3: 1 fields instead of 2");
  EXPECT_EQ(complaint("a,b\n1,2,\n"), "table.csv:2: 3 fields instead of 2");
  EXPECT_EQ(complaint("a,b\n1,2\n\n3,4\n"), "table.csv:3: 1 fields instead of 2");
}

TEST(csv, refuses_what_is_no_finite_number) {
  const auto read = [](const CsvReader& csv) { (void)csv.number("b", "a power in watts"); };
  for (const std::string text :
       {"", "nan", "inf", "-inf", "1e999", "1.5W", "1 ", " 1", "0x10", "+1", "1.2.3"})
    EXPECT_EQ(complaint("a,b\n1,2\n1," + text + "\n", read),
              "table.csv:3: '" + text +
                  "' is not a power in watts; try: a plain number such as 231.5");
}

TEST(csv, refuses_what_is_no_whole_number) {
  const auto read = [](const CsvReader& csv) { (void)csv.count("a", "a number of cores"); };
  for (const std::string text : {"", "-1", "1.0", "1e3", "99999999999999999999999", "one", "1 "})
    EXPECT_EQ(complaint("a,b\n" + text + ",2\n", read),
              "table.csv:2: '" + text + "' is not a number of cores; try: a whole number");
}

} // namespace
} // namespace hypermile
