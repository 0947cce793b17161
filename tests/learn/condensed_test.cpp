// A run as a short timeline: it gives the same times as the whole one.

#include "learn/condensed.hpp"

#include "learn/jobs.hpp"
#include "model/dependency/calls.hpp"
#include "model/dependency/dependencies.hpp"
#include "runtime/record/stage.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::learn {
namespace {

using model::dependency::Dependencies;
using test::memory_of;
using test::Pattern;
using test::ranks_of_job;
using test::recorded;

Seconds time_of(const model::Timeline& timeline, const std::vector<double>& scales) {
  Dependencies::Workspace workspace;
  return Dependencies(timeline).time(scales, workspace);
}

/// Only the last part of it is known.
Memory forgetful(const model::Timeline& timeline, double share) {
  Memory memory = memory_of(timeline);
  for (auto& rank : memory.ranks) {
    model::RankTimeline& known = rank.lesson->timeline;
    known = model::cut(known, model::end(known) - share * rank.time, Seconds{1e9});
  }
  return memory;
}

TEST(condensed, is_the_timeline_itself_where_all_of_it_is_known) {
  const auto timeline = recorded(1, 4);
  const auto whole = condensed(memory_of(timeline));
  ASSERT_TRUE(whole);
  for (const auto& scales : {std::vector<double>{1, 1, 1, 1}, {1, 2, 1, 1.5}, {2, 2, 2, 2}})
    EXPECT_NEAR(time_of(*whole, scales) / time_of(timeline, scales), 1, 1e-9);
}

TEST(condensed, of_a_part_stands_for_all_repetitions) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const auto timeline = recorded(seed, 40);
    const auto part = condensed(forgetful(timeline, 0.3));
    ASSERT_TRUE(part) << seed;
    EXPECT_LT(part->ranks[0].events.size(), timeline.ranks[0].events.size() / 2);
    for (const auto& scales : {std::vector<double>{1, 1, 1, 1}, {1, 2, 1, 1.5}, {2, 1, 1, 1}})
      EXPECT_NEAR(time_of(*part, scales) / time_of(timeline, scales), 1, 0.065) << seed;
  }
}

/// Of the last operation of all to which one rank comes last, that rank: it needs so long for
/// hypermile before, and the others wait for it.
model::Timeline with_a_pause(model::Timeline timeline, double seconds) {
  const model::dependency::Matching matching(timeline);
  const model::dependency::Calls calls(matching);
  const auto is_of_all = [&](const auto& collective) {
    return matching.operation(collective.arrivals.front()).shape == model::Shape::all;
  };
  const auto& collectives = matching.collectives();
  const auto& met = *std::find_if(collectives.rbegin(), collectives.rend(), is_of_all);
  const auto last = *std::ranges::max_element(met.arrivals, {},
                                              [&](auto arrival) { return calls.entered(arrival); });
  for (const auto arrival : met.arrivals) {
    model::RankTimeline& rank = timeline.ranks[matching.rank(arrival)];
    const auto event = arrival - matching.first_event(matching.rank(arrival));
    if (arrival == last)
      rank.pauses = {{static_cast<std::uint32_t>(event), Seconds{seconds}}};
    else
      rank.events[event + 1].duration += static_cast<float>(seconds);
  }
  return timeline;
}

TEST(condensed, leaves_out_what_hypermile_itself_took) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const auto timeline = recorded(seed, 40, {Pattern::collective});
    const Seconds pause = 0.1 * model::end(timeline.ranks[0]);
    const auto without = condensed(forgetful(timeline, 0.3));
    const auto with = condensed(forgetful(with_a_pause(timeline, pause.value()), 0.3));
    ASSERT_TRUE(without && with) << seed;
    for (const auto& scales : {std::vector<double>{1, 1, 1, 1}, {1, 2, 1, 1.5}, {2, 1, 1, 1}})
      EXPECT_NEAR(time_of(*with, scales) / time_of(*without, scales), 1, 0.03) << seed;
  }
}

TEST(condensed, keeps_the_computation_of_every_rank) {
  const auto timeline = recorded(5, 40);
  Memory memory = forgetful(timeline, 0.3);
  memory.ranks[2].lesson->outline.total += Seconds{3}; // before what is known
  const auto part = condensed(memory);
  ASSERT_TRUE(part);
  const Dependencies dependencies(*part);
  for (std::size_t r = 0; r < ranks_of_job; ++r)
    EXPECT_NEAR(dependencies.computation()[r] / memory.ranks[r].lesson->outline.total, 1, 1e-5);
}

TEST(condensed, is_nothing_without_the_events_of_all_ranks) {
  Memory none = memory_of(recorded(1));
  none.ranks[1].lesson->timeline = {};
  EXPECT_FALSE(condensed(none));
  Memory incomplete = memory_of(recorded(1));
  incomplete.ranks[3].lesson->timeline.incomplete = "Put";
  EXPECT_FALSE(condensed(incomplete));
}

TEST(condensed, is_nothing_where_ranks_recorded_at_different_times) {
  Memory memory = memory_of(recorded(1, 20));
  for (std::size_t r = 0; r < ranks_of_job; ++r) {
    model::RankTimeline& known = memory.ranks[r].lesson->timeline;
    const Seconds middle = known.begin + 0.5 * (model::end(known) - known.begin);
    known =
        r == 0 ? model::cut(known, known.begin, middle) : model::cut(known, middle, Seconds{1e9});
  }
  EXPECT_FALSE(condensed(memory));
}

TEST(longest_stage, is_the_time_in_which_the_gear_did_not_change) {
  const auto rank = recorded(1, 20).ranks[0];
  const Seconds begin = rank.begin;
  const Seconds length = model::end(rank) - begin;
  const auto stage = runtime::longest_stage(
      rank,
      {{runtime::GearStage::beginning, 1}, {begin + 0.2 * length, 2}, {begin + 0.9 * length, 3}},
      std::nullopt, 100'000);
  EXPECT_EQ(stage.scale, 2);
  EXPECT_GE(stage.begin, begin + 0.2 * length);
  EXPECT_LE(model::end(stage), begin + 0.9 * length);
  EXPECT_GT(model::end(stage) - stage.begin, 0.5 * length);
}

TEST(longest_stage, is_the_one_that_all_ranks_report_though_another_is_longer_on_this_one) {
  const auto rank = recorded(1, 20).ranks[0];
  const Seconds begin = rank.begin;
  const Seconds end = model::end(rank);
  const Seconds length = end - begin;
  const std::vector<runtime::GearStage> stages{{runtime::GearStage::beginning, 1, 0},
                                               {begin + 0.1 * length, 2, 1},
                                               {begin + 0.6 * length, 3, 2},
                                               {begin + 0.7 * length, 4, 2}};
  EXPECT_EQ(runtime::orders_of_longest_stage(stages, begin, end), 1U);
  EXPECT_EQ(runtime::orders_of_longest_stage(stages, begin + 0.5 * length, end), 2U);
  EXPECT_EQ(runtime::orders_of_longest_stage({}, begin, end), 0U);
  const auto of = [&](std::optional<std::size_t> orders) {
    return runtime::longest_stage(rank, stages, orders, 100'000);
  };
  EXPECT_EQ(of(std::nullopt).scale, 2);
  EXPECT_EQ(of(0).scale, 1);
  EXPECT_EQ(of(2).scale, 4); // the longer one of the two since that order
  EXPECT_GE(of(2).begin, begin + 0.7 * length);
  EXPECT_EQ(of(7).scale, 2); // which this rank has not followed
}

TEST(longest_stage, keeps_the_last_events_where_there_are_too_many) {
  const auto rank = recorded(1, 50).ranks[0];
  const auto stage = runtime::longest_stage(rank, {{runtime::GearStage::beginning, 1}},
                                            std::nullopt, rank.events.size() / 5);
  EXPECT_LE(stage.events.size(), rank.events.size() / 5);
  EXPECT_GT(stage.events.size(), 0u);
  EXPECT_NEAR(model::end(stage).value(), model::end(rank).value(), 1e-6);
}

} // namespace
} // namespace hypermile::learn
