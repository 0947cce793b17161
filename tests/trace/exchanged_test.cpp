// What ranks pass to collective operations, from the sums of bytes that tracers write.

#include "trace/exchanged.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace hypermile::trace {
namespace {

using Bytes = std::vector<std::uint64_t>;

std::vector<IncomingCollective> told(Collective operation, const Bytes& sent, const Bytes& received,
                                     std::uint32_t root = 0) {
  std::vector<IncomingCollective> members;
  for (std::size_t m = 0; m < sent.size(); ++m)
    members.push_back({.event = 0,
                       .operation = operation,
                       .communicator = 0,
                       .root = root,
                       .sent = sent[m],
                       .received = received[m]});
  return members;
}

Bytes bytes(const model::Arguments::Blocks& blocks) {
  Bytes all;
  for (const std::uint64_t count : blocks.counts)
    all.push_back(count * blocks.element);
  return all;
}

TEST(collectives_of_a_trace, take_a_broadcast_for_what_others_receive) {
  for (const Bytes& sent : {Bytes{0, 300, 0}, Bytes{0, 100, 0}}) { // for each, or once
    const auto passed = passed_to(told(Collective::bcast, sent, {100, 100, 100}, 1));
    for (const Passed& member : passed)
      EXPECT_EQ(bytes(member.arguments.out), Bytes{100});
    EXPECT_EQ(passed[1].bytes, 100U);
    EXPECT_EQ(passed[0].bytes, 0U);
  }
}

TEST(collectives_of_a_trace, know_blocks_that_are_gathered) {
  const auto passed = passed_to(told(Collective::gatherv, {8, 24, 40}, {0, 0, 72}, 2));
  EXPECT_EQ(bytes(passed[2].arguments.in), (Bytes{8, 24, 40}));
  EXPECT_EQ(bytes(passed[1].arguments.out), Bytes{24});
  EXPECT_TRUE(passed[1].arguments.in.counts.empty());
  // The root passed MPI_IN_PLACE, and sends nothing.
  const auto in_place = passed_to(told(Collective::gather, {0, 24, 24}, {72, 0, 0}, 0));
  EXPECT_EQ(bytes(in_place[0].arguments.in), Bytes{24});
}

TEST(collectives_of_a_trace, know_blocks_that_are_scattered) {
  const auto passed = passed_to(told(Collective::scatterv, {72, 0, 0}, {8, 24, 40}, 0));
  EXPECT_EQ(bytes(passed[0].arguments.out), (Bytes{8, 24, 40}));
  EXPECT_EQ(bytes(passed[2].arguments.in), Bytes{40});
  EXPECT_EQ(passed[0].bytes, 72U);
}

TEST(collectives_of_a_trace, count_what_is_sent_to_all_once_or_for_each) {
  for (const Bytes& sent : {Bytes{8, 16, 24}, Bytes{24, 48, 72}}) {
    const auto passed = passed_to(told(Collective::allgatherv, sent, {48, 48, 48}));
    for (const Passed& member : passed)
      EXPECT_EQ(bytes(member.arguments.in), (Bytes{8, 16, 24}));
    EXPECT_EQ(passed[1].bytes, 16U);
  }
}

TEST(collectives_of_a_trace, share_out_sums_so_that_both_sides_of_a_pair_agree) {
  const auto passed = passed_to(told(Collective::alltoallv, {8000, 16000, 0}, {12000, 4000, 8000}));
  for (std::size_t from = 0; from < 3; ++from)
    for (std::size_t to = 0; to < 3; ++to)
      EXPECT_EQ(bytes(passed[from].arguments.out)[to], bytes(passed[to].arguments.in)[from]);
  const Bytes out = bytes(passed[1].arguments.out);
  EXPECT_NEAR(static_cast<double>(std::accumulate(out.begin(), out.end(), std::uint64_t{0})), 16000,
              3 * 8);
}

TEST(collectives_of_a_trace, reduce_in_elements_that_MPI_has) {
  const auto of = [](std::uint64_t size) {
    return passed_to(told(Collective::allreduce, {size, size}, {size, size}))[0].arguments.out;
  };
  EXPECT_EQ(of(64), (model::Arguments::Blocks{8, {8}}));
  EXPECT_EQ(of(12), (model::Arguments::Blocks{4, {3}}));
  EXPECT_EQ(of(7), (model::Arguments::Blocks{1, {7}}));
}

} // namespace
} // namespace hypermile::trace
