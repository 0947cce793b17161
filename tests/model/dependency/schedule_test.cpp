// When the ranks of random programs do what, in given gears, against the times and sums that the
// dependency model tells of the same run, and against a simulation written without it.

#include "model/dependency/dependencies.hpp"
#include "support/random_timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::model::dependency {
namespace {

using test::RandomTimeline;

constexpr double rounding = 1e-5; // a Timeline keeps floats
constexpr unsigned random_programs = 60;

Seconds waited(const Schedule::Rank& rank) {
  Seconds sum;
  for (const Schedule::Wait& wait : rank.waits)
    sum += wait.end - wait.begin;
  return sum;
}

std::vector<double> some_scales(RandomTimeline& random, std::size_t ranks) {
  std::vector<double> scales;
  for (std::size_t r = 0; r < ranks; ++r)
    scales.push_back(random.uniform(1, 2.5));
  return scales;
}

/// Calls come one after the other, waits are inside of them.
void expect_calls_in_order(const Schedule::Rank& rank) {
  Seconds now = rank.begin;
  auto wait = rank.waits.begin();
  for (const Schedule::Call& call : rank.calls) {
    ASSERT_GE(call.entered, now);
    ASSERT_GE(call.left, call.entered);
    now = call.entered;
    for (; wait != rank.waits.end() && wait->begin < call.left; ++wait) {
      ASSERT_GE(wait->begin, now);
      ASSERT_LE(wait->end, call.left);
      now = wait->end;
    }
    now = call.left;
  }
  EXPECT_EQ(wait, rank.waits.end());
  EXPECT_GE(rank.end, now);
}

TEST(schedule, adds_up_to_what_the_model_tells_of_the_run) {
  for (unsigned seed = 1; seed <= random_programs; ++seed) {
    RandomTimeline random(seed);
    const auto program = random.make(random.integer(2, 6), random.integer(2, 8));
    const Timeline timeline = run(program, std::vector<double>(6, 1)).timeline;
    const Dependencies dependencies(timeline, program.protocol);
    const auto scales = some_scales(random, dependencies.ranks());
    const Schedule schedule = dependencies.schedule(timeline, scales);
    const Outcome outcome = dependencies.outcome(scales);
    const auto accounts = dependencies.accounts(scales);
    EXPECT_NEAR((schedule.end() - schedule.begin()).value(), outcome.time.value(), rounding);
    for (std::size_t r = 0; r < dependencies.ranks(); ++r) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", rank " << r);
      const Schedule::Rank& rank = schedule.ranks[r];
      expect_calls_in_order(rank);
      EXPECT_NEAR(rank.end.value(), outcome.ends[r].value(), rounding);
      EXPECT_NEAR(schedule.computing(r).value(), accounts[r].computing.value(), rounding);
      const Seconds outside = (rank.begin - schedule.begin()) + (schedule.end() - rank.end);
      EXPECT_NEAR((waited(rank) + outside).value(), accounts[r].waiting.value(), rounding);
    }
  }
}

TEST(schedule, in_gear_0_is_the_recorded_one) {
  for (unsigned seed = 1; seed <= random_programs; ++seed) {
    RandomTimeline random(seed);
    const auto program = random.make(random.integer(2, 6), random.integer(2, 8));
    const Timeline timeline = run(program, std::vector<double>(6, 1)).timeline;
    const Dependencies dependencies(timeline, program.protocol);
    const std::vector<double> gear0(dependencies.ranks(), 1);
    const Schedule forecast = dependencies.schedule(timeline, gear0);
    const Schedule recorded = recorded_schedule(timeline);
    for (std::size_t r = 0; r < recorded.ranks.size(); ++r) {
      ASSERT_EQ(recorded.ranks[r].calls.size(), forecast.ranks[r].calls.size());
      EXPECT_NEAR(recorded.ranks[r].end.value(), forecast.ranks[r].end.value(), rounding);
      for (std::size_t c = 0; c < recorded.ranks[r].calls.size(); ++c) {
        const auto& a = recorded.ranks[r].calls[c];
        const auto& b = forecast.ranks[r].calls[c];
        EXPECT_EQ(a.first, b.first);
        EXPECT_EQ(a.end, b.end);
        EXPECT_NEAR(a.entered.value(), b.entered.value(), rounding);
        EXPECT_NEAR(a.left.value(), b.left.value(), rounding);
      }
    }
  }
}

TEST(schedule, of_a_rank_without_calls_is_its_computation) {
  Timeline timeline;
  timeline.ranks.resize(1);
  timeline.ranks[0].begin = Seconds{1};
  timeline.ranks[0].computation_after = Seconds{2};
  const Dependencies dependencies(timeline);
  const Schedule slower = dependencies.schedule(timeline, std::vector<double>{3});
  EXPECT_EQ(slower.ranks[0].end, Seconds{7});
  EXPECT_EQ(recorded_schedule(timeline).computing(0), Seconds{2});
}

} // namespace
} // namespace hypermile::model::dependency
