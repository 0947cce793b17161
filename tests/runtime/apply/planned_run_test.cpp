// Controllers that begin in gears which were planned from an earlier run.

#include "runtime/apply/program.hpp"

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;

/// What each rank does in a run of so many iterations in gear 0.
std::vector<Outline> outlines(int iterations) {
  Program program(uneven, std::nullopt);
  program.iterate(iterations);
  std::vector<Outline> all;
  for (auto& rank : program.ranks)
    all.push_back(rank->controller.outline());
  return all;
}

void begin(Program& program, const Gears& gears, const std::vector<Outline>& expected) {
  for (std::size_t r = 0; r < gears.size(); ++r) {
    program.ranks[r]->controller.begin_in(gears[r]);
    program.ranks[r]->controller.keep_plan(expected[r], 2);
  }
}

TEST(planned_run, keeps_its_gears_and_says_nothing_while_all_ranks_do_as_expected) {
  Program program(uneven, unbounded);
  begin(program, {1, 0, 0}, outlines(60));
  program.iterate(60);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 0}));
  EXPECT_EQ(program.network.sent(), 0u);
  const RunReport run = program.finish();
  EXPECT_TRUE(run.decisions.empty());
  for (const RankReport& rank : run.ranks) {
    EXPECT_EQ(rank.departed, "");
    EXPECT_EQ(rank.gear, rank.rank == 0 ? 1u : 0u);
  }
}

TEST(planned_run, is_left_by_all_once_one_rank_does_something_else) {
  auto expected = outlines(60);
  for (Seconds& computed : expected[1].computation)
    computed = 3 * computed;
  Program program(uneven, unbounded);
  begin(program, {0, 1, 0}, expected); // which is a bad plan
  program.iterate(60);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1})); // as without a plan
  const RunReport run = program.finish();
  EXPECT_FALSE(run.decisions.empty());
  EXPECT_NE(run.ranks[1].departed.find("were expected"), std::string::npos);
  EXPECT_EQ(run.ranks[0].departed, "");
}

TEST(planned_run, is_left_where_the_program_goes_on_for_longer) {
  Program program(uneven, unbounded);
  begin(program, {0, 1, 0}, outlines(20));
  program.iterate(200);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  EXPECT_FALSE(program.finish().decisions.empty());
}

/// The plan has cost up to as much again as the run took; that is made up for.
TEST(planned_run, that_is_left_keeps_the_bound_on_slowdown_in_the_end) {
  constexpr int iterations = 1500;
  Program unscaled(uneven, std::nullopt);
  unscaled.iterate(iterations);
  select::Request bounded;
  bounded.constraints.max_slowdown = 0.05;
  bounded.objective = select::Objective::energy;
  Program program(uneven, bounded);
  begin(program, {0, 1, 0}, outlines(20));
  program.iterate(iterations);
  const RunReport run = program.finish();
  EXPECT_FALSE(run.decisions.empty());
  EXPECT_LE(run.ranks[0].time / unscaled.finish().ranks[0].time, 1.05);
}

TEST(planned_run, knows_which_gear_its_node_had_when) {
  Program program(uneven, unbounded);
  begin(program, {0, 1, 0}, outlines(20));
  program.iterate(200);
  const auto& stages = program.ranks[1]->controller.stages();
  ASSERT_GE(stages.size(), 2u);
  EXPECT_EQ(stages[0].scale, 2);
  EXPECT_EQ(stages[1].scale, 1);
  EXPECT_EQ(stages[0].from, GearStage::beginning);
  EXPECT_GT(stages[1].from, Seconds{100});
}

/// Their clocks do not agree which time between two orders was the longest.
TEST(planned_run, is_learnt_from_the_same_stage_on_all_ranks) {
  std::vector<RankSetup> setups = uneven;
  for (RankSetup& setup : setups)
    setup.reports_stage = true;
  for (const auto messages : {Program::Messages::to_all, Program::Messages::by_tree}) {
    Program program(setups, unbounded, messages);
    program.iterate(40);
    program.ranks[2]->clock.time += Seconds{1000};
    program.ranks[0]->setup.computation = 3; // new gears are chosen
    program.iterate(100);
    (void)program.finish();
    const auto common = program.ranks[0]->controller.common_stage();
    ASSERT_TRUE(common);
    EXPECT_GE(*common, 1u);
    for (const auto& rank : program.ranks)
      EXPECT_EQ(rank->controller.common_stage(), common);
  }
  Program program(uneven, unbounded);
  program.iterate(40);
  (void)program.finish();
  for (const auto& rank : program.ranks)
    EXPECT_FALSE(rank->controller.common_stage());
}

/// Computation is counted in gear 0, whatever the gear.
TEST(planned_run, has_the_outline_of_the_run_in_gear_0) {
  const auto expected = outlines(30);
  Program program(uneven, unbounded);
  begin(program, {1, 0, 1}, expected);
  program.iterate(30);
  for (std::size_t r = 0; r < expected.size(); ++r) {
    const Outline& own = program.ranks[r]->controller.outline();
    EXPECT_EQ(own.calls, expected[r].calls);
    EXPECT_NEAR(own.total / expected[r].total, 1, 1e-9);
  }
}

} // namespace
} // namespace hypermile::runtime
