#include "network/algorithms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace hypermile::network {
namespace {

/// What each member knows of the others' contributions when it has done its rounds; empty where
/// members wait for each other in a circle.
std::optional<std::vector<std::set<std::uint32_t>>> play(const Exchange& exchange) {
  const std::size_t members = exchange.rounds.size();
  std::vector<std::set<std::uint32_t>> knows(members);
  std::vector<std::size_t> next(members, 0);
  std::map<std::uint32_t, std::set<std::uint32_t>> sent; // by message
  for (std::uint32_t m = 0; m < members; ++m)
    knows[m].insert(m);
  for (bool moved = true; std::exchange(moved, false);)
    for (std::uint32_t m = 0; m < members; ++m)
      while (next[m] < exchange.rounds[m].size()) {
        const Exchange::Round& round = exchange.rounds[m][next[m]];
        for (const std::uint32_t message : round.sends)
          sent.try_emplace(message, knows[m]);
        if (!std::ranges::all_of(round.receives,
                                 [&](std::uint32_t message) { return sent.contains(message); }))
          break;
        for (const std::uint32_t message : round.receives)
          knows[m].insert(sent[message].begin(), sent[message].end());
        ++next[m];
        moved = true;
      }
  for (std::uint32_t m = 0; m < members; ++m)
    if (next[m] < exchange.rounds[m].size())
      return std::nullopt;
  return knows;
}

Exchange exchange_of(std::string_view function, std::string_view name,
                     const Contribution& contribution) {
  for (const Algorithm& algorithm : algorithms_of(function))
    if (algorithm.name == name)
      return algorithm.exchange(contribution);
  ADD_FAILURE() << function << " " << name;
  return {};
}

/// "0>1:10 ..." of the messages that the member sends, in the order of its rounds.
std::string sends(const Exchange& exchange, std::uint32_t member) {
  std::string text;
  for (const Exchange::Round& round : exchange.rounds[member])
    for (const std::uint32_t m : round.sends) {
      const Exchange::Message& message = exchange.messages[m];
      text += (text.empty() ? "" : " ") + std::to_string(message.from) + ">" +
              std::to_string(message.to) + ":" + std::to_string(message.bytes);
    }
  return text;
}

TEST(algorithms, tell_everybody_what_the_operation_has_to_tell) {
  for (const std::string function :
       {"Alltoall", "Allgather", "Allreduce", "Barrier", "Bcast", "Scatter", "Reduce", "Gather"})
    for (const Algorithm& algorithm : algorithms_of(function))
      for (std::uint32_t members = 1; members <= 17; ++members) {
        SCOPED_TRACE(function + " " + std::string(algorithm.name) + " " + std::to_string(members));
        const std::uint32_t root =
            function.starts_with("A") || function == "Barrier" ? 0 : members / 2;
        const Exchange exchange =
            algorithm.exchange({.bytes = std::vector<std::uint64_t>(members, 1700), .root = root});
        if (exchange.messages.empty()) // of one member, or not for so many
          continue;
        const auto knows = play(exchange);
        ASSERT_TRUE(knows);
        const bool down = function == "Bcast" || function == "Scatter";
        const bool up = function == "Reduce" || function == "Gather";
        for (std::uint32_t m = 0; m < members; ++m) {
          EXPECT_TRUE(up || (*knows)[m].contains(root));
          EXPECT_TRUE(down || (up && m != root) || (*knows)[m].size() == members);
        }
      }
}

TEST(algorithms, send_each_other_member_its_share_in_an_all_to_all) {
  const Contribution contribution{.bytes = {40, 80, 120, 160}, .root = 0};
  EXPECT_EQ(sends(exchange_of("Alltoall", "linear", contribution), 1), "1>2:20 1>3:20 1>0:20");
  EXPECT_EQ(sends(exchange_of("Alltoall", "shifts", contribution), 1), "1>2:20 1>3:20 1>0:20");
  EXPECT_EQ(sends(exchange_of("Alltoall", "pairs", contribution), 1), "1>0:20 1>3:20 1>2:20");
  EXPECT_EQ(sends(exchange_of("Alltoall", "Bruck", contribution), 1), "1>2:40 1>3:40");
  EXPECT_EQ(exchange_of("Alltoall", "linear", contribution).rounds[1].size(), 1u);
  EXPECT_EQ(exchange_of("Alltoall", "shifts", contribution).rounds[1].size(), 3u);
}

TEST(algorithms, pass_on_the_blocks_of_others_in_a_ring) {
  const Contribution contribution{.bytes = {1, 2, 3}, .root = 0};
  EXPECT_EQ(sends(exchange_of("Allgatherv", "ring", contribution), 1), "1>2:2 1>2:1");
}

TEST(algorithms, use_binomial_trees) {
  const Contribution contribution{.bytes = std::vector<std::uint64_t>(6, 7), .root = 2};
  const Exchange down = exchange_of("Bcast", "tree", contribution);
  EXPECT_EQ(sends(down, 2), "2>0:7 2>4:7 2>3:7"); // 4, 2 and 1 behind the root
  EXPECT_EQ(sends(down, 4), "4>5:7");
  EXPECT_EQ(sends(down, 0), "0>1:7");
  const Exchange up = exchange_of("Reduce", "tree", contribution);
  EXPECT_EQ(sends(up, 0), "0>2:7");
  EXPECT_EQ(up.rounds[0].size(), 2u); // from its child first
  EXPECT_EQ(up.rounds[2].size(), 3u);
  EXPECT_EQ(up.messages[up.rounds[2][0].receives[0]].from, 3u);
}

TEST(algorithms, are_those_of_functions_that_are_known) {
  EXPECT_TRUE(algorithms_of("Comm_split").empty());
  EXPECT_TRUE(algorithms_of("Scan").empty());
}

TEST(algorithms, that_need_a_power_of_two_have_no_messages_else) {
  const Contribution six{.bytes = std::vector<std::uint64_t>(6, 8), .root = 0};
  EXPECT_TRUE(exchange_of("Alltoall", "pairs", six).messages.empty());
  EXPECT_TRUE(exchange_of("Allreduce", "doubling", six).messages.empty());
}

} // namespace
} // namespace hypermile::network
