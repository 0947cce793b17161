#include "runtime/exchange/tree_exchange.hpp"

#include "support/memory_exchange.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

namespace hypermile::runtime {
namespace {

using Bytes = control::Exchange::Bytes;
using Ranks = std::vector<int>;

Bytes text(const std::string& s) { return {s.begin(), s.end()}; }
std::string text(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

std::vector<std::size_t> nodes_of(std::size_t ranks, std::size_t per_node) {
  std::vector<std::size_t> nodes;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    nodes.push_back(rank / per_node);
  return nodes;
}

// --- place_in_tree() ---

TEST(tree_place, of_a_node_is_below_its_first_rank_and_of_leaders_below_rank_0) {
  const std::vector<std::size_t> nodes{9, 4, 9, 4, 4, 7};
  const TreePlace root = place_in_tree(0, nodes);
  EXPECT_EQ(root.parent, -1);
  EXPECT_EQ(root.children, (Ranks{1, 2, 5}));
  EXPECT_EQ(root.route, (Ranks{0, 1, 2, 1, 1, 5}));
  const TreePlace leader = place_in_tree(1, nodes);
  EXPECT_EQ(leader.parent, 0);
  EXPECT_EQ(leader.children, (Ranks{3, 4}));
  EXPECT_EQ(leader.route, (Ranks{-1, 1, -1, 3, 4, -1}));
  EXPECT_EQ(place_in_tree(4, nodes).parent, 1);
  EXPECT_TRUE(place_in_tree(4, nodes).children.empty());
}

TEST(tree_place, gives_no_rank_more_leaders_than_the_fan_out) {
  const auto nodes = nodes_of(1000, 4);
  std::size_t deepest = 0;
  std::vector<std::size_t> depth;
  for (int rank = 0; rank < 1000; ++rank) {
    const TreePlace place = place_in_tree(rank, nodes);
    EXPECT_LE(place.children.size(), 3U + 16U);
    depth.push_back(place.parent < 0 ? 0 : depth[static_cast<std::size_t>(place.parent)] + 1);
    deepest = std::max(deepest, depth.back());
  }
  EXPECT_EQ(deepest, 3U); // 0, 16 and 233 leaders, and the others
}

// --- TreeExchange ---

/// Counts what a rank sends to its neighbours.
class Counted final : public control::Exchange {
public:
  Counted(test::Network& network, int rank, std::size_t& sent, std::size_t& received)
      : exchange_(network, rank), sent_(sent), received_(received) {}
  void send(int to, Bytes bytes) override {
    ++sent_;
    exchange_.send(to, std::move(bytes));
  }
  void send_empty(int to) override {
    ++sent_;
    exchange_.send_empty(to);
  }
  std::optional<Message> poll() override {
    auto message = exchange_.poll();
    received_ += message ? 1 : 0;
    return message;
  }
  Message wait() override {
    ++received_;
    return exchange_.wait();
  }

private:
  test::MemoryExchange exchange_;
  std::size_t& sent_;
  std::size_t& received_;
};

struct Tree {
  Tree(std::size_t ranks, std::size_t per_node, std::size_t fan_out = 16)
      : network(ranks), sent(ranks), received(ranks) {
    const auto nodes = nodes_of(ranks, per_node);
    for (std::size_t r = 0; r < ranks; ++r) {
      const auto rank = static_cast<int>(r);
      exchanges.push_back(std::make_unique<TreeExchange>(
          place_in_tree(rank, nodes, fan_out),
          std::make_unique<Counted>(network, rank, sent[r], received[r])));
    }
  }
  TreeExchange& operator[](int rank) { return *exchanges[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] int size() const { return static_cast<int>(exchanges.size()); }

  void send_up(int rank, const std::string& message) {
    (*this)[rank].send(0, text(message));
    (*this)[rank].flush();
  }
  /// All ranks look at what has come until nothing more does: by rank, what they got.
  std::map<int, std::vector<std::string>> settle() {
    std::map<int, std::vector<std::string>> got;
    for (std::size_t before = network.sent() + 1; before != network.sent();) {
      before = network.sent();
      for (int rank = size() - 1; rank >= 0; --rank)
        while (auto message = (*this)[rank].poll()) {
          const std::string from = rank == 0 ? std::to_string(message->from) + ":" : "";
          got[rank].push_back(from + text(message->bytes));
        }
    }
    return got;
  }

  test::Network network;
  std::vector<std::size_t> sent;
  std::vector<std::size_t> received;
  std::vector<std::unique_ptr<TreeExchange>> exchanges;
};

TEST(tree_exchange, brings_every_ranks_message_to_rank_0_in_few) {
  Tree tree(1000, 4);
  Ranks order(999);
  std::iota(order.begin(), order.end(), 1);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  for (const int rank : order)
    tree.send_up(rank, "from " + std::to_string(rank));
  const auto got = tree.settle();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got.at(0).size(), 999U);
  const std::set<std::string> distinct(got.at(0).begin(), got.at(0).end());
  EXPECT_EQ(distinct.size(), 999U);
  EXPECT_TRUE(distinct.contains("517:from 517"));
  EXPECT_EQ(tree.received[0], 3U + 16U);           // the ranks of its node, and 16 leaders
  EXPECT_EQ(tree.network.sent(), 999U);            // one from each rank to its parent
  EXPECT_EQ(std::ranges::max(tree.received), 19U); // nobody has more to deal with
}

TEST(tree_exchange, sends_nothing_on_before_every_rank_below_has_sent_something) {
  Tree tree(8, 4);
  for (const int rank : {1, 2, 3, 4, 5, 6})
    tree.send_up(rank, "x");
  EXPECT_EQ(tree.settle()[0].size(), 3U); // those of its own node
  tree.send_up(7, "x");
  EXPECT_EQ(tree.settle()[0].size(), 4U);
}

TEST(tree_exchange, waits_for_all_ranks_again_in_the_next_round) {
  Tree nested(8, 4);
  for (int round = 0; round < 3; ++round) {
    for (const int rank : {7, 6, 5})
      nested.send_up(rank, "x");
    EXPECT_TRUE(nested.settle().empty()) << round;
    nested.send_up(4, "x");
    EXPECT_EQ(nested.settle()[0].size(), 4U) << round;
  }
}

TEST(tree_exchange, brings_rank_0s_messages_to_each_rank_in_few) {
  Tree tree(1000, 4);
  for (int rank = 1; rank < 1000; ++rank)
    tree[0].send(rank, text(rank % 2 == 0 ? "gear 1" : "gear 0"));
  EXPECT_EQ(tree.sent[0], 0U);
  tree[0].flush();
  EXPECT_EQ(tree.sent[0], 19U);
  const auto got = tree.settle();
  ASSERT_EQ(got.size(), 999U);
  for (const auto& [rank, messages] : got)
    EXPECT_EQ(messages, std::vector<std::string>{rank % 2 == 0 ? "gear 1" : "gear 0"}) << rank;
  EXPECT_EQ(tree.network.sent(), 999U);
}

TEST(tree_exchange, brings_a_message_to_some_ranks_only) {
  Tree tree(64, 4, 2);
  tree[0].send(37, text("you"));
  tree[0].flush();
  const auto got = tree.settle();
  ASSERT_EQ(got.size(), 1U);
  EXPECT_EQ(got.at(37), std::vector<std::string>{"you"});
  EXPECT_LE(tree.network.sent(), 5U);
}

TEST(tree_exchange, does_not_hold_up_what_is_sent_now) {
  Tree tree(64, 4, 2);
  tree.send_up(63, "held up");
  tree[63].send_now(0, text("now"));
  EXPECT_EQ(tree.settle()[0], std::vector<std::string>{"63:now"});
  // Nor does it count as a message of the round.
  for (int rank = 1; rank < 63; ++rank)
    tree.send_up(rank, "x");
  EXPECT_EQ(tree.settle()[0].size(), 63U);
  tree[0].send_now(63, text("to you"));
  EXPECT_EQ(tree.settle()[63], std::vector<std::string>{"to you"});
}

TEST(tree_exchange, keeps_the_order_of_a_ranks_messages) {
  Tree tree(8, 4);
  for (const int rank : {4, 5, 6, 7}) {
    tree.send_up(rank, "a");
    tree.send_up(rank, rank == 5 ? "a" : "b");
  }
  std::string of_7;
  auto got = tree.settle();
  for (const std::string& message : got[0])
    of_7 += message.starts_with("7:") ? message.substr(2) : "";
  EXPECT_EQ(of_7, "ab");
}

/// Each rank as RankController does it: some send something more before, some end long before
/// others.
void end(Tree& tree, int rank) {
  if (rank % 3 == 1)
    tree.send_up(rank, "measured");
  tree[rank].arrive();
  if (rank != 0)
    tree[rank].send(0, text("report of " + std::to_string(rank)));
  tree[rank].close();
}

/// What rank 0 has got when it has closed.
std::vector<std::string> end_in(Tree& tree, const Ranks& order) {
  tree.network.let_wait();
  std::vector<std::thread> threads;
  for (const int rank : order)
    threads.emplace_back([&tree, rank] {
      try {
        end(tree, rank);
      } catch (const std::exception& error) {
        ADD_FAILURE() << "rank " << rank << ": " << error.what();
      }
    });
  for (auto& thread : threads)
    thread.join();
  std::vector<std::string> at_root;
  while (const auto message = tree[0].poll())
    at_root.push_back(text(message->bytes));
  return at_root;
}

TEST(tree_exchange, ends_whoever_comes_first) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    Tree tree(96, 6, 3);
    Ranks order(96);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    if (seed == 1)
      std::ranges::sort(order, std::greater<>{});
    const auto got = end_in(tree, order);
    EXPECT_EQ(std::ranges::count(got, "measured"), 32);
    EXPECT_EQ(std::set<std::string>(got.begin(), got.end()).size(), 95U + 1);
    // Down once; up twice, each time with and without bytes.
    EXPECT_LE(tree.network.sent(), 5U * 95);
    EXPECT_LE(tree.received[0], 4U * 8);
  }
}

TEST(tree_exchange, lets_go_at_the_end_what_waited_for_other_ranks) {
  Tree tree(12, 4);
  for (const int rank : {4, 5, 6}) // not 7
    tree.send_up(rank, "measured");
  EXPECT_TRUE(tree.settle().empty());
  Ranks all(12);
  std::iota(all.begin(), all.end(), 0);
  const auto got = end_in(tree, all);
  EXPECT_EQ(std::ranges::count(got, "measured"), 3 + 4); // end() sends one of 1, 4, 7 and 10
}

TEST(tree_exchange, tells_that_a_rank_runs_another_version_and_goes_on) {
  Tree tree(2, 1);
  tree.network.send(0, {1, {message_version + 1, 0, 0, 0, 0, 0}});
  try {
    (void)tree[0].poll();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("rank 1 runs another version of hypermile"),
              std::string::npos)
        << error.what();
  }
  tree.send_up(1, "readable");
  EXPECT_EQ(tree.settle()[0], std::vector<std::string>{"1:readable"});
}

TEST(tree_exchange, ends_although_no_message_can_be_read) {
  Tree tree(12, 4, 2);
  for (const int child : {1, 4, 5})
    tree.network.send(0, {child, {message_version + 1, 7}});
  for (const int rank : {5, 8, 11})
    tree.network.send(static_cast<std::size_t>(rank), {rank == 8 ? 0 : rank / 4 * 4, {1, 2, 3}});
  tree.network.let_wait();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 12; ++rank)
    threads.emplace_back([&tree, rank] {
      EXPECT_NO_THROW(tree[rank].arrive()) << rank;
      EXPECT_NO_THROW(tree[rank].close()) << rank;
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_THROW((void)tree[0].poll(), Error); // and says why something is missing
  EXPECT_FALSE(tree[0].poll());
}

TEST(tree_exchange, refuses_messages_that_make_no_sense) {
  test::Network network(6);
  const std::vector<std::size_t> nodes{0, 0, 0, 1, 1, 1};
  TreeExchange root(place_in_tree(0, nodes), std::make_unique<test::MemoryExchange>(network, 0));
  MessageBuffer buffer;
  buffer.add(2, text("x"));
  const Bytes of_2 = pack(buffer.take(AggregatedMessage::Kind::round));
  network.send(0, {1, of_2}); // 2 is not below 1
  EXPECT_THROW((void)root.poll(), Error);
  network.send(0, {4, of_2}); // no neighbour
  EXPECT_THROW((void)root.poll(), Error);
  network.send(0, {2, text("nonsense")});
  EXPECT_THROW((void)root.poll(), Error);
  network.send(0, {2, of_2});
  ASSERT_TRUE(root.poll());
  TreeExchange leader(place_in_tree(3, nodes), std::make_unique<test::MemoryExchange>(network, 3));
  network.send(3, {0, of_2}); // 2 is not below 3
  EXPECT_THROW((void)leader.poll(), Error);
}

TEST(tree_exchange, carries_messages_between_rank_0_and_others_only) {
  Tree tree(4, 2);
  EXPECT_THROW(tree[1].send(2, {}), std::logic_error);
  EXPECT_THROW(tree[0].send(0, {}), std::logic_error);
  EXPECT_THROW(tree[0].send_now(4, {}), std::logic_error);
  EXPECT_THROW(tree[1].send(-1, {}), std::logic_error);
}

} // namespace
} // namespace hypermile::runtime
