#include "common/command_line.hpp"

#include <gtest/gtest.h>

namespace apps {
namespace {

constexpr Syntax with_iterations{.program = "app", .classes = "SWA", .takes_iterations = true};
constexpr Syntax without{.program = "app", .classes = "SWA"};

CommandLine parse(const std::vector<std::string_view>& arguments,
                  const Syntax& syntax = with_iterations) {
  return parse_command_line(arguments, syntax);
}

TEST(AppCommandLine, without_arguments_is_class_s_with_its_own_iterations) {
  const CommandLine line = parse({});
  EXPECT_EQ(line.error, "");
  EXPECT_EQ(line.problem_class, "S");
  EXPECT_FALSE(line.iterations);
  EXPECT_FALSE(line.verbose);
  EXPECT_FALSE(line.help);
}

TEST(AppCommandLine, values_stand_behind_the_option_or_an_equals_sign) {
  for (const auto& arguments : {std::vector<std::string_view>{"--class", "W", "--iterations", "7"},
                                {"--iterations=7", "--class=W"}}) {
    const CommandLine line = parse(arguments);
    EXPECT_EQ(line.error, "");
    EXPECT_EQ(line.problem_class, "W");
    EXPECT_EQ(line.iterations, 7);
  }
}

TEST(AppCommandLine, flags_have_a_short_form) {
  EXPECT_TRUE(parse({"-h"}).help);
  EXPECT_TRUE(parse({"--help"}).help);
  EXPECT_TRUE(parse({"-v"}).verbose);
  EXPECT_TRUE(parse({"--verbose"}).verbose);
}

TEST(AppCommandLine, iterations_are_whole_numbers_from_1_to_a_million) {
  EXPECT_EQ(parse({"--iterations", "1"}).iterations, 1);
  EXPECT_EQ(parse({"--iterations", "1000000"}).iterations, 1'000'000);
  for (const char* bad : {"0", "-3", "1000001", "99999999999999", "2.5", "7x", " 7", "x", ""})
    EXPECT_EQ(parse({"--iterations", bad}).error, "--iterations '" + std::string(bad) +
                                                      "' is not a number of iterations; try: "
                                                      "1 to 1000000");
}

TEST(AppCommandLine, an_option_without_its_value_is_an_error) {
  EXPECT_EQ(parse({"--class"}).error, "--class needs a value: one of S|W|A");
  EXPECT_EQ(parse({"--iterations"}).error, "--iterations needs a value: a number");
}

TEST(AppCommandLine, what_is_not_known_is_an_error) {
  EXPECT_EQ(parse({"--class", "Q"}).error, "no class 'Q'; try: one of S|W|A");
  EXPECT_EQ(parse({"--class="}).error, "no class ''; try: one of S|W|A");
  EXPECT_EQ(parse({"S"}).error, "unknown argument 'S'; try: --help");
  EXPECT_EQ(parse({"--classes", "S"}).error, "unknown argument '--classes'; try: --help");
  EXPECT_EQ(parse({"--help=yes"}).error, "unknown argument '--help=yes'; try: --help");
  EXPECT_EQ(parse({"--iterations", "7"}, without).error,
            "unknown argument '--iterations'; try: --help");
}

TEST(AppCommandLine, usage_has_the_iterations_only_where_they_are_taken) {
  EXPECT_NE(usage(with_iterations).find("usage: app [--class S|W|A] [--iterations N] [--verbose]"),
            std::string::npos);
  EXPECT_EQ(usage(without).find("--iterations"), std::string::npos);
}

} // namespace
} // namespace apps
