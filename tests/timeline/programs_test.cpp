#include "timeline/checks.hpp"
#include "timeline/record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hypermile::test {
namespace {

using model::Action;
using model::Shape;

constexpr int ranks = 5; // odd, so that halves differ

/// Records the program and checks what must hold of any.
Recorded checked(const std::string& program, const std::vector<std::string>& arguments,
                 std::size_t given_up = 0, int on = ranks) {
  Recorded recorded = record(program, on, arguments);
  EXPECT_EQ(recorded.timeline.ranks.size(), static_cast<std::size_t>(on));
  EXPECT_TRUE(recorded.timeline.complete());
  for (const auto& rank : recorded.timeline.ranks)
    EXPECT_EQ(rank.incomplete, "");
  EXPECT_EQ(unmatched_messages(recorded.timeline), "");
  EXPECT_EQ(unmatched_arrivals(recorded.timeline), "");
  EXPECT_EQ(wrong_completions(recorded.timeline, given_up), "");
  EXPECT_EQ(wrong_times(recorded.timeline, recorded.report), "");
  return recorded;
}

/// Communicators on which a rank did something.
std::set<std::uint64_t> communicators(const model::Timeline& timeline) {
  std::set<std::uint64_t> numbers;
  for (const auto& rank : timeline.ranks)
    for (const auto& operation : rank.operations)
      if (operation.communicator != 0)
        numbers.insert(operation.communicator);
  return numbers;
}

/// Calls of MPI, by the events that end one.
std::size_t calls(const model::RankTimeline& rank) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rank.events, [](const auto& event) { return event.ends_call != 0; }));
}

TEST(timeline, of_an_app_is_whole) {
  const auto [timeline, report] = checked("apps/smpi/cg", {"--class", "S"}, 0, 8);
  EXPECT_GT(actions(timeline)[Action::send], 1000u);
  for (const auto& its : report.ranks)
    EXPECT_EQ(calls(timeline.ranks[static_cast<std::size_t>(its.rank)]), its.calls);
}

class AnyProgram : public testing::TestWithParam<const char*> {};

TEST_P(AnyProgram, has_a_timeline_in_which_all_fits_together) {
  (void)checked(GetParam(), {"20", "100"});
}

INSTANTIATE_TEST_SUITE_P(timeline, AnyProgram,
                         testing::Values("setup_broadcast", "nested_loop", "every_tenth", "halo2d",
                                         "only_allreduce", "no_communication", "roles",
                                         "two_phases", "ring", "polling", "wildcards", "marker",
                                         "persistent", "communicators", "collectives", "probing",
                                         "fortran_loop", "fortran_marker", "fortran_messages"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST(timeline, knows_who_sent_to_a_receiver_from_anybody) {
  const auto recorded = checked("wildcards", {"10", "100"});
  const auto& timeline = recorded.timeline;
  // Per round the master receives from each worker and answers, then all meet.
  const std::size_t messages = 2 * 10 * (ranks - 1);
  auto counts = actions(timeline);
  EXPECT_EQ(counts[Action::send], messages);
  EXPECT_EQ(counts[Action::receive], messages);
  EXPECT_EQ(counts[Action::arrive], 10u * ranks);
  EXPECT_EQ(counts[Action::other], 0u);
}

TEST(timeline, follows_every_way_to_complete_a_request) {
  // Two buffered sends and one that is given up complete without the program, per round.
  const auto recorded = checked("completions", {"3", "100"}, 3 * 3);
  const auto& timeline = recorded.timeline;
  for (const char* function : {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testany",
                               "Testall", "Testsome", "Sendrecv_replace"})
    EXPECT_GT(actions(timeline, function)[Action::complete], 0u) << function;
  for (const char* function : {"Send", "Ssend", "Rsend", "Bsend", "Isend", "Issend", "Ibsend"})
    EXPECT_GT(actions(timeline, function)[Action::send], 0u) << function;
}

TEST(timeline, has_no_message_of_a_cancelled_receive) {
  auto recorded = checked("completions", {"1", "100"}, 3);
  bool tag_of_cancelled = false;
  for (const auto& rank : recorded.timeline.ranks)
    for (const auto& event : rank.events) {
      const auto& operation = rank.operations[event.operation];
      tag_of_cancelled |= operation.action != Action::other && operation.tag == 99;
    }
  EXPECT_FALSE(tag_of_cancelled);
}

TEST(timeline, shows_messages_to_oneself_with_the_bytes_that_came) {
  auto recorded = checked("completions", {"1", "100"}, 3);
  const auto& rank = recorded.timeline.ranks[3];
  const auto to_self = std::ranges::count_if(rank.events, [&](const auto& event) {
    const auto& operation = rank.operations[event.operation];
    return operation.action == Action::receive && operation.partner == 3 && operation.bytes == 8;
  });
  EXPECT_EQ(to_self, 2); // one of them posted for 80 bytes
}

TEST(timeline, starts_persistent_requests_again_and_again) {
  auto recorded = checked("persistent", {"12", "100"});
  EXPECT_EQ(actions(recorded.timeline, "Send_init")[Action::send], 12u * ranks);
  EXPECT_EQ(actions(recorded.timeline, "Ssend_init")[Action::send], 12u * ranks);
  EXPECT_EQ(actions(recorded.timeline, "Recv_init")[Action::receive], 24u * ranks);
}

TEST(timeline, tells_communicators_apart_also_where_handles_are_used_again) {
  const auto once = checked("communicators", {"1", "50"});
  const auto thrice = checked("communicators", {"3", "50"});
  // MPI_COMM_WORLD and one MPI_COMM_SELF per rank are always there, the others are new each time.
  const std::size_t always = 1 + ranks;
  const std::size_t made = communicators(once.timeline).size() - always;
  EXPECT_EQ(communicators(thrice.timeline).size(), always + 3 * made);
}

TEST(timeline, knows_the_shape_of_every_collective_operation) {
  auto recorded = checked("collectives", {"2", "100"});
  std::map<Shape, std::size_t> shapes;
  for (const auto& operation : recorded.timeline.ranks[0].operations)
    ++shapes[operation.shape];
  for (const Shape shape : {Shape::all, Shape::from_root, Shape::to_root, Shape::scan})
    EXPECT_GT(shapes[shape], 0u);
  EXPECT_EQ(actions(recorded.timeline)[Action::arrive], 2u * 35 * ranks);
}

TEST(timeline, counts_what_each_rank_contributes) {
  auto recorded = checked("collectives", {"1", "100"});
  const auto bytes = [&](std::size_t rank, const std::string& function) {
    for (const auto& operation : recorded.timeline.ranks[rank].operations)
      if (operation.action == Action::arrive &&
          recorded.timeline.functions[operation.function] == function)
        return operation.bytes;
    return std::uint64_t{999};
  };
  for (const char* function : {"Bcast", "Ibcast"}) { // the root is rank 0
    EXPECT_EQ(bytes(0, function), 4u) << function;
    EXPECT_EQ(bytes(1, function), 0u) << function;
  }
  for (const char* function : {"Scatter", "Scatterv", "Iscatter", "Iscatterv"}) {
    EXPECT_EQ(bytes(0, function), 4u * ranks) << function;
    EXPECT_EQ(bytes(1, function), 0u) << function;
  }
  for (const char* function : {"Gather", "Gatherv", "Reduce", "Allreduce", "Scan", "Igather"})
    EXPECT_EQ(bytes(1, function), 4u) << function;
  for (const char* function : {"Alltoall", "Alltoallv", "Alltoallw", "Ialltoallw", "Reduce_scatter",
                               "Reduce_scatter_block"})
    EXPECT_EQ(bytes(1, function), 4u * ranks) << function;
  EXPECT_EQ(bytes(1, "Barrier"), 0u);
}

TEST(timeline, shows_probes_that_find_a_message) {
  auto recorded = checked("probing", {"4", "100"});
  EXPECT_EQ(actions(recorded.timeline, "Probe")[Action::probe], 4u * (ranks - 1));
  EXPECT_EQ(actions(recorded.timeline, "Iprobe")[Action::probe], 4u * (ranks - 1));
}

TEST(timeline, ends_where_it_cannot_follow_and_the_program_goes_on) {
  const auto [timeline, report] = record("one_sided", 4, {"5", "100"});
  ASSERT_EQ(timeline.ranks.size(), 4u);
  for (const auto& rank : timeline.ranks) {
    EXPECT_EQ(rank.incomplete, "MPI_Put cannot be followed: it is one-sided communication");
    EXPECT_EQ(calls(rank), 5u + 1 + 1); // the messages, Win_create and the first fence
  }
  EXPECT_EQ(unmatched_messages(timeline), "");
  EXPECT_EQ(unmatched_arrivals(timeline), "");
  EXPECT_EQ(wrong_completions(timeline), "");
}

} // namespace
} // namespace hypermile::test
