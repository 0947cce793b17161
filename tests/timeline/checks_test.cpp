// That the checks find what is wrong.

#include "timeline/checks.hpp"

#include <gtest/gtest.h>

namespace hypermile::test {
namespace {

using model::Action;
using model::Operation;
using model::Shape;
using model::Timeline;

/// Rank 0 sends to rank 1, and both meet in a barrier.
Timeline good() {
  Timeline timeline{.functions = {"F"}, .ranks = {}};
  const Operation send{.action = Action::send, .partner = 1, .communicator = 1, .bytes = 8};
  const Operation receive{.action = Action::receive, .partner = 0, .communicator = 1, .bytes = 8};
  const Operation barrier{
      .action = Action::arrive, .shape = Shape::all, .members = 2, .communicator = 1};
  for (const Operation& message : {send, receive}) {
    model::RankTimeline& rank = timeline.ranks.emplace_back();
    rank.operations = {message, {.action = Action::complete}, barrier};
    rank.events = {{.operation = 0, .computation = 1},
                   {.operation = 1, .started = 1, .ends_call = 1, .duration = 2},
                   {.operation = 2},
                   {.operation = 1, .started = 1, .ends_call = 1, .duration = 4}};
    rank.computation_after = Seconds{8};
  }
  return timeline;
}

runtime::RunReport report_of_good() {
  runtime::RunReport report;
  for (int rank = 0; rank < 2; ++rank)
    report.ranks.push_back({.rank = rank,
                            .node = {"", {"", 1, Speed{1}, model::GearTable{{Hertz{1}}}, {}}},
                            .time = Seconds{15},
                            .computation = Seconds{9},
                            .communication = Seconds{6}});
  return report;
}

TEST(checks, find_nothing_wrong_with_what_is_right) {
  EXPECT_EQ(unmatched_messages(good()), "");
  EXPECT_EQ(unmatched_arrivals(good()), "");
  EXPECT_EQ(wrong_completions(good()), "");
  EXPECT_EQ(wrong_times(good(), report_of_good()), "");
}

TEST(checks, find_messages_without_a_partner) {
  const auto with = [](auto Operation::*member, auto value) {
    Timeline timeline = good();
    timeline.ranks[1].operations[0].*member = value;
    return unmatched_messages(timeline);
  };
  EXPECT_NE(with(&Operation::communicator, 2u), "");
  EXPECT_NE(with(&Operation::partner, 1), "");
  EXPECT_NE(with(&Operation::tag, 1), "");
  EXPECT_NE(with(&Operation::bytes, 9u), "");
  EXPECT_NE(with(&Operation::action, Action::probe), "");
}

TEST(checks, find_collective_operations_without_all_members) {
  const auto with = [](auto Operation::*member, auto value) {
    Timeline timeline = good();
    timeline.ranks[1].operations[2].*member = value;
    return unmatched_arrivals(timeline);
  };
  EXPECT_NE(with(&Operation::communicator, 2u), "");
  EXPECT_NE(with(&Operation::partner, 1), "");
  EXPECT_NE(with(&Operation::shape, Shape::scan), "");
  EXPECT_NE(with(&Operation::members, 1u), "");
  EXPECT_NE(with(&Operation::action, Action::other), "");
}

TEST(checks, find_what_is_completed_twice_or_never) {
  Timeline timeline = good();
  timeline.ranks[0].events[3].started = 3;
  EXPECT_NE(wrong_completions(timeline), "");
  timeline.ranks[0].events[3].started = 2;
  EXPECT_NE(wrong_completions(timeline), "");
  EXPECT_NE(wrong_completions(good(), 1), "");
}

TEST(checks, find_time_that_is_lost) {
  Timeline timeline = good();
  timeline.ranks[1].events[0].computation = 1.001F;
  EXPECT_NE(wrong_times(timeline, report_of_good()), "");
  timeline = good();
  timeline.ranks[1].begin = Seconds{0.001};
  EXPECT_EQ(wrong_times(timeline, report_of_good()), "");
  timeline.ranks[1].events[3].duration = 4.001F;
  EXPECT_NE(wrong_times(timeline, report_of_good()), "");
}

} // namespace
} // namespace hypermile::test
