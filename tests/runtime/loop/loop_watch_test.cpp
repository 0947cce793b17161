#include "runtime/loop/rank_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hypermile::runtime {
namespace {

using Found = LoopReport::Found;

TEST(loop_watch, finds_nothing_before_anything_repeats) {
  Rank rank;
  rank.calls("abcdef", 1);
  EXPECT_FALSE(rank.watch.take_news());
  EXPECT_EQ(rank.watch.iterations(), 0u);
  EXPECT_EQ(rank.report().found, Found::nothing);
}

TEST(loop_watch, trusts_a_loop_of_long_iterations_at_once) {
  Rank rank(100);
  rank.call('x', 0, 0.2);
  rank.calls("ab", 2);
  EXPECT_TRUE(rank.watch.take_news());
  EXPECT_FALSE(rank.watch.take_news()); // once
  const Span mean = rank.watch.mean_iteration();
  EXPECT_NEAR(mean.computation.value(), 0.4, 1e-6);
  EXPECT_NEAR(mean.communication.value(), 0.2, 1e-6);
  EXPECT_EQ(rank.report().found, Found::pattern);
  EXPECT_EQ(rank.report().iterations, 2u);
  EXPECT_EQ(rank.report().description, "2 MPI calls");
  EXPECT_NEAR(rank.report().first_iteration.value(), 0.2, 1e-9); // since the start, not since 0
  EXPECT_NEAR(rank.report().total.value(), 1.2, 1e-6);
}

TEST(loop_watch, trusts_a_loop_of_short_iterations_when_it_has_been_repeated) {
  Rank rank;
  rank.calls("ab", 1, 0.002, 0.001);
  rank.call('a', 0.002, 0.001);
  EXPECT_FALSE(rank.watch.take_news());
  rank.call('b', 0.002, 0.001);
  EXPECT_TRUE(rank.watch.take_news());
}

TEST(loop_watch, measures_iterations_that_were_over_when_the_loop_was_found) {
  Rank rank;
  rank.call('x', 0, 0.2);
  for (const double computation : {1.0, 3.0})
    rank.calls("abc", 1, computation);
  ASSERT_TRUE(rank.watch.take_news());
  EXPECT_EQ(rank.watch.measured_iterations(), 2U);
  EXPECT_NEAR(rank.watch.mean_iteration().computation.value(), 6, 1e-6);
  EXPECT_NEAR(rank.watch.mean_iteration().communication.value(), 0.3, 1e-6);
  ASSERT_EQ(rank.watch.last_iterations().size(), 2U);
  EXPECT_EQ(rank.watch.last_iterations()[0].event, 1U);
  EXPECT_EQ(rank.watch.last_iterations()[1].event, 4U);
  EXPECT_EQ(rank.report().calls_before, 1U);
  EXPECT_NEAR(rank.watch.measured_since().value(), 0.2, 1e-9);
}

TEST(loop_watch, tells_the_computation_of_the_last_iterations) {
  Rank rank;
  for (int i = 1; i <= 40; ++i) {
    rank.calls("ab", 1, i);
    if (i == 7)
      rank.watch.measure_afresh(); // whatever gear they ran in
    const auto& last = rank.watch.last_iterations();
    ASSERT_EQ(last.size(), i < 2 ? 0U : static_cast<std::size_t>(i));
    for (std::size_t k = 0; k < last.size(); ++k)
      EXPECT_NEAR(last[k].computation_in_gear0.value(), 2.0 * static_cast<double>(k + 1), 1e-4);
  }
}

/// A time step that sends to some neighbours and waits for whichever has answered, as often as it
/// takes.
TEST(loop_watch, counts_waits_that_repeat_by_time_as_one) {
  std::mt19937 random(3);
  for (const std::string_view step : {"abw", "abwcw", "wab", "aw"}) {
    Rank rank;
    rank.calls("xyz", 1);
    double computed = 0;
    for (int i = 0; i < 60; ++i)
      for (const char site : step) {
        const auto times = site == 'w' ? 1 + random() % 9 : 1;
        for (std::size_t k = 0; k < times; ++k) {
          computed += 0.01;
          if (site == 'w')
            rank.poll(site, 0.01, 0.02, k);
          else
            rank.call(site, 0.01, 0.02);
        }
      }
    EXPECT_EQ(rank.report().found, Found::pattern) << step;
    EXPECT_NEAR(static_cast<double>(rank.watch.iterations()), 60, 1) << step;
    ASSERT_TRUE(rank.watch.take_news());
    EXPECT_NEAR(rank.watch.mean_iteration().computation.value(), computed / 60, computed / 600)
        << step;
    EXPECT_EQ(rank.report().description, std::to_string(step.size()) + " MPI calls");
  }
}

TEST(loop_watch, counts_calls_that_repeat_one_by_one_where_time_has_no_part_in_it) {
  Rank rank;
  for (int i = 0; i < 20; ++i)
    rank.calls("awwww", 1);
  EXPECT_GE(rank.report().iterations, 18U);
  EXPECT_EQ(rank.report().calls, 5 * rank.report().iterations);
}

TEST(loop_watch, does_not_count_the_time_between_calls_that_is_not_the_programs) {
  Rank rank;
  rank.calls("ab", 1);
  rank.pause(0.5);
  rank.calls("a", 1);
  rank.pause(0.5);
  rank.calls("b", 1);
  ASSERT_TRUE(rank.watch.take_news());
  EXPECT_NEAR(rank.watch.mean_iteration().computation.value(), 0.4, 1e-6);
  EXPECT_NEAR(rank.watch.mean_iteration().communication.value(), 0.2, 1e-6);
}

TEST(loop_watch, does_not_trust_a_loop_of_some_milliseconds_in_all) {
  Rank rank;
  rank.calls("a", 33, 0.0002, 0.0001); // 9.9 ms
  EXPECT_FALSE(rank.watch.take_news());
  rank.calls("a", 1, 0.0002, 0.0001);
  EXPECT_TRUE(rank.watch.take_news());
}

TEST(loop_watch, tells_whenever_an_iteration_is_complete) {
  Rank rank;
  rank.calls("ab", 2);
  EXPECT_EQ(rank.calls("ab", 10), 10);
  EXPECT_FALSE(rank.call('a', 0.2, 0.1));
  EXPECT_TRUE(rank.call('b', 0.2, 0.1));
  EXPECT_EQ(rank.watch.iterations(), 13u);
}

TEST(loop_watch, does_not_trust_a_set_up_loop_that_took_little_of_the_time) {
  Rank rank;
  rank.call('r', 10, 0); // reads its input
  rank.calls("s", 40, 0.005, 0.005);
  EXPECT_EQ(rank.report().found, Found::nothing);
  EXPECT_FALSE(rank.watch.take_news());
  rank.calls("ab", 20);
  EXPECT_TRUE(rank.watch.take_news());
  EXPECT_EQ(rank.report().iterations, 20u);
}

TEST(loop_watch, does_not_trust_a_reduction_inside_an_iteration_that_never_repeats) {
  Rank rank;
  for (char site = 1; site < 40; ++site) {
    rank.calls("RRRRR", 1, 0.04, 0.04); // a loop of 0.4 s ...
    rank.call(site, 1, 0.1);            // ... in an iteration of 1.5 s that calls something new
  }
  EXPECT_EQ(rank.report().found, Found::nothing);
  EXPECT_FALSE(rank.watch.take_news());
}

TEST(loop_watch, lets_the_outer_loop_take_over_from_the_inner_one) {
  Rank rank;
  rank.calls("ab", 30);
  ASSERT_TRUE(rank.watch.take_news());
  EXPECT_EQ(rank.report().description, "2 MPI calls");
  EXPECT_EQ(rank.watch.phase(), 0U);
  for (const int inner : {3, 5, 4, 6, 3, 4, 7, 5}) {
    rank.call('c', 0.1, 0.1);
    rank.calls("ab", inner);
  }
  EXPECT_TRUE(rank.watch.take_news());
  EXPECT_NE(rank.report().description.find("loop of (2 MPI calls)"), std::string::npos)
      << rank.report().description;
  EXPECT_GE(rank.report().iterations, 4u);
}

TEST(loop_watch, does_not_return_from_the_outer_loop_to_the_inner_one) {
  Rank rank;
  for (int outer = 0; outer < 8; ++outer) {
    rank.calls("ab", 20);
    rank.call('c', 0.1, 0.1);
  }
  const auto before = rank.report();
  rank.calls("ab", 200);
  EXPECT_EQ(rank.report().description, before.description);
}

TEST(loop_watch, lets_a_second_phase_take_over) {
  Rank rank;
  rank.calls("ab", 20);
  ASSERT_TRUE(rank.watch.take_news());
  rank.calls("cde", 20);
  EXPECT_TRUE(rank.watch.take_news());
  EXPECT_EQ(rank.report().description, "3 MPI calls");
  EXPECT_EQ(rank.report().iterations, 20u);
}

TEST(loop_watch, reports_each_phase_with_all_its_times) {
  Rank rank;
  rank.calls("ab", 20);
  rank.calls("cde", 20);
  rank.calls("ab", 10);
  const auto phases = rank.watch.phases();
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].description, "2 MPI calls");
  EXPECT_EQ(phases[0].times, 2U);
  EXPECT_NEAR(static_cast<double>(phases[0].iterations), 30, 1);
  EXPECT_NEAR(phases[0].total.value(), 30 * 2 * 0.3, 1);
  EXPECT_EQ(phases[1].description, "3 MPI calls");
  EXPECT_EQ(phases[1].times, 1U);
  EXPECT_EQ(phases[1].iterations, 20U);
  EXPECT_EQ(rank.watch.phase(), 0U);
  EXPECT_NEAR(static_cast<double>(rank.report().iterations), 10, 1);
}

TEST(loop_watch, reports_no_time_twice_where_a_loop_around_two_phases_is_found) {
  Rank rank;
  for (int turn = 0; turn < 6; ++turn) {
    rank.calls("ab", 20);
    rank.calls("cde", 20);
  }
  double total = 0;
  for (const LoopReport& phase : rank.watch.phases())
    total += phase.total.value();
  EXPECT_LE(total, 6 * 20 * 5 * 0.3 * 1.0001);
  EXPECT_GE(total, 0.8 * 6 * 20 * 5 * 0.3);
}

TEST(loop_watch, has_news_of_a_phase_that_is_back_at_once_and_then_as_if_it_had_not_been_away) {
  Rank rank;
  rank.calls("ab", 20);
  ASSERT_TRUE(rank.watch.take_news());
  rank.calls("cde", 20);
  ASSERT_TRUE(rank.watch.take_news());
  rank.calls("ab", 2);
  EXPECT_TRUE(rank.watch.take_news());
  rank.calls("ab", 8);
  EXPECT_FALSE(rank.watch.take_news());
  rank.calls("ab", 6);
  EXPECT_TRUE(rank.watch.take_news());
}

/// A time step sends from one place to two partners there and back. All sizes change whenever the
/// program has rebuilt its lists, which it does every `steps` time steps.
void step(Rank& rank, int steps, std::uint64_t number) {
  const std::uint64_t size = 10 * (number / static_cast<std::uint64_t>(steps));
  if (number % static_cast<std::uint64_t>(steps) == 0)
    for (const char site : {'x', 'y', 'z', 'x', 'y', 'z'})
      rank.call(site, 0.001, 0.001, size + number);
  for (const char site : {'f', 'r'})
    for (const std::uint64_t partner : {1UL, 2UL})
      for (int call = 0; call < 3; ++call)
        rank.call(static_cast<char>(site + call), 0.001, 0.0005, size + partner);
}

TEST(loop_watch, goes_on_with_its_loop_when_the_sizes_of_messages_have_changed) {
  for (const int steps : {7, 20, 45}) {
    SCOPED_TRACE(steps);
    Rank rank;
    for (std::uint64_t number = 0; number < 5; ++number)
      step(rank, steps, number);
    const std::size_t takeovers = rank.watch.takeovers();
    for (std::uint64_t number = 5; number < 900; ++number)
      step(rank, steps, number);
    EXPECT_EQ(rank.watch.takeovers(), takeovers);
    EXPECT_EQ(rank.report().description, "12 MPI calls");
    EXPECT_GT(rank.report().iterations, 900u - 900u / static_cast<unsigned>(steps) - 5u);
    EXPECT_GT(rank.report().total.value(), 0.9 * 900 * 12 * 0.0015);
  }
}

TEST(loop_watch, goes_on_though_nothing_but_sizes_told_where_an_iteration_ends) {
  Rank rank;
  for (const char site : std::string_view("rstrstABCDEFGHIJ")) // half an iteration, and set-up
    rank.call(site, 0.001, 0.0005, 1);
  for (std::uint64_t number = 0; number < 5; ++number)
    step(rank, 20, number);
  const std::size_t takeovers = rank.watch.takeovers();
  for (std::uint64_t number = 5; number < 400; ++number)
    step(rank, 20, number);
  EXPECT_EQ(rank.watch.takeovers(), takeovers);
  EXPECT_NEAR(static_cast<double>(rank.report().iterations), 400, 25);
}

TEST(loop_watch, goes_on_after_more_calls_than_it_remembers) {
  constexpr std::uint64_t iterations = 120;
  constexpr std::uint64_t calls = 300; // in an iteration, of 0.45 s
  for (const std::uint64_t foreign : {1'000UL, 70'000UL, 140'000UL, 300'000UL}) {
    SCOPED_TRACE(foreign);
    Rank rank;
    const auto iterate = [&rank](std::uint64_t size) {
      for (std::uint64_t call = 0; call < iterations * calls; ++call)
        rank.call("abcdefghijkl"[call % 12], 0.001, 0.0005, size + call % calls / 12);
    };
    iterate(0);
    const std::size_t takeovers = rank.watch.takeovers();
    for (std::uint64_t call = 0; call < foreign; ++call)
      rank.call('o', 1e-7, 1e-7, call);
    iterate(1000); // all sizes are others
    const LoopReport report = rank.report();
    EXPECT_EQ(rank.watch.takeovers(), takeovers);
    EXPECT_NEAR(static_cast<double>(report.iterations), 2 * iterations, 3);
    EXPECT_NEAR(report.total.value(), 2 * iterations * 0.45, 0.5);
    EXPECT_NEAR(static_cast<double>(report.calls),
                static_cast<double>(2 * iterations * calls + foreign), 2 * calls);
  }
}

TEST(loop_watch, keeps_its_loop_through_an_iteration_that_lasts_long) {
  for (std::uint32_t before = 8; before <= 200; ++before) {
    Rank rank;
    for (std::uint32_t call = 0; call < 400; ++call)
      rank.call("abcd"[call % 4], call == before ? 3 : 0.3, 0.1);
    EXPECT_EQ(rank.watch.takeovers(), 1u) << before;
    EXPECT_GE(rank.report().iterations, 98u) << before;
  }
}

TEST(loop_watch, keeps_its_loop_when_the_program_ends_with_some_calls_that_repeat) {
  Rank rank;
  rank.calls("abcd", 200);
  rank.calls("xy", 4, 0.3, 0.3); // some iterations' time
  EXPECT_EQ(rank.report().description, "4 MPI calls");
  EXPECT_GE(rank.report().iterations, 199u);
}

TEST(loop_watch, keeps_its_loop_through_a_short_other_one) {
  Rank rank;
  rank.calls("ab", 100);
  rank.calls("x", 40, 0.01, 0.01); // 0.8 s after 60 s
  EXPECT_EQ(rank.report().description, "2 MPI calls");
  rank.calls("ab", 10);
  EXPECT_GE(rank.report().iterations, 109u);
}

TEST(loop_watch, falls_back_to_places_where_partners_always_change) {
  Rank rank;
  for (std::uint64_t i = 0; i < 40; ++i) {
    rank.call('s', 0.2, 0.1, i * i + 1);
    rank.call('r', 0.2, 0.1, 7 * i * i + 3);
  }
  EXPECT_TRUE(rank.watch.take_news());
  EXPECT_EQ(rank.report().found, Found::pattern);
  EXPECT_EQ(rank.report().description, "2 MPI calls");
  EXPECT_GE(rank.report().iterations, 39u);
}

TEST(loop_watch, prefers_a_loop_of_equal_partners_to_one_of_equal_places) {
  Rank rank; // all from one place: three partners in turn are an iteration
  for (std::uint64_t i = 0; i < 60; ++i)
    rank.call('s', 0.2, 0.1, i % 3);
  EXPECT_EQ(rank.report().description, "3 MPI calls");
  EXPECT_EQ(rank.report().iterations, 20u);
}

TEST(loop_watch, asks_more_of_a_loop_that_only_places_show) {
  Rank rank;
  rank.call('x', 80, 0);
  for (std::uint64_t i = 0; i < 40; ++i)
    rank.call('s', 0.2, 0.1, i * i); // 12 s of 92 s: enough for equal partners, not for places
  EXPECT_EQ(rank.report().found, Found::nothing);
}

TEST(loop_watch, believes_the_marker_and_not_the_pattern) {
  Rank rank;
  rank.calls("ab", 10);
  ASSERT_TRUE(rank.watch.take_news());
  EXPECT_FALSE(rank.mark()); // only begins an iteration
  rank.calls("ab", 5);
  EXPECT_TRUE(rank.mark(0.5));
  const auto report = rank.report();
  EXPECT_EQ(report.found, Found::marker);
  EXPECT_EQ(report.iterations, 1u);
  EXPECT_NEAR(report.first_iteration.value(), 6, 1e-9);
  EXPECT_NEAR(report.total.value(), 5 * 2 * 0.3 + 0.5, 1e-9);
  EXPECT_EQ(rank.calls("ab", 10), 0); // a pattern is no iteration any more
}

TEST(loop_watch, reports_the_first_complete_marked_iteration) {
  Rank rank;
  rank.mark();
  rank.call('a', 0.001, 0.002);
  EXPECT_FALSE(rank.watch.take_news());
  rank.mark(0.003);
  EXPECT_TRUE(rank.watch.take_news());
  EXPECT_DOUBLE_EQ(rank.watch.mean_iteration().computation.value(), 0.004);
  EXPECT_DOUBLE_EQ(rank.watch.mean_iteration().communication.value(), 0.002);
  EXPECT_FALSE(rank.watch.take_news()); // once
  rank.mark(0.1);
  EXPECT_TRUE(rank.watch.take_news());
}

TEST(loop_watch, tells_where_the_last_iterations_began_in_whatever_gears) {
  Rank rank;
  rank.calls("ab", 12, 0.2, 0.1);
  ASSERT_TRUE(rank.watch.take_news());
  rank.watch.measure_afresh();
  rank.calls("ab", 3, 0.2, 0.1);
  const auto& last = rank.watch.last_iterations();
  ASSERT_EQ(last.size(), 15U);
  for (std::size_t i = 0; i < last.size(); ++i)
    EXPECT_EQ(last[i].event, 2 * i);
  rank.calls("ab", 2000, 0.2, 0.1);
  EXPECT_GE(last.size(), Loop::most_last / 2);
  EXPECT_LE(last.size(), Loop::most_last);
  EXPECT_EQ(last.back().event, 2U * (12 + 3 + 2000 - 1));
}

TEST(loop_watch, reports_marked_iterations_of_another_gear_when_one_is_complete) {
  Rank rank;
  rank.mark();
  rank.watch.measure_afresh();
  rank.mark(1); // began before
  EXPECT_FALSE(rank.watch.take_news());
  rank.mark(2);
  EXPECT_TRUE(rank.watch.take_news());
  EXPECT_DOUBLE_EQ(rank.watch.mean_iteration().computation.value(), 2);
}

TEST(loop_watch, has_news_again_after_half_as_many_iterations_again) {
  for (const bool marked : {false, true}) {
    Rank rank;
    if (marked)
      rank.mark();
    std::vector<std::size_t> news;
    for (int i = 0; i < 40; ++i) {
      rank.calls("ab", 1, 0.02, 0.01);
      if (marked)
        rank.mark();
      if (rank.watch.take_news())
        news.push_back(rank.watch.iterations());
    }
    const std::vector<std::size_t> all{1, 2, 3, 5, 8, 12, 18, 27};
    EXPECT_EQ(news, std::vector<std::size_t>(all.begin() + (marked ? 0 : 1), all.end())) << marked;
  }
}

TEST(loop_watch, measures_afresh_what_depends_on_the_gear) {
  Rank rank;
  rank.calls("ab", 12, 0.2, 0.1);
  ASSERT_TRUE(rank.watch.take_news());
  rank.watch.measure_afresh();
  rank.calls("ab", 36, 0.4, 0.3);
  ASSERT_TRUE(rank.watch.take_news());
  const Span mean = rank.watch.mean_iteration();
  EXPECT_NEAR(mean.computation.value(), 0.8, 1e-9);
  EXPECT_NEAR(mean.communication.value(), 0.6, 1e-9);
  // In gear 0 it is the mean of all iterations. (Here the gear did not change.)
  EXPECT_NEAR(mean.computation_in_gear0.value(), (12 * 0.4 + 36 * 0.8) / 48, 1e-9);
}

TEST(loop_watch, has_news_when_asked_once_an_iteration_is_measured_afresh) {
  Rank rank;
  rank.calls("ab", 200, 0.002, 0.001);
  ASSERT_TRUE(rank.watch.take_news());
  rank.watch.measure_afresh();
  rank.watch.look_again();
  rank.calls("ab", 1, 0.002, 0.001); // it may have begun before
  EXPECT_FALSE(rank.watch.take_news());
  rank.calls("ab", 1, 0.002, 0.001);
  EXPECT_TRUE(rank.watch.take_news());
  rank.calls("ab", 12, 0.002, 0.001);
  EXPECT_FALSE(rank.watch.take_news()); // once
}

TEST(loop_watch, looks_at_fewer_iterations_where_these_are_alike) {
  Rank steady;
  steady.calls("ab", 200, 0.002, 0.001);
  ASSERT_TRUE(steady.watch.take_news());
  steady.watch.measure_afresh();
  steady.watch.look_again(6);
  steady.calls("ab", 3, 0.002, 0.001);
  EXPECT_FALSE(steady.watch.take_news()); // the first may have begun before
  steady.calls("ab", 1, 0.002, 0.001);
  EXPECT_TRUE(steady.watch.take_news());

  Rank uneven;
  uneven.calls("ab", 200, 0.002, 0.001);
  ASSERT_TRUE(uneven.watch.take_news());
  uneven.watch.measure_afresh();
  uneven.watch.look_again(6);
  for (int i = 0; i < 5; ++i) {
    uneven.calls("ab", 1, i % 2 == 0 ? 0.002 : 0.003, 0.001);
    EXPECT_FALSE(uneven.watch.take_news()) << i;
  }
  uneven.calls("ab", 3, 0.002, 0.001);
  EXPECT_TRUE(uneven.watch.take_news());
}

TEST(loop_watch, has_no_news_before_an_iteration_in_the_new_gear) {
  Rank rank;
  rank.calls("ab", 12);
  rank.watch.take_news();
  rank.calls("ab", 35);
  rank.call('a', 0.2, 0.1);
  rank.watch.measure_afresh();
  rank.call('b', 0.2, 0.1); // the 48th iteration began in the old gear
  EXPECT_EQ(rank.watch.iterations(), 48u);
  EXPECT_FALSE(rank.watch.take_news());
  rank.calls("ab", 1);
  EXPECT_TRUE(rank.watch.take_news());
}

/// The calls, as far as it takes another loop to become the main one, with the gear changed just
/// before each.
void take_over_in_new_gear(Rank& rank, std::string_view sites) {
  const std::size_t before = rank.watch.takeovers();
  for (int times = 0; times < 10; ++times)
    for (const char site : sites) {
      rank.watch.measure_afresh();
      rank.call(site, 0.2, 0.1);
      if (rank.watch.takeovers() != before)
        return;
    }
  FAIL() << "no loop took over";
}

TEST(loop_watch, has_news_of_a_loop_around_the_last_before_it_was_measured_in_the_present_gear) {
  Rank rank;
  rank.calls("ab", 20);
  ASSERT_TRUE(rank.watch.take_news());
  take_over_in_new_gear(rank, "cababababab");
  EXPECT_TRUE(rank.watch.has_mean());
  EXPECT_TRUE(rank.watch.take_news());
  EXPECT_EQ(rank.watch.measured_iterations(), 0U);
  // Means are of all its iterations, whatever gears these ran in.
  const LoopReport loop = rank.report();
  const auto count = static_cast<double>(loop.iterations);
  const Span mean = rank.watch.mean_iteration();
  EXPECT_NEAR(mean.computation.value(), loop.computation.value() / count, 1e-6);
  EXPECT_NEAR(mean.communication.value(), mean.computation.value() / 2, 1e-6);
  EXPECT_NEAR(rank.watch.mean_length().value(), loop.total.value() / count, 1e-6);
  EXPECT_NEAR(rank.watch.measured_since().value(), loop.first_iteration.value(), 1e-9);
  // Then one in the present gear is waited for.
  EXPECT_FALSE(rank.watch.take_news());
  rank.calls("cababababab", 3);
  EXPECT_GT(rank.watch.measured_iterations(), 0U);
  EXPECT_TRUE(rank.watch.take_news());
}

TEST(loop_watch, has_no_news_of_another_phase_before_it_was_measured_in_the_present_gear) {
  Rank rank;
  rank.calls("ab", 20);
  ASSERT_TRUE(rank.watch.take_news());
  take_over_in_new_gear(rank, "cdecdecde");
  EXPECT_NE(rank.watch.phase(), 0U);
  EXPECT_FALSE(rank.watch.take_news());
  rank.calls("cde", 2);
  EXPECT_TRUE(rank.watch.take_news());
}

TEST(loop_watch, has_news_of_a_known_phase_before_it_was_measured_in_the_present_gear) {
  Rank rank;
  rank.calls("ab", 20);
  ASSERT_TRUE(rank.watch.take_news());
  rank.calls("cde", 20);
  ASSERT_TRUE(rank.watch.take_news());
  take_over_in_new_gear(rank, "abababab");
  EXPECT_EQ(rank.watch.phase(), 0U);
  EXPECT_TRUE(rank.watch.take_news());
}

TEST(loop_watch, has_no_news_of_iterations_that_are_no_longer_what_they_were) {
  Rank rank;
  rank.calls("ab", 20);
  ASSERT_TRUE(rank.watch.take_news());
  take_over_in_new_gear(rank, "cababababab");
  rank.watch.begin_level();
  EXPECT_FALSE(rank.watch.has_mean());
  EXPECT_FALSE(rank.watch.take_news());
}

TEST(loop_watch, knows_how_sure_the_mean_length_of_an_iteration_is) {
  Rank rank;
  rank.mark();
  EXPECT_EQ(rank.watch.deviation(), Seconds{}); // none yet
  for (const double computation : {1.0, 2.0, 3.0, 2.0}) {
    rank.call('a', computation, 0.5);
    rank.mark();
  }
  EXPECT_EQ(rank.watch.measured_iterations(), 4U);
  EXPECT_NEAR(rank.watch.deviation().value(), std::sqrt(2.0 / 3 / 4), 1e-9);
  rank.watch.measure_afresh();
  EXPECT_EQ(rank.watch.measured_iterations(), 0U);
  EXPECT_EQ(rank.watch.deviation(), Seconds{});
}

TEST(loop_watch, has_news_every_so_many_iterations_where_that_is_asked_for) {
  Rank rank(0, {.every = 30});
  std::vector<std::size_t> news;
  for (int i = 0; i < 200; ++i) {
    rank.calls("ab", 1);
    if (rank.watch.take_news())
      news.push_back(rank.watch.iterations());
  }
  ASSERT_GE(news.size(), 6U);
  for (std::size_t i = 1; i < news.size(); ++i)
    EXPECT_EQ(news[i] - news[i - 1], 30U);
}

TEST(loop_watch, takes_the_mean_of_recent_iterations_where_they_may_change) {
  Rank steady;
  Rank changing(0, {.every = {}, .adaptive = true});
  for (Rank* rank : {&steady, &changing}) {
    rank->calls("ab", 20, 1);
    EXPECT_TRUE(rank->watch.take_news());
    rank->watch.measure_afresh();
    rank->calls("ab", 20, 3);
    EXPECT_TRUE(rank->watch.take_news());
  }
  EXPECT_GT(steady.watch.mean_iteration().computation_in_gear0, Seconds{3.5});
  EXPECT_LT(steady.watch.mean_iteration().computation_in_gear0, Seconds{4.5});
  EXPECT_NEAR(changing.watch.mean_iteration().computation_in_gear0.value(), 6, 1e-9);
}

TEST(loop_watch, counts_how_often_a_loop_became_the_main_one) {
  Rank rank;
  EXPECT_EQ(rank.watch.takeovers(), 0U);
  rank.calls("ab", 20);
  EXPECT_EQ(rank.watch.takeovers(), 1U);
  rank.calls("cde", 200);
  EXPECT_EQ(rank.watch.takeovers(), 2U);
}

} // namespace
} // namespace hypermile::runtime
