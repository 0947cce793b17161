#include "tune/openmpi_rules.hpp"

#include "support/cases.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace hypermile::tune {
namespace {

const collective::Collective& bcast() { return collective::collective_named("bcast"); }

std::vector<Chosen> random_choices(std::mt19937& random) {
  std::vector<Chosen> all;
  std::size_t processes = 1;
  for (std::size_t i = 0; i <= random() % 3; ++i) {
    processes += 1 + random() % 3;
    all.push_back({.processes = processes, .from = {{}}});
    std::size_t size_b = 0;
    for (std::size_t k = 0; k < random() % 5; ++k) {
      size_b += 1 + random() % 100000;
      const auto& algorithm = bcast().openmpi[random() % bcast().openmpi.size()];
      all.back().from.push_back(
          {.size_b = size_b,
           .variant = collective::Variant{.algorithm = std::string(algorithm.name),
                                          .segment_b = algorithm.segments ? 4096U : 0U}});
    }
  }
  return all;
}

/// What was chosen, looked up without the rules.
std::string chosen_for(const std::vector<Chosen>& all, std::size_t processes, std::size_t size_b) {
  std::string algorithm;
  for (const Chosen& chosen : all)
    if (chosen.processes == processes)
      for (const ChosenFrom& from : chosen.from)
        if (from.size_b <= size_b)
          algorithm = from.variant ? from.variant->algorithm : "";
  return algorithm;
}

TEST(OpenmpiRules, say_what_was_chosen_and_leave_all_else_to_the_library) {
  std::mt19937 random(1);
  for (int i = 0; i < test::cases(200); ++i) {
    const auto chosen = random_choices(random);
    const std::string text = openmpi_rules_text(bcast(), openmpi_rules(bcast(), chosen));
    const auto read = parse_openmpi_rules(bcast(), text, "file");
    EXPECT_EQ(openmpi_rules_text(bcast(), read), text);
    std::size_t looked_at = 0;
    for (const Expected& expected : expected_of(bcast(), read, 12)) {
      EXPECT_EQ(expected.algorithm, chosen_for(chosen, expected.processes, expected.size_b))
          << expected.processes << " " << expected.size_b << "\n"
          << text;
      ++looked_at;
    }
    EXPECT_GE(looked_at, 2U);
  }
}

void expect_refused(const std::string& text, const std::string& why) {
  try {
    (void)parse_openmpi_rules(bcast(), text, "rules.conf");
    ADD_FAILURE() << "taken: " << text;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with("rules.conf:")) << error.what();
  }
}

/// What Open MPI 4.1.4 does with each of these was tried: it ignores the file, or takes another
/// rule than the one for that size.
TEST(OpenmpiRules, known_traps_are_refused_with_the_reason) {
  expect_refused("1\n7\n1\n4\n1\n0 8 0 0\n", "no catch-all");
  expect_refused("1\n7\n3\n0\n1\n0 0 0 0\n4\n1\n0 8 0 0\n2\n1\n0 1 0 0\n", "blocks must ascend");
  expect_refused("1\n7\n1\n0\n2\n0 8 0 0\n0 3 0 0\n", "sizes must ascend");
  expect_refused("1\n7\n1\n0\n2\n65536 3 0 0\n70000 8 0 0\n", "unless it is 0");
  expect_refused("1\n7\n1\n0\n2\n0 3 0 0\n", "the file ends");
  expect_refused("1\n7\n1\n0\n1\n0 3 0 xyz\n", "'xyz' is not a segment size");
  expect_refused("1\n7\n1\n0\n1\n0 17 0 0\n", "no algorithm 17");
  expect_refused("1\n7\n1\n0\n1\n0 3 0 0\nrubbish\n", "text after the last rule");
  expect_refused("1\n2\n1\n0\n1\n0 3 0 0\n", "no rules for bcast");
  expect_refused("2\n7\n1\n0\n1\n0 3 0 0\n7\n1\n0\n1\n0 3 0 0\n", "comes twice");
  expect_refused("", "the file ends");
  expect_refused("-1\n", "is not a number");
}

TEST(OpenmpiRules, takes_comments_other_collectives_and_any_white_space) {
  const auto rules = parse_openmpi_rules(
      bcast(), "# all\n2 # collectives\n2 1 0 1 0 5 0 0\n7 1 0\t2\n0 0 0 0 5 3 0 64 # end", "file");
  ASSERT_EQ(rules.size(), 1U);
  ASSERT_EQ(rules[0].rules.size(), 2U);
  EXPECT_EQ(rules[0].rules[1].algorithm, 3);
  EXPECT_EQ(rules[0].rules[1].segment_b, 64U);
}

} // namespace
} // namespace hypermile::tune
