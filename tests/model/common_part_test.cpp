#include "model/common_part.hpp"

#include "model/dependency/matching.hpp"
#include "support/random_timeline.hpp"
#include "support/scripted_timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace hypermile::model {
namespace {

using test::Script;
using test::timeline_of;

Timeline common_part(const Timeline& whole, Seconds from, Seconds to,
                     std::optional<Seconds> latest = std::nullopt) {
  std::vector<const RankTimeline*> ranks;
  for (const RankTimeline& rank : whole.ranks)
    ranks.push_back(&rank);
  return {.functions = whole.functions,
          .ranks = model::common_part(ranks, from, to, latest.value_or(to))};
}

TEST(common_part, has_a_collective_operation_that_only_some_had_left) {
  Script a;
  Script b;
  a.computes(2).joins(Shape::all, 2, 1).computes(1);
  b.computes(1).joins(Shape::all, 2, 2.5).computes(1);
  const auto whole = timeline_of(a, b);
  const auto part = common_part(whole, Seconds{0}, Seconds{3}); // a has left, b has not
  EXPECT_EQ(part.ranks[0].events.size(), 2u);
  ASSERT_EQ(part.ranks[1].events.size(), 2u);
  EXPECT_FLOAT_EQ(part.ranks[1].events[1].duration, 2.5F);
  EXPECT_DOUBLE_EQ(part.ranks[1].computation_after.value(), 0);
}

TEST(common_part, has_not_one_that_somebody_had_not_entered) {
  Script a;
  Script b;
  a.computes(1).joins(Shape::all, 2, 9);
  b.computes(1).calls(0.5).computes(2).joins(Shape::all, 2, 6.5);
  const auto part = common_part(timeline_of(a, b), Seconds{0}, Seconds{2});
  EXPECT_TRUE(part.ranks[0].events.empty());
  EXPECT_EQ(part.ranks[1].events.size(), 1u);
  EXPECT_DOUBLE_EQ(part.ranks[0].computation_after.value(), 1);
}

TEST(common_part, begins_with_an_operation_that_all_were_in_or_came_to) {
  Script a;
  Script b;
  a.computes(1).joins(Shape::all, 2, 3).computes(1).calls(0.5);
  b.computes(3).joins(Shape::all, 2, 1).computes(1).calls(0.5);
  const auto part = common_part(timeline_of(a, b), Seconds{2}, Seconds{9});
  ASSERT_EQ(part.ranks[0].events.size(), 3u);
  EXPECT_DOUBLE_EQ(part.ranks[0].begin.value(), 1);
  EXPECT_FLOAT_EQ(part.ranks[0].events[0].computation, 0);
  ASSERT_EQ(part.ranks[1].events.size(), 3u);
  EXPECT_FLOAT_EQ(part.ranks[1].events[0].computation, 1);
}

TEST(common_part, ends_with_what_was_computed_since_a_pause) {
  Script a;
  a.computes(1).calls(0.5).pauses(2).computes(1).calls(0.5);
  const auto part = common_part(timeline_of(a), Seconds{0}, Seconds{4});
  EXPECT_EQ(part.ranks[0].events.size(), 1u);
  EXPECT_DOUBLE_EQ(part.ranks[0].computation_after.value(), 0.5);
  const auto in_the_pause = common_part(timeline_of(a), Seconds{0}, Seconds{3});
  EXPECT_DOUBLE_EQ(in_the_pause.ranks[0].computation_after.value(), 0);
}

TEST(common_part, leaves_out_a_message_that_was_sent_before_and_one_that_is_sent_after_it) {
  Script a;
  Script b;
  a.sends(1, 0).computes(5).sends(1, 0);
  b.receives(0, 2).computes(1).receives(0, 3);
  const auto part = common_part(timeline_of(a, b), Seconds{1}, Seconds{4});
  EXPECT_TRUE(part.ranks[1].events.empty());
}

TEST(common_part, has_what_others_wait_for_after_the_first_rank_has_ended) {
  // Rank 1 is late in the last iteration. Rank 0 has told what it did before it waits for that.
  Script a;
  Script b;
  a.sends(1, 0).computes(1).sends(1, 0);
  b.receives(0, 0).computes(3).calls(0).computes(1).receives(0, 0).computes(1).sends(0, 0);
  const auto whole = timeline_of(a, b);
  EXPECT_EQ(common_part(whole, Seconds{0}, Seconds{1}).ranks[1].events.size(), 2u);
  const auto part = common_part(whole, Seconds{0}, Seconds{1}, Seconds{99});
  ASSERT_EQ(part.ranks[1].events.size(), 5u); // not what it did for itself after that
  EXPECT_FLOAT_EQ(part.ranks[1].events[2].computation, 3);
  EXPECT_DOUBLE_EQ(part.ranks[1].computation_after.value(), 0);
}

TEST(common_part, is_empty_where_nothing_was_done) {
  Script a;
  a.computes(1).calls(0.5);
  const auto whole = timeline_of(a);
  const auto part = common_part(whole, Seconds{2}, Seconds{3});
  EXPECT_TRUE(part.ranks[0].events.empty());
  EXPECT_EQ(part.ranks[0].before, (std::vector<std::uint64_t>{1}));
}

/// Of random programs, between random moments.
TEST(common_part, misses_nothing_that_a_call_at_its_edges_waits_for) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    test::RandomTimeline random(seed);
    random.noisy(0.3);
    const auto program = random.make(random.integer(2, 6), 6);
    const test::Run whole = run(program, std::vector<double>(program.timeline.ranks.size(), 1));
    const Seconds from = whole.time * random.uniform(0, 0.5);
    const Seconds to = from + whole.time * random.uniform(0.1, 0.5);
    const auto part = common_part(whole.timeline, from, to);
    const dependency::Matching matching(part);
    for (std::size_t r = 0; r < part.ranks.size(); ++r) {
      const RankTimeline& rank = part.ranks[r];
      const RankTimeline inner = cut(whole.timeline.ranks[r], from, to);
      ASSERT_LE(rank.events.size(), inner.events.size() + 20) << "seed " << seed;
      const bool after = end(rank) > to && !rank.events.empty();
      std::size_t last_call = rank.events.size();
      for (std::size_t e = rank.events.size();
           e-- > 0 && (e + 1 == rank.events.size() || rank.events[e].ends_call == 0);)
        last_call = e;
      for (std::size_t e = 0; e < rank.events.size(); ++e) {
        const Operation& operation = rank.operations[rank.events[e].operation];
        const Action action = operation.action;
        const bool for_all = action == Action::arrive && operation.shape == Shape::all;
        const bool linked = matching.link(matching.first_event(r) +
                                          static_cast<std::uint32_t>(e)) != dependency::nothing;
        ASSERT_TRUE(!for_all || linked)
            << "seed " << seed << " rank " << r << " event " << e << " of " << rank.events.size();
        ASSERT_TRUE(!after || e < last_call || action != Action::receive || linked)
            << "seed " << seed << " rank " << r << " event " << e;
      }
    }
  }
}

} // namespace
} // namespace hypermile::model
