#include "runtime/apply/program.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;

/// Whether all ranks call MPI from the loop, or from a new place each time.
void goes_round(Program& program, bool loop) {
  for (auto& rank : program.ranks)
    rank->setup.repeats = loop;
}

TEST(gears_under_a_bound, are_given_up_while_the_program_does_something_else) {
  Program program(uneven, bounded());
  program.iterate(20);
  ASSERT_EQ(program.gears(), (Gears{1, 0, 1}));
  goes_round(program, false);
  program.iterate(1);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.iterate(4); // the iteration is late
  EXPECT_EQ(program.gears(), (Gears{0, 0, 0}));
  goes_round(program, true);
  program.iterate(1);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1})); // set again without a new choice
  const RunReport run = program.finish();
  const GearChange& last = run.ranks[0].changes.back();
  EXPECT_GT(last.away, Seconds{3 * 2.25});
  EXPECT_LT(last.away, Seconds{6 * 2.25});
  EXPECT_GT(last.computation_away, Seconds{3});
  EXPECT_LT(last.computation_away, last.away);
}

/// Rank 0 takes the loop that it goes on with for one around the old one: its last call came before
/// that once. The others find none, so nobody orders other gears.
TEST(gears_under_a_bound, are_given_up_for_a_longer_loop_that_other_ranks_do_not_find) {
  Program program({{0, 0.25}, {1, 2}, {2, 0.25}}, bounded(), Program::Messages::to_all, nullptr,
                  {.functions = {"Allreduce"}});
  constexpr std::uint64_t last = 9;
  for (const std::uint64_t site : {last, std::uint64_t{1}, std::uint64_t{1}}) {
    for (auto& rank : program.ranks)
      rank->site = site;
    program.iterate(1);
  }
  goes_round(program, false);
  program.ranks[0]->setup.repeats = true;
  for (auto& rank : program.ranks)
    rank->setup.computation *= 0.2;
  const auto go_round = [&](int times) {
    for (int i = 0; i < times; ++i)
      for (const std::uint64_t site : {last - 2, last - 1, last}) {
        program.ranks[0]->site = site;
        program.iterate(1);
      }
  };
  go_round(3);
  EXPECT_EQ(program.gears()[0], 1U);
  go_round(3);
  EXPECT_EQ(program.gears()[0], 0U);
  program.finish();
}

/// A cap on power keeps ranks from going back to gear 0 by themselves.
TEST(gears_under_a_bound, are_given_up_in_an_iteration_that_does_not_end) {
  select::Request request = bounded();
  request.constraints.average_power_cap = Watts{1000};
  Program program(uneven, request);
  program.iterate(20);
  ASSERT_EQ(program.gears(), (Gears{1, 0, 1}));
  goes_round(program, false);
  program.iterate(10);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.iterate(60); // nothing is heard of what they come to
  EXPECT_EQ(program.gears(), (Gears{0, 0, 0}));
  program.finish();
}

/// Rank 0 makes the others wait a little in its gear. Of the loop around hardly more is known than
/// that it is there.
TEST(gears_under_a_bound, stay_when_a_loop_around_theirs_is_found) {
  Program program({{0, 0.92}, {1, 2}, {2, 0.5}}, bounded(0.01), Program::Messages::to_all, nullptr,
                  {.functions = {"Allreduce"}});
  const auto call_from = [&](std::uint64_t site, int times) {
    for (auto& rank : program.ranks)
      rank->site = site;
    program.iterate(times);
  };
  call_from(1, 40);
  ASSERT_EQ(program.gears(), (Gears{1, 0, 1}));
  for (int outer = 0; outer < 4; ++outer) {
    call_from(2, 1);
    call_from(1, 6);
  }
  const RunReport run = program.finish();
  const auto of_loop_around = [](const Decision& decision) {
    return decision.baseline.time > Seconds{10};
  };
  const auto first = std::ranges::find_if(run.decisions, of_loop_around);
  ASSERT_NE(first, run.decisions.end());
  EXPECT_EQ(first->gears, (Gears{1, 0, 1}));
}

TEST(gears_under_a_bound, stay_while_the_loop_goes_on) {
  Program program(uneven, bounded());
  program.iterate(500);
  EXPECT_EQ(program.machines[0].times_set, 1);
  for (const auto& rank : program.finish().ranks)
    for (const GearChange& change : rank.changes)
      EXPECT_EQ(change.away, Seconds{});
}

TEST(gears_under_a_bound, are_chosen_anew_once_another_rank_has_most_to_do) {
  Program program(uneven, bounded());
  program.iterate(20);
  ASSERT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.ranks[1]->setup.computation = 0.4;
  program.iterate(3);
  EXPECT_EQ(program.gears(), (Gears{0, 0, 0})); // two iterations have shown it
  program.iterate(100);
  EXPECT_EQ(program.gears(), (Gears{0, 1, 1}));
  program.finish();
}

/// In gear 0 iterations take 1.25 s by now; in the gears that were good before, 2.25 s.
TEST(gears_under_a_bound, are_told_for_what_they_cost_until_they_were_left) {
  Program program(uneven, bounded(), Program::Messages::to_all, nullptr,
                  {.functions = {"Allreduce"}});
  program.iterate(30);
  ASSERT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.ranks[1]->setup.computation = 0.4;
  Seconds until_noticed;
  for (int i = 0; i < 10 && program.gears()[0] == 1; ++i) {
    program.iterate(1);
    until_noticed += Seconds{2.25};
  }
  program.iterate(8);
  const RunReport run = program.finish();
  const auto left = std::ranges::find_if(
      run.decisions, [](const Decision& decision) { return decision.misfit.has_value(); });
  ASSERT_NE(left, run.decisions.end());
  EXPECT_EQ(left->gears, (Gears{1, 0, 1}));
  EXPECT_NEAR(left->misfit->time_ratio, 2.25 / 1.25, 0.01);
  EXPECT_NEAR(left->misfit->time / until_noticed, 1, 0.5);
}

TEST(gears_under_a_bound, that_were_left_though_they_cost_no_more_are_told_for_what_was_predicted) {
  Program program(uneven, bounded(), Program::Messages::to_all, nullptr,
                  {.functions = {"Allreduce"}});
  program.iterate(40);
  program.ranks[1]->setup.computation = 4; // the others have more slack
  program.iterate(20);
  for (const Decision& decision : program.finish().decisions)
    EXPECT_FALSE(decision.misfit);
}

/// After a long time the next measurement is far off, but the rank that told is asked for one now.
TEST(gears_under_a_bound, are_chosen_anew_soon_however_long_the_old_ones_fitted) {
  Program program(uneven, bounded());
  program.iterate(300);
  ASSERT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.ranks[1]->setup.computation = 0.4;
  program.iterate(12);
  EXPECT_EQ(program.gears(), (Gears{0, 1, 1}));
  program.finish();
}

TEST(gears_under_a_bound, stay_where_all_ranks_get_more_to_do) {
  Program program(uneven, bounded());
  program.iterate(20);
  for (int i = 0; i < 60; ++i) {
    for (auto& rank : program.ranks)
      rank->setup.computation *= 1.01;
    program.iterate(1);
  }
  for (const auto& rank : program.finish().ranks)
    for (const GearChange& change : rank.changes)
      EXPECT_EQ(change.away, Seconds{});
}

/// Where ranks depend on each other in a row, what each waits would add up.
TEST(gears_under_a_bound, are_not_waited_for) {
  auto patient = uneven;
  for (RankSetup& rank : patient)
    rank.idles = true;
  Program program(patient, bounded());
  program.iterate(100);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  for (const auto& rank : program.ranks)
    EXPECT_EQ(rank->idled, Seconds{});
  Program free(patient, select::Request{});
  free.iterate(100);
  EXPECT_GT(free.ranks[1]->idled, Seconds{});
}

TEST(gears_without_a_bound, stay_whatever_the_program_does) {
  Program program(uneven, select::Request{});
  program.iterate(20);
  ASSERT_EQ(program.gears(), (Gears{1, 0, 1}));
  goes_round(program, false);
  program.iterate(5);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.finish();
}

} // namespace
} // namespace hypermile::runtime
