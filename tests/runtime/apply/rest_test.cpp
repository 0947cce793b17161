#include "runtime/apply/program.hpp"

#include <gtest/gtest.h>

namespace hypermile::runtime {
namespace {

using Gears = std::vector<std::size_t>;

constexpr double iteration_s = 2.25; // s

void repeat(Program& program, bool loop) {
  for (auto& rank : program.ranks)
    rank->setup.repeats = loop;
}

/// From now on it costs this share of the time to watch each rank.
void watching_costs(Program& program, double share) {
  for (auto& rank : program.ranks)
    rank->watching = share;
}

/// Calls in which nothing repeats, until the ranks rest.
void flood(Program& program) {
  repeat(program, false);
  watching_costs(program, 0.2);
  program.iterate(50);
}

std::size_t resting(const Program& program) {
  return static_cast<std::size_t>(std::ranges::count_if(
      program.ranks, [](const auto& rank) { return rank->controller.rests(); }));
}

TEST(rest, comes_where_no_loop_is_known_and_watching_costs_too_much) {
  Program program(uneven, select::Request{});
  repeat(program, false);
  watching_costs(program, 0.015);
  program.iterate(200);
  EXPECT_EQ(resting(program), 0U);
  watching_costs(program, 0.2);
  program.iterate(200);
  EXPECT_EQ(resting(program), 3U);
  const RunReport run = program.finish();
  for (const RankReport& rank : run.ranks) {
    EXPECT_GT(rank.unwatched, Seconds{100 * iteration_s});
    EXPECT_LT(rank.watching / rank.time, 0.03); // of 0.2
    EXPECT_GT(rank.calls, 400U);                // one stands for many
    EXPECT_NEAR((rank.computation + rank.communication).value(), 400 * iteration_s, 1e-6);
  }
}

/// The account of a bound counts it.
TEST(watching, is_part_of_what_ranks_tell_of_hypermiles_own_time) {
  Program program(uneven, bounded());
  std::vector<Measurement> told;
  program.network.tamper([&told](test::Network::Message& message) {
    for (const auto& entry : unpack(message.bytes, 3).entries)
      if (const auto all = decode(entry.bytes); const auto* m = std::get_if<Measurement>(&all))
        told.push_back(*m);
  });
  watching_costs(program, 0.01);
  program.iterate(300);
  program.finish();
  ASSERT_GE(told.size(), 4U);
  EXPECT_NEAR(told.back().own / told.back().elapsed, 0.01, 0.002);
}

TEST(rest, costs_no_more_than_its_share_however_long_the_run) {
  for (const int iterations : {500, 2000, 8000}) {
    Program program(uneven, bounded());
    repeat(program, false);
    watching_costs(program, 0.3);
    program.iterate(iterations);
    for (const RankReport& rank : program.finish().ranks) {
      EXPECT_LT(rank.watching / rank.time, 0.025) << iterations;
      EXPECT_GT(rank.watching / rank.time, 0.008) << iterations; // it looks again and again
    }
  }
}

TEST(rest, ends_and_the_loop_is_found_then) {
  Program program(uneven, bounded());
  flood(program);
  ASSERT_EQ(resting(program), 3U);
  repeat(program, true);
  watching_costs(program, 0.001);
  program.iterate(100);
  EXPECT_EQ(resting(program), 0U);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  const RunReport run = program.finish();
  EXPECT_EQ(run.ranks[0].failure, "");
  EXPECT_GT(run.ranks[0].loop.first_iteration, run.ranks[0].unwatched);
}

/// Long before what the flood has cost may be spent again.
TEST(rest, ends_soon_where_calls_become_rare) {
  const auto resting_after = [](double cost) {
    Program program(uneven, bounded());
    flood(program);
    EXPECT_EQ(resting(program), 3U);
    watching_costs(program, cost);
    int iterations = 0;
    for (; resting(program) > 0 && iterations < 100; ++iterations)
      program.iterate(1);
    program.finish();
    return iterations;
  };
  EXPECT_GT(resting_after(0.2), 3);
  EXPECT_GT(resting_after(0.02), 3);
  EXPECT_LE(resting_after(0.005), 2);
}

/// However often it does.
TEST(rest, costs_no_more_than_its_share_where_floods_come_and_go) {
  Program program(uneven, bounded());
  repeat(program, false);
  for (int i = 0; i < 300; ++i) {
    watching_costs(program, i % 2 == 0 ? 0.2 : 0.001);
    program.iterate(i % 7 + 1);
  }
  for (const RankReport& rank : program.finish().ranks)
    EXPECT_LT(rank.watching / rank.time, 0.03); // of 0.1
}

TEST(rest, ends_where_the_program_marks_its_iterations) {
  Program program(uneven, bounded());
  flood(program);
  ASSERT_EQ(resting(program), 3U);
  for (auto& rank : program.ranks)
    rank->controller.end_rest();
  EXPECT_EQ(resting(program), 0U);
  program.finish();
}

TEST(rest, comes_after_all_went_back_to_gear_0_where_the_bound_would_break) {
  Program program(uneven, bounded());
  watching_costs(program, 0.03);
  program.iterate(100);
  EXPECT_EQ(resting(program), 0U);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  watching_costs(program, 0.2);
  program.iterate(20);
  EXPECT_GT(resting(program), 0U);
  EXPECT_EQ(program.gears(), (Gears{0, 0, 0}));
  program.iterate(1000);
  for (const auto& rank : program.ranks)
    EXPECT_LT(rank->controller.report().watching / rank->controller.report().time, 0.05);
  watching_costs(program, 0.001);
  program.iterate(6000);
  EXPECT_EQ(resting(program), 0U);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  for (const RankReport& rank : program.finish().ranks)
    EXPECT_EQ(rank.failure, "");
}

TEST(rest, goes_by_where_a_known_loop_is_in_gear_0) {
  Program program({{0, 1}, {1, 1}}, bounded()); // both are needed as they are
  program.iterate(50);
  watching_costs(program, 0.2);
  program.iterate(200);
  EXPECT_EQ(program.gears(), (Gears{0, 0}));
  EXPECT_GT(resting(program), 0U);
  watching_costs(program, 0.001);
  program.iterate(1000);
  EXPECT_EQ(resting(program), 0U);
  program.ranks[0]->setup.computation = 0.4;
  program.iterate(300);
  EXPECT_EQ(program.gears(), (Gears{1, 0}));
  const RunReport run = program.finish();
  EXPECT_EQ(run.ranks[0].failure, "");
}

TEST(rest, does_not_end_a_choice_without_a_bound) {
  Program program(uneven, select::Request{});
  program.iterate(20);
  watching_costs(program, 0.2);
  program.iterate(200);
  EXPECT_EQ(resting(program), 0U);
  EXPECT_EQ(program.gears(), (Gears{1, 0, 1}));
  program.finish();
}

TEST(rest, does_not_come_where_calls_are_only_to_be_measured) {
  Program program(uneven, std::nullopt);
  watching_costs(program, 0.2);
  program.iterate(200);
  EXPECT_EQ(resting(program), 0U);
  program.finish();
}

} // namespace
} // namespace hypermile::runtime
