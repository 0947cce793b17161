#include "tune/openmpi_rules.hpp"

#include "support/cases.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hypermile::tune {
namespace {

using collective::Collective;

const Collective& any_collective(std::mt19937& random) {
  const auto all = collective::collectives();
  return all[random() % all.size()];
}

/// Of algorithms that work with so many processes.
Choices random_choices(std::mt19937& random, const Collective& collective) {
  Choices choices{.collective = &collective};
  std::size_t processes = 1;
  for (std::size_t i = 0; i <= random() % 3; ++i) {
    processes += 1 + random() % 3;
    choices.chosen.push_back({.processes = processes, .from = {{}}});
    std::size_t size_b = 0;
    for (std::size_t k = 0; k < random() % 5; ++k) {
      size_b += collective.element_b * (1 + random() % 100000);
      const auto& algorithm = collective.openmpi[random() % collective.openmpi.size()];
      if (algorithm.processes == collective::Processes::two && processes != 2)
        continue;
      choices.chosen.back().from.push_back(
          {.size_b = size_b,
           .variant = collective::Variant{.algorithm = std::string(algorithm.name),
                                          .segment_b = algorithm.segments ? 4096U : 0U}});
    }
  }
  return choices;
}

/// What was chosen, looked up without the rules.
std::string chosen_for(const Choices& choices, std::size_t processes, std::size_t size_b) {
  std::string algorithm;
  for (const Chosen& chosen : choices.chosen)
    if (chosen.processes == processes)
      for (const ChosenFrom& from : chosen.from)
        if (from.size_b <= size_b)
          algorithm = from.variant ? from.variant->algorithm : "";
  return algorithm;
}

/// Whatever the library's rules call the size.
TEST(OpenmpiRules, say_what_was_chosen_and_leave_all_else_to_the_library) {
  std::mt19937 random(1);
  for (int i = 0; i < test::cases(200); ++i) {
    const Choices choices = random_choices(random, any_collective(random));
    const std::string text = openmpi_rules_text({openmpi_rules(choices)});
    const auto read = parse_openmpi_rules(text, "file");
    EXPECT_EQ(openmpi_rules_text(read), text);
    ASSERT_EQ(read.size(), 1U);
    std::size_t looked_at = 0;
    for (const Expected& expected : expected_of(read[0], 12)) {
      EXPECT_EQ(expected.collective, choices.collective);
      EXPECT_EQ(expected.algorithm, chosen_for(choices, expected.processes, expected.size_b))
          << expected.processes << " " << expected.size_b << "\n"
          << text;
      ++looked_at;
    }
    EXPECT_GE(looked_at, 2U);
  }
}

/// Each change of what was chosen is looked at on both sides.
TEST(OpenmpiRules, both_sides_of_each_change_are_looked_at) {
  for (const Collective& collective : collective::collectives()) {
    const std::size_t size_b = 1000 * collective.element_b;
    const std::string name(collective.openmpi[1].name);
    const Choices choices{
        .collective = &collective,
        .chosen = {
            {.processes = 4, .from = {{}, {.size_b = size_b, .variant = {{.algorithm = name}}}}}}};
    std::map<std::size_t, std::string> seen;
    for (const Expected& expected : expected_of(openmpi_rules(choices), 4))
      if (expected.processes == 4)
        seen[expected.size_b] = expected.algorithm;
    ASSERT_TRUE(seen.contains(size_b - collective.element_b)) << collective.name;
    ASSERT_TRUE(seen.contains(size_b)) << collective.name;
    EXPECT_EQ(seen[size_b - collective.element_b], "");
    EXPECT_EQ(seen[size_b], name);
  }
}

TEST(OpenmpiRules, hold_several_collectives) {
  std::mt19937 random(2);
  std::vector<OpenmpiRules> all;
  for (const Collective& collective : collective::collectives())
    all.push_back(openmpi_rules(random_choices(random, collective)));
  const std::string text = openmpi_rules_text(all);
  const auto read = parse_openmpi_rules(text, "file");
  ASSERT_EQ(read.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(openmpi_rules_text({read[i]}), openmpi_rules_text({all[i]}));
}

void expect_rules_refused(const std::string& text, const std::string& why) {
  try {
    (void)parse_openmpi_rules(text, "rules.conf");
    ADD_FAILURE() << "taken: " << text;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with("rules.conf:")) << error.what();
  }
}

/// What Open MPI 4.1.4 does with each of these was tried: it ignores the file, or takes another
/// rule than the one for that size.
TEST(OpenmpiRules, known_traps_are_refused_with_the_reason) {
  expect_rules_refused("1\n7\n1\n4\n1\n0 8 0 0\n", "no catch-all");
  expect_rules_refused("1\n7\n3\n0\n1\n0 0 0 0\n4\n1\n0 8 0 0\n2\n1\n0 1 0 0\n",
                       "blocks must ascend");
  expect_rules_refused("1\n7\n1\n0\n2\n0 8 0 0\n0 3 0 0\n", "sizes must ascend");
  expect_rules_refused("1\n7\n1\n0\n2\n65536 3 0 0\n70000 8 0 0\n", "unless it is 0");
  expect_rules_refused("1\n7\n1\n0\n2\n0 3 0 0\n", "the file ends");
  expect_rules_refused("1\n7\n1\n0\n1\n0 3 0 xyz\n", "'xyz' is not a segment size");
  expect_rules_refused("1\n7\n1\n0\n1\n0 17 0 0\n", "no algorithm 17");
  expect_rules_refused("1\n7\n1\n0\n1\n0 3 0 0\nrubbish\n", "text after the last rule");
  expect_rules_refused("1\n11\n1\n0\n1\n0 3 0 0\n", "no rules for a collective");
  expect_rules_refused("2\n7\n1\n0\n1\n0 3 0 0\n7\n1\n0\n1\n0 3 0 0\n", "comes twice");
  expect_rules_refused("1\n0\n1\n0\n1\n0 6 0 0\n", "for 2 processes only");
  expect_rules_refused("1\n3\n2\n0\n1\n0 0 0 0\n2\n1\n0 5 0 0\n", "for 2 processes only");
  expect_rules_refused("", "the file ends");
  expect_rules_refused("-1\n", "is not a number");
}

TEST(OpenmpiRules, takes_comments_other_collectives_and_any_white_space) {
  const auto all = parse_openmpi_rules(
      "# all\n2 # collectives\n11 1 0 1 0 5 0 0\n7 1 0\t2\n0 0 0 0 5 3 0 64 # end", "file");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].collective->name, "bcast");
  ASSERT_EQ(all[0].blocks.size(), 1U);
  ASSERT_EQ(all[0].blocks[0].rules.size(), 2U);
  EXPECT_EQ(all[0].blocks[0].rules[1].algorithm, 3);
  EXPECT_EQ(all[0].blocks[0].rules[1].segment_b, 64U);
}

} // namespace
} // namespace hypermile::tune
