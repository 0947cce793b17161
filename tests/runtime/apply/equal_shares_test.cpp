// Nodes begin in gears that were chosen before the program had done anything.

#include "runtime/apply/program.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;

void begin_with(Program& program, const Gears& gears) {
  Decision decision;
  decision.before_loop = true;
  decision.nodes = {"node-0", "node-1", "node-2"};
  decision.gears = gears;
  decision.baseline = {.time = Seconds{1}, .energy = Joules{1}};
  decision.prediction = {
      .time = Seconds{1}, .energy = Joules{1}, .p_norm = 1, .e_norm = 1, .distance = 0};
  for (auto& rank : program.ranks)
    rank->controller.begin_with(decision, true);
}

TEST(gears_at_the_begin, are_there_before_the_first_call_and_told_as_a_choice) {
  Program program(more_uneven, select::Request{});
  begin_with(program, {1, 0, 0});
  EXPECT_EQ(program.gears(), (Gears{1, 0, 0}));
  program.iterate(1);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 0}));
  program.iterate(40);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1})); // choices go on
  const RunReport run = program.finish();
  EXPECT_TRUE(run.decisions.at(0).before_loop);
  EXPECT_FALSE(run.decisions.at(1).before_loop);
  for (const RankReport& rank : run.ranks) {
    EXPECT_EQ(rank.failure, "");
    EXPECT_EQ(rank.changes.size(), run.decisions.size());
    EXPECT_EQ(rank.changes.at(0).time, Seconds{});
    EXPECT_EQ(rank.changes.at(0).gear, rank.rank == 0 ? 1U : 0U);
  }
}

TEST(gears_at_the_begin, that_cost_time_are_made_up_for_under_a_bound) {
  for (const bool events : {false, true}) {
    Program program(more_uneven, bounded(), Program::Messages::to_all, nullptr,
                    events ? TimeModel{.functions = {"Allreduce"}} : TimeModel{});
    begin_with(program, {0, 1, 0}); // the ranks have no equal shares
    constexpr int iterations = 400;
    program.iterate(iterations);
    EXPECT_EQ(program.gears(), (Gears{1, 0, 1})) << events;
    EXPECT_LE((program.ranks[0]->clock.time - program.ranks[0]->began).value(),
              1.05 * 2.25 * iterations)
        << events;
    program.finish();
  }
}

TEST(gears_at_the_begin, are_not_set_where_nothing_is_to_be_chosen) {
  Program program(more_uneven, std::nullopt);
  begin_with(program, {1, 0, 1});
  EXPECT_EQ(program.gears(), (Gears{0, 0, 0}));
  program.iterate(10);
  EXPECT_TRUE(program.finish().decisions.empty());
}

} // namespace
} // namespace hypermile::runtime
