#include "model/timeline.hpp"

#include "model/dependency/dependencies.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

namespace hypermile::model {
namespace {

using test::Script;
using test::timeline_of;

TEST(cut, keeps_whole_calls_and_the_computation_before_them) {
  Script a;
  a.computes(1).calls(0.5).computes(1).calls(0.5).computes(1).calls(0.5);
  const auto timeline = timeline_of(a);
  const RankTimeline part = cut(timeline.ranks[0], Seconds{2}, Seconds{4});
  EXPECT_DOUBLE_EQ(part.begin.value(), 2); // half of the computation before the second call
  ASSERT_EQ(part.events.size(), 1u);
  EXPECT_FLOAT_EQ(part.events[0].computation, 0.5F);
  EXPECT_EQ(part.before, (std::vector<std::uint64_t>{1, 0, 0}));
  EXPECT_DOUBLE_EQ(part.computation_after.value(), 1); // until the end, of the third call
  EXPECT_DOUBLE_EQ(end(part).value(), 4);
}

TEST(cut, leaves_nothing_where_there_is_nothing) {
  Script a;
  a.computes(1).calls(0.5);
  const auto timeline = timeline_of(a);
  EXPECT_TRUE(cut(timeline.ranks[0], Seconds{2}, Seconds{3}).events.empty());
  EXPECT_TRUE(cut(timeline.ranks[0], Seconds{0}, Seconds{0.5}).events.empty());
}

TEST(cut, matches_what_is_left_by_what_was_before) {
  // The first message was sent before the cut and received after it.
  Script a;
  Script b;
  a.computes(1).sends(1, 0).computes(3).sends(1, 0);
  b.computes(2).receives(0, 0.5).receives(0, 2);
  auto timeline = timeline_of(a, b);
  for (RankTimeline& rank : timeline.ranks)
    rank = cut(rank, Seconds{1.5}, Seconds{5});
  const dependency::Matching matching(timeline);
  ASSERT_EQ(matching.messages().size(), 1u);
  EXPECT_EQ(matching.messages()[0].send, 0u);
  EXPECT_EQ(matching.rank(matching.messages()[0].receive), 1u);
  EXPECT_EQ(matching.messages()[0].receive, matching.first_event(1) + 2);
}

TEST(cut, makes_a_completion_of_what_was_cut_off_a_call_of_its_own) {
  Script a;
  a.starts_receive(1).computes(1).waits_for(1, 0.5);
  const auto timeline = timeline_of(a);
  const RankTimeline part = cut(timeline.ranks[0], Seconds{0.5}, Seconds{5});
  ASSERT_EQ(part.events.size(), 1u);
  EXPECT_EQ(part.operations[part.events[0].operation].action, Action::other);
  EXPECT_EQ(part.events[0].started, 0u);
}

TEST(cut, keeps_pauses_where_they_were) {
  Script a;
  a.computes(1).calls(0.5).pauses(2).computes(1).calls(0.5).pauses(4).computes(1).calls(0.5);
  const auto timeline = timeline_of(a);
  const RankTimeline& rank = timeline.ranks[0];
  EXPECT_DOUBLE_EQ(end(rank).value(), 10.5);
  RankClock clock(rank);
  (void)clock.next();
  const RankClock::Moments second = clock.next();
  EXPECT_DOUBLE_EQ(second.begin.value(), 3.5);
  EXPECT_DOUBLE_EQ(second.entered.value(), 4.5);
  EXPECT_DOUBLE_EQ(second.left.value(), 5);
  for (const double from : {1.6, 3.5}) { // within the first pause, and at its end
    const RankTimeline part = cut(rank, Seconds{from}, Seconds{20});
    EXPECT_DOUBLE_EQ(part.begin.value(), 3.5);
    ASSERT_EQ(part.events.size(), 2u);
    EXPECT_FLOAT_EQ(part.events[0].computation, 1);
    EXPECT_EQ(part.pauses, (std::vector<RankTimeline::Pause>{{1, Seconds{4}}}));
    EXPECT_DOUBLE_EQ(end(part).value(), 10.5);
  }
  const RankTimeline first = cut(rank, Seconds{0}, Seconds{3});
  EXPECT_EQ(first.events.size(), 1u);
  EXPECT_TRUE(first.pauses.empty());
  EXPECT_EQ(first.computation_after, Seconds{}); // it is in its pause
}

TEST(timeline, recorded_in_a_lower_gear_tells_of_gear_0_too) {
  Script a;
  Script b;
  a.computes(4).sends(1, 0);
  b.computes(1).receives(0, 3.25);
  auto timeline = timeline_of(a, b);
  timeline.ranks[0].scale = 2;
  const dependency::Dependencies dependencies(timeline);
  EXPECT_NEAR(dependencies.outcome(std::vector{1.0, 1.0}).time.value(), 2.25, 1e-6);
  EXPECT_NEAR(dependencies.outcome(std::vector{2.0, 1.0}).time.value(), 4.25, 1e-6);
}

} // namespace
} // namespace hypermile::model
