#include "units/error.hpp"
#include "units/words.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>

namespace hypermile {
namespace {

using Words = std::vector<std::string>;

TEST(words, are_what_blanks_separate_and_quotes_keep_together) {
  EXPECT_EQ(split_words("  a  b\tc "), (Words{"a", "b", "c"}));
  EXPECT_EQ(split_words("sh -c 'echo \"$1\"' \"a 'b\" ''"),
            (Words{"sh", "-c", "echo \"$1\"", "a 'b", ""}));
  EXPECT_EQ(split_words("a\\ b 'c\\'"), (Words{"a b", "c\\"}));
  EXPECT_THROW((void)split_words("a 'b"), Error);
  EXPECT_THROW((void)split_words(" \t"), Error);
}

TEST(words, are_the_same_after_they_were_joined) {
  std::mt19937 random(7);
  const std::string letters = "a \\'\"\t{$";
  for (int round = 0; round < 1000; ++round) {
    Words words(1 + random() % 4);
    for (std::string& word : words)
      for (auto length = random() % 5; length > 0; --length)
        word += letters[random() % letters.size()];
    EXPECT_EQ(split_words(join_words(words)), words) << join_words(words);
  }
}

TEST(words, come_through_a_shell_as_they_are) {
  std::mt19937 random(8);
  const std::string letters = "a~*$'\"\\ \t!;|<(=:.-\n";
  for (int round = 0; round < 40; ++round) {
    Words words(1 + random() % 4);
    for (std::string& word : words)
      for (auto length = random() % 6; length > 0; --length)
        word += letters[random() % letters.size()];
    words[0] += "x"; // which printf takes for no option
    std::string said;
    const std::string command = "printf '%s|\\n' x " + shell_words(words);
    FILE* const shell = popen(command.c_str(), "r");
    ASSERT_NE(shell, nullptr);
    for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell))
      said += static_cast<char>(c);
    ASSERT_EQ(pclose(shell), 0) << command;
    std::string expected = "x|\n";
    for (const std::string& word : words)
      expected += word + "|\n";
    EXPECT_EQ(said, expected) << command;
  }
}

TEST(words, stay_as_somebody_types_them_where_a_shell_minds_nothing) {
  EXPECT_EQ(shell_words({"./app", "--class=S", "a b", ""}), "./app --class=S 'a b' ''");
}

} // namespace
} // namespace hypermile
