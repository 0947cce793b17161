// A program that is in one loop for a while, and then in another, and then in the first again.

#include "runtime/apply/program.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;

/// In phase 0 rank 1 has most to do, in phase 1 rank 0.
const Gears of_phase[]{{1, 0, 1}, {0, 1, 1}};

void enter(Program& program, std::uint64_t phase) {
  for (auto& rank : program.ranks)
    rank->site = 1 + phase;
  program.ranks[phase]->setup.computation = 1;
  program.ranks[1 - phase]->setup.computation = 2;
}

TEST(phases, that_come_back_soon_get_the_gears_that_they_had) {
  for (const std::optional<double> bound : {std::optional<double>{}, std::optional(0.05)}) {
    SCOPED_TRACE(bound.value_or(0));
    Program program(uneven, bounded(bound));
    for (const std::uint64_t phase : {0U, 1U}) {
      enter(program, phase);
      program.iterate(40);
      ASSERT_EQ(program.gears(), of_phase[phase]);
    }
    for (const std::uint64_t phase : {0U, 1U, 0U}) {
      enter(program, phase);
      // The call is known again when it has come twice. Under a bound the node is in gear 0 by
      // then, and one iteration is measured in it.
      program.iterate(bound ? 5 : 3);
      EXPECT_EQ(program.gears(), of_phase[phase]);
      program.iterate(40);
      EXPECT_EQ(program.gears(), of_phase[phase]);
    }
    const RunReport run = program.finish();
    EXPECT_EQ(run.phases, (std::vector<std::vector<std::size_t>>{{0, 0, 0}, {1, 1, 1}}));
    EXPECT_EQ(std::ranges::count(run.decisions, true, &Decision::again), 3);
    EXPECT_EQ(run.decisions.back().phase, 0U);
    for (const RankReport& rank : run.ranks) {
      ASSERT_EQ(rank.phases.size(), 2U);
      EXPECT_EQ(rank.phases[0].times, 3U);
      EXPECT_EQ(rank.phases[1].times, 2U);
      EXPECT_NEAR(static_cast<double>(rank.phases[0].iterations), 40 + 2 * (40 + (bound ? 5 : 3)),
                  8);
      EXPECT_GT(rank.phases[0].total + rank.phases[1].total, rank.time * 0.9);
      EXPECT_LE(rank.phases[0].total + rank.phases[1].total, rank.time);
    }
  }
}

TEST(phases, whose_gears_a_bound_no_longer_has_room_for_are_chosen_anew) {
  Program program(uneven, bounded(0.05));
  enter(program, 0);
  program.iterate(40);
  enter(program, 1);
  program.iterate(40);
  program.ranks[2]->setup.computation = 4; // far more than the others: its gear breaks the bound
  program.iterate(2);
  enter(program, 0);
  program.iterate(40);
  EXPECT_EQ(program.machines[2].gear, 0U);
  program.finish();
}

} // namespace
} // namespace hypermile::runtime
