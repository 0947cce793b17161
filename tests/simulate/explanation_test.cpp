// A small program whose critical path, slack and neighbours are worked out by hand.

#include "simulate/explanation.hpp"

#include "support/nodes.hpp"
#include "support/scripted_timeline.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::simulate {
namespace {

using model::Gear;
using model::Shape;
using test::Script;

constexpr double tolerance = 1e-6; // a Timeline keeps floats
using Kind = Explanation::Call::Kind;

/// Rank 0 computes until 1 and sends a message, which is on its way for 0.25 s to rank 1. That
/// computes from 1.25 to 3.25; an operation of all takes 0.125 s from then on; to compute until the
/// end is left to rank 0 0.25 s, to rank 1 0.5 s, to rank 2, which arrived at 3, 0.25 s.
model::Timeline timeline() {
  Script a;
  Script b;
  Script c;
  a.computes(1).sends(1, 0).computes(0.5).joins(Shape::all, 3, 1.875).computes(0.25);
  b.computes(0.5).receives(0, 0.75).computes(2).joins(Shape::all, 3, 0.125).computes(0.5);
  c.computes(3).joins(Shape::all, 3, 0.375).computes(0.25);
  return test::timeline_of(a, b, c);
}

/// A rank per node of two gears, S = 1 and 2, with a loop of two iterations over all the time.
runtime::RunReport report() {
  runtime::RunReport run;
  for (int r = 0; r < 3; ++r) {
    runtime::RankReport rank{.node = test::node(std::string(1, static_cast<char>('a' + r)))};
    rank.rank = r;
    rank.loop.iterations = 2;
    rank.loop.total = Seconds{3.875};
    run.ranks.push_back(rank);
  }
  return run;
}

Explanation explanation(const std::vector<Gear>& gears, const select::Request& request = {},
                        std::size_t segments = 10) {
  const auto recorded = timeline();
  const auto run = report();
  return explain(Forecast(run, recorded), recorded, run, gears, request, segments);
}

TEST(explanation, adds_up_the_critical_path_by_rank_and_by_call) {
  const auto e = explanation({0, 0, 0});
  EXPECT_NEAR(e.path_time.value(), 3.875, tolerance);
  EXPECT_NEAR(e.neighbourhood.present.prediction.time.value(), 3.875, tolerance);
  EXPECT_NEAR(e.computing.value(), 3.5, tolerance);
  EXPECT_NEAR(e.inside.value(), 0.375, tolerance);
  EXPECT_NEAR(e.late_begin.value(), 0, tolerance);
  EXPECT_EQ(e.handovers, 1u);
  EXPECT_NEAR(e.ranks[0].on_path.value(), 1, tolerance);
  EXPECT_NEAR(e.ranks[1].on_path.value(), 2.5, tolerance);
  EXPECT_NEAR(e.ranks[2].on_path.value(), 0, tolerance);
  ASSERT_EQ(e.calls.size(), 2u);
  EXPECT_EQ(e.calls[0].kind, Kind::message);
  EXPECT_EQ(e.calls[0].function, "Send"); // the only one of a Script
  EXPECT_EQ(e.calls[0].rank, 1u);
  EXPECT_EQ(e.calls[0].with, 0u);
  EXPECT_EQ(e.calls[0].times, 1u);
  EXPECT_NEAR(e.calls[0].inside.value(), 0.25, tolerance);
  EXPECT_EQ(e.calls[1].kind, Kind::collective);
  EXPECT_EQ(e.calls[1].with, 3u);
  EXPECT_NEAR(e.calls[1].inside.value(), 0.125, tolerance);
}

TEST(explanation, tells_slack_and_what_ranks_wait_for_others) {
  const auto e = explanation({0, 0, 0});
  const std::vector<double> slack{0, 0, 0.25};
  const std::vector<double> waiting{1.75 + 0.25, 0.5, 0.25 + 0.25}; // at the end, too
  const std::vector<double> messages{0.125, 0.375, 0.125};
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_NEAR(e.ranks[r].slack.least.value(), slack[r], tolerance) << r;
    EXPECT_NEAR(e.ranks[r].account.waiting.value(), waiting[r], tolerance) << r;
    EXPECT_NEAR(e.ranks[r].account.inside.value(), messages[r], tolerance) << r;
  }
}

TEST(explanation, lists_the_longest_stretches_with_their_iterations) {
  const auto e = explanation({0, 0, 0});
  ASSERT_EQ(e.longest.size(), 2u);
  EXPECT_EQ(e.longest[0].rank, 1u);
  EXPECT_NEAR(e.longest[0].begin.value(), 1, tolerance);
  EXPECT_NEAR(e.longest[0].computing.value(), 2.5, tolerance);
  EXPECT_NEAR(e.longest[0].inside.value(), 0.375, tolerance);
  EXPECT_EQ(e.longest[0].first_call, "Send");
  EXPECT_EQ(e.longest[0].last_call, "");       // to the end
  EXPECT_EQ(e.longest[0].first_iteration, 1u); // the receive was posted at 0.5
  EXPECT_EQ(e.longest[1].rank, 0u);
  EXPECT_NEAR(e.longest[1].computing.value(), 1, tolerance);
  EXPECT_EQ(explanation({0, 0, 0}, {}, 1).longest.size(), 1u);
}

/// Rank 2 in gear 1 arrives at 6: 6 + 0.125 s, and 0.5 s either way. Energy: 4 W each all the time,
/// 16 W more while computing in gear 0, 2 W in gear 1.
TEST(explanation, predicts_what_one_gear_more_or_less_does) {
  const auto e = explanation({0, 0, 0});
  const double base = 12 * 3.875 + 16 * (1.75 + 3 + 3.25);
  EXPECT_NEAR(e.baseline.energy.value(), base, 1e-4);
  EXPECT_FALSE(e.neighbourhood.units[2].faster);
  const auto& slower = e.neighbourhood.units[2].slower;
  ASSERT_TRUE(slower);
  EXPECT_NEAR(slower->time_change, 6.625 / 3.875 - 1, tolerance);
  EXPECT_NEAR(slower->energy_change, (12 * 6.625 + 16 * 4.75 + 2 * 6.5) / base - 1, tolerance);
  const auto back = explanation({0, 0, 1}).neighbourhood.units[2];
  EXPECT_FALSE(back.slower);
  ASSERT_TRUE(back.faster);
  EXPECT_NEAR(back.faster->time_change, 3.875 / 6.625 - 1, tolerance);
}

TEST(explanation, follows_the_path_where_other_gears_put_it) {
  const auto e = explanation({0, 0, 1});
  EXPECT_EQ(e.nodes[2].gear, 1u);
  EXPECT_NEAR(e.path_time.value(), 6.625, tolerance);
  EXPECT_NEAR(e.ranks[2].on_path.value() + e.ranks[1].on_path.value(), 6.5, tolerance);
  EXPECT_EQ(e.ranks[2].slack.least.value(), 0);
  EXPECT_NEAR(e.ranks[1].account.waiting.value(), 0.5 + 2.75, tolerance);
}

/// Slack lets rank 2 be late by 0.25 s, but its next gear takes 3 s more.
TEST(explanation, judges_neighbours_by_the_objective_and_its_bound) {
  EXPECT_FALSE(best(explanation({0, 0, 0}, {.objective = select::Objective::time}).neighbourhood));
  select::Request energy{.objective = select::Objective::energy};
  ASSERT_TRUE(best(explanation({0, 0, 0}, energy).neighbourhood));
  energy.constraints.max_slowdown = 0.01;
  EXPECT_FALSE(best(explanation({0, 0, 0}, energy).neighbourhood));
}

TEST(forecast, of_an_incomplete_timeline_is_refused_with_the_reason) {
  auto recorded = timeline();
  recorded.ranks[1].incomplete = "MPI_Put";
  try {
    const Forecast forecast(report(), recorded);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "the timeline of rank 1 is not complete: MPI_Put");
  }
}

} // namespace
} // namespace hypermile::simulate
