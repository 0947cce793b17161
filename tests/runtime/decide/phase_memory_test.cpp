#include "runtime/decide/phase_memory.hpp"
#include "support/nodes.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

using Entry = PhaseMemory::Entry;

std::vector<Measurement> in_loops(const std::vector<std::size_t>& loops) {
  std::vector<Measurement> all;
  for (const std::size_t loop : loops)
    all.push_back({.rank = static_cast<int>(all.size()), .node = test::node("n"), .phase = loop});
  return all;
}

TEST(phase_memory, keeps_what_was_learnt_of_a_phase_until_it_is_back) {
  PhaseMemory memory;
  Learnt learnt;
  EXPECT_EQ(memory.enter(in_loops({0, 0, 0}), learnt), Entry::none);
  learnt.level.given_up = "of the first";
  learnt.budget.spend(Seconds{10}, 0.1);
  EXPECT_EQ(memory.enter(in_loops({1, 1, 1}), learnt), Entry::first);
  EXPECT_EQ(learnt.phase, 1U);
  EXPECT_EQ(learnt.level.given_up, "");
  learnt.level.given_up = "of the second";
  EXPECT_EQ(memory.enter(in_loops({0, 0, 0}), learnt), Entry::again);
  EXPECT_EQ(learnt.phase, 0U);
  EXPECT_EQ(learnt.level.given_up, "of the first");
  EXPECT_EQ(memory.enter(in_loops({1, 1, 1}), learnt), Entry::again);
  EXPECT_EQ(learnt.level.given_up, "of the second");
  EXPECT_LT(learnt.budget.allowed(0.05), 0.05); // of the whole run
  EXPECT_EQ(memory.loops(), (std::vector<std::vector<std::size_t>>{{0, 0, 0}, {1, 1, 1}}));
  EXPECT_TRUE(memory.is_in(1, 2, 1));
  EXPECT_FALSE(memory.is_in(1, 2, 0));
  EXPECT_FALSE(memory.is_in(7, 0, 0));
}

TEST(phase_memory, waits_until_most_ranks_have_found_out) {
  PhaseMemory memory;
  Learnt learnt;
  (void)memory.enter(in_loops({0, 0, 0, 0}), learnt);
  EXPECT_EQ(memory.enter(in_loops({1, 0, 0, 0}), learnt), Entry::none);
  EXPECT_EQ(memory.enter(in_loops({1, 1, 0, 0}), learnt), Entry::none);
  EXPECT_EQ(memory.enter(in_loops({1, 1, 1, 0}), learnt), Entry::first); // one never does
  EXPECT_EQ(memory.enter(in_loops({1, 1, 1, 1}), learnt), Entry::none);
  EXPECT_EQ(memory.enter(in_loops({0, 0, 2, 0}), learnt), Entry::again);
  EXPECT_EQ(learnt.phase, 0U);
}

} // namespace
} // namespace hypermile::runtime
