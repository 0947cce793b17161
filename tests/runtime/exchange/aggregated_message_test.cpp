#include "runtime/exchange/aggregated_message.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hypermile::runtime {
namespace {

using Bytes = AggregatedMessage::Bytes;
using Ranks = std::vector<int>;
constexpr int ranks = 1000;

Bytes bytes_of(const std::string& s) { return {s.begin(), s.end()}; }

TEST(message, arrives_as_it_was_sent) {
  MessageBuffer buffer;
  buffer.add(7, bytes_of("seven"));
  buffer.add(999, bytes_of(""));
  const AggregatedMessage sent = buffer.take(AggregatedMessage::Kind::round);
  EXPECT_TRUE(buffer.empty());
  const AggregatedMessage got = unpack(pack(sent), ranks);
  EXPECT_EQ(got.kind, AggregatedMessage::Kind::round);
  ASSERT_EQ(got.entries.size(), 2U);
  EXPECT_EQ(got.entries[0].ranks, Ranks{7});
  EXPECT_EQ(got.entries[0].bytes, bytes_of("seven"));
  EXPECT_EQ(got.entries[1].ranks, Ranks{999});
  EXPECT_TRUE(got.entries[1].bytes.empty());
}

TEST(message, holds_what_many_ranks_say_once) {
  MessageBuffer buffer;
  for (int rank = 0; rank < ranks; ++rank)
    buffer.add(rank, bytes_of(rank % 500 == 3 ? "other" : "the same for nearly all ranks"));
  const Bytes bytes = pack(buffer.take());
  EXPECT_LT(bytes.size(), 120U);
  const AggregatedMessage got = unpack(bytes, ranks);
  ASSERT_EQ(got.entries.size(), 2U);
  EXPECT_EQ(got.entries[0].ranks.size(), 998U);
  EXPECT_EQ(got.entries[1].ranks, (Ranks{3, 503}));
}

TEST(message, keeps_the_order_of_one_ranks_messages) {
  MessageBuffer buffer;
  buffer.add(1, bytes_of("a"));
  buffer.add(2, bytes_of("b"));
  buffer.add(2, bytes_of("a")); // would come before b where 1's is
  buffer.add(2, bytes_of("a")); // and twice is not once
  buffer.add(3, bytes_of("a"));
  std::string of_2;
  std::size_t count = 0;
  for (const auto& entry : unpack(pack(buffer.take()), ranks).entries)
    for (const int rank : entry.ranks) {
      of_2 += rank == 2 ? std::string(entry.bytes.begin(), entry.bytes.end()) : "";
      ++count;
    }
  EXPECT_EQ(of_2, "baa");
  EXPECT_EQ(count, 5U);
}

TEST(message, that_no_buffer_made_is_refused) {
  MessageBuffer buffer;
  buffer.add(4, bytes_of("a message"));
  const Bytes good = pack(buffer.take());
  EXPECT_NO_THROW((void)unpack(good, 5));
  EXPECT_THROW((void)unpack(good, 4), Error); // rank 4 does not exist
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_THROW((void)unpack({good.begin(), good.begin() + static_cast<long>(size)}, 5), Error);
  Bytes longer = good;
  longer.push_back(0);
  EXPECT_THROW((void)unpack(longer, 5), Error);
  Bytes of_another_version = good;
  of_another_version[0] += 1;
  EXPECT_THROW((void)unpack(of_another_version, 5), Error);
  Bytes of_no_kind = good;
  of_no_kind[1] = 8;
  EXPECT_THROW((void)unpack(of_no_kind, 5), Error);
  Bytes of_nobody = good;
  of_nobody[6] = 0; // rows of ranks
  EXPECT_THROW((void)unpack(of_nobody, 5), Error);
  EXPECT_THROW((void)unpack(Bytes(10'000, 0xff), 5), Error);
}

} // namespace
} // namespace hypermile::runtime
