#include "control/journal.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::control {
namespace {

const Owner anna{.job = "4711",
                 .program = "./cg --class W",
                 .user = "anna",
                 .pid = 99,
                 .start = 123456,
                 .since = 1763726580};
const Entry governor{"/sys/policy0/scaling_governor", "ondemand"};
const Entry limit{"/sys/policy0/scaling_max_freq", "2600000"};

std::string written() {
  return begin_line("b007") + owner_line(anna) + was_line(governor) + was_line(limit);
}

Journal parse(const std::string& text) { return parse_journal(text, "journal"); }

TEST(journal, is_read_as_it_was_written) {
  const Journal expected{"b007", anna, {governor, limit}, {}};
  EXPECT_EQ(parse(written()), expected);
  EXPECT_EQ(parse(""), Journal{});
}

TEST(journal, that_is_cut_off_anywhere_keeps_its_complete_lines) {
  const std::string text = written();
  const auto lines = [](const std::string& t) { return std::count(t.begin(), t.end(), '\n'); };
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Journal journal = parse(text.substr(0, size));
    const auto complete = lines(text.substr(0, size));
    EXPECT_EQ(journal.boot.empty(), complete < 2) << size;
    EXPECT_EQ(journal.owner.has_value(), complete > 2) << size;
    EXPECT_EQ(static_cast<long>(journal.entries.size()), std::max(0L, complete - 3)) << size;
    // As a file system leaves it whose data never reached the disk.
    EXPECT_EQ(parse(text.substr(0, size) + std::string(100, '\0')), journal) << size;
  }
}

TEST(journal, does_not_name_what_was_restored_until_it_is_changed_again) {
  const std::string restored = written() + restored_line(governor.path);
  EXPECT_EQ(parse(restored).entries, std::vector{limit});
  const Entry changed{governor.path, "performance"};
  EXPECT_EQ(parse(restored + was_line(changed)).entries, (std::vector{limit, changed}));
}

TEST(journal, has_the_last_owner) {
  Owner otto = anna;
  otto.user = "otto";
  EXPECT_EQ(parse(written() + owner_line(otto)).owner, otto);
}

TEST(journal, keeps_names_in_their_place) {
  Owner odd = anna;
  odd.job = "";
  odd.user = "anna\nwas 1 /etc/passwd";
  odd.program = "a b\nc";
  const auto owner = parse(begin_line("b007") + owner_line(odd)).owner;
  ASSERT_TRUE(owner.has_value());
  EXPECT_EQ(owner->job, "");
  EXPECT_EQ(owner->user, "anna_was_1_/etc/passwd");
  EXPECT_EQ(owner->program, "a b?c");
}

class BadLine : public testing::TestWithParam<const char*> {};

TEST_P(BadLine, at_the_beginning_makes_it_no_journal) { EXPECT_THROW(parse(GetParam()), Error); }

TEST_P(BadLine, is_reported_with_its_number_and_passed_over) {
  const Journal journal =
      parse(begin_line("b007") + was_line(governor) + GetParam() + was_line(limit));
  EXPECT_EQ(journal.entries, (std::vector{governor, limit}));
  ASSERT_EQ(journal.bad.size(), 1U);
  EXPECT_EQ(journal.bad[0].find("journal:4: passed over"), 0U) << journal.bad[0];
}

INSTANTIATE_TEST_SUITE_P(lines, BadLine,
                         testing::Values("\n", "hypermile/journal/2\n", "owner 1 2 3 4711\n",
                                         "owner x 2 3 - a b\n", "owner -1 2 3 - a b\n", "was 5\n",
                                         "was 5 relative\n", "was  /sys/a\n",
                                         "was 5 /sys/policy0/scaling_governor\n",
                                         "restored /sys/a\n", "what 5 /sys/a\n", "was 5 /sys/a\r\n",
                                         "was 5 /sys/\x1b[2J\n"));

TEST(journal, shows_a_bad_line_so_that_it_does_nothing_to_a_terminal) {
  const Journal journal =
      parse(begin_line("b007") + "\x1b[2J\xc3\xa4" + std::string(200, 'x') + "\n");
  ASSERT_EQ(journal.bad.size(), 1U);
  EXPECT_TRUE(journal.bad[0].ends_with(": ?[2J??" + std::string(74, 'x') + "..."))
      << journal.bad[0];
}

/// Lines are damaged at random; whatever becomes of them, the others count.
TEST(journal, keeps_the_lines_that_are_not_damaged) {
  std::mt19937 random(4711);
  for (int round = 0; round < 2000; ++round) {
    std::string text = begin_line("b007") + owner_line(anna);
    std::vector<Entry> kept;
    for (int line = 0; line < 20; ++line) {
      const Entry entry{"/sys/policy" + std::to_string(line) + "/scaling_max_freq", "2600000"};
      std::string written = was_line(entry);
      if (random() % 4 == 0)
        written[random() % 3] = static_cast<char>(random() % 256); // of the word "was"
      if (written == was_line(entry))
        kept.push_back(entry);
      text += written;
    }
    const Journal journal = parse(text);
    EXPECT_EQ(journal.entries, kept) << text;
    EXPECT_EQ(journal.bad.empty(), kept.size() == 20) << text;
    EXPECT_EQ(journal.owner, anna);
  }
}

TEST(journal, of_an_earlier_boot_may_be_damaged) {
  const std::string text = begin_line("b007") + "\x01\x02\n";
  const Journal forgotten = parse_journal(text, "journal", "other");
  EXPECT_EQ(forgotten.boot, "b007");
  EXPECT_TRUE(forgotten.bad.empty());
  EXPECT_EQ(parse_journal(text, "journal", "b007").bad.size(), 1U);
}

TEST(journal, takes_single_words_only) {
  EXPECT_TRUE(can_be_journaled(limit));
  for (const char* value : {"", "a b", "a\n", "<a\tb>"})
    EXPECT_FALSE(can_be_journaled({limit.path, value})) << value;
}

} // namespace
} // namespace hypermile::control
