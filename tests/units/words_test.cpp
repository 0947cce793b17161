#include "units/error.hpp"
#include "units/words.hpp"

#include <gtest/gtest.h>

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

} // namespace
} // namespace hypermile
