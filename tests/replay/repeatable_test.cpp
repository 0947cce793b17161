#include "replay/random_run.hpp"

#include <gtest/gtest.h>

namespace hypermile::replay {
namespace {

/// One rank that does this once.
RecordedRun run_of(const std::string& function, model::Operation operation) {
  RecordedRun run{.program = "app",
                  .platform = "p",
                  .nodes = {"n"},
                  .speeds = {Speed{1e9}},
                  .timeline = {.functions = {function}, .ranks = {{}}}};
  model::RankTimeline& rank = run.timeline.ranks.front();
  rank.operations = {operation};
  rank.events = {{.operation = 0}};
  rank.events.back().ends_call = 1;
  return run;
}

TEST(repeatable, is_what_was_recorded_with_its_arguments) {
  EXPECT_EQ(
      why_not_repeatable(run_of("Allreduce", {.action = model::Action::arrive, .arguments = 1})),
      "");
  EXPECT_EQ(why_not_repeatable(run_of("Neighbor_alltoall", {.action = model::Action::arrive})),
            "rank 0: the arguments of MPI_Neighbor_alltoall cannot be recorded");
}

TEST(repeatable, is_nothing_that_could_not_be_followed) {
  RecordedRun run = run_of("Send", {.action = model::Action::send});
  EXPECT_EQ(why_not_repeatable(run), "");
  run.timeline.ranks.front().incomplete = "MPI_Put cannot be followed";
  EXPECT_EQ(why_not_repeatable(run), "rank 0: MPI_Put cannot be followed");
}

TEST(repeatable, is_no_message_of_2_gib) {
  const auto send = [](std::uint64_t bytes) {
    return run_of("Send", {.action = model::Action::send, .bytes = bytes});
  };
  EXPECT_EQ(why_not_repeatable(send((1ULL << 31U) - 1)), "");
  EXPECT_EQ(why_not_repeatable(send(1ULL << 31U)),
            "rank 0: a message of MPI_Send has 2 GiB or more");
}

TEST(remarks, tell_of_all_that_may_go_otherwise_elsewhere) {
  using model::Action;
  const auto only = [](const std::string& function, const model::Operation& operation) {
    const auto all = remarks(run_of(function, operation));
    return all.size() == 1 ? all.front() : "";
  };
  EXPECT_TRUE(
      only("Recv", {.action = Action::receive, .from_any = true}).starts_with("1 messages"));
  EXPECT_TRUE(only("Test", {.action = Action::other}).starts_with("1 times a rank asked"));
  EXPECT_TRUE(only("Waitany", {.action = Action::complete}).starts_with("1 times a rank waited"));
  EXPECT_TRUE(only("Win_fence", {.action = Action::arrive}).starts_with("1 collective"));
  EXPECT_TRUE(only("Cart_sub", {.action = Action::arrive}).starts_with("1 communicators"));
  EXPECT_EQ(only("Recv", {.action = Action::receive}), "");
  EXPECT_EQ(only("Comm_dup", {.action = Action::arrive}), "");
}

} // namespace
} // namespace hypermile::replay
