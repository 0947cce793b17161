#include "model/layout.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace hypermile::model {
namespace {

NodeType type(const std::string& name, std::size_t cores, double idle) {
  return {.name = name,
          .cores = cores,
          .speed = Speed{1e9},
          .gears = GearTable{{Hertz{1e9}}},
          .power = {{Watts{100}, Watts{50}, Watts{idle}}}};
}

/// 3 nodes of 2 cores and 2 of 4.
Platform five_nodes() {
  Platform platform;
  platform.name = "five";
  platform.groups = {{type("small", 2, 10), 3}, {type("large", 4, 30), 2}};
  return platform;
}

using Nodes = std::vector<std::uint32_t>;
constexpr Layout by_node{.by = Layout::By::node};

TEST(Layout, fills_a_node_before_the_next) {
  EXPECT_EQ(place(five_nodes(), 5, {}).node_of_rank, (Nodes{0, 0, 1, 1, 2}));
}

TEST(Layout, takes_nodes_in_turn_and_leaves_out_those_that_are_full) {
  const PlacedRanks placed = place(five_nodes(), 13, by_node);
  EXPECT_EQ(placed.node_of_rank, (Nodes{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 3, 4, 3}));
  EXPECT_EQ(placed.ranks_of_node, (std::vector<std::size_t>{2, 2, 2, 4, 3}));
}

TEST(Layout, lets_ranks_share_cores_evenly_if_asked_to) {
  EXPECT_THROW(static_cast<void>(place(five_nodes(), 15, {})), Error);
  const PlacedRanks placed =
      place(five_nodes(), 20, {.by = Layout::By::node, .oversubscribe = true});
  EXPECT_EQ(placed.ranks_of_node, (std::vector<std::size_t>{4, 4, 4, 4, 4}));
  EXPECT_EQ(place(five_nodes(), 28, {.oversubscribe = true}).ranks_of_node,
            (std::vector<std::size_t>{4, 4, 4, 8, 8}));
}

TEST(Layout, puts_no_more_on_a_node_than_it_is_told) {
  EXPECT_EQ(place(five_nodes(), 5, {.most_per_node = 1}).node_of_rank, (Nodes{0, 1, 2, 3, 4}));
  EXPECT_EQ(place(five_nodes(), 12, {.most_per_node = 3}).ranks_of_node,
            (std::vector<std::size_t>{2, 2, 2, 3, 3}));
  EXPECT_THROW(static_cast<void>(place(five_nodes(), 6, {.most_per_node = 1})), Error);
  Platform platform = five_nodes();
  platform.scalable = true;
  EXPECT_EQ(place(platform, 10, {.most_per_node = 2}).nodes.size(), 5U);
}

TEST(Layout, makes_a_scalable_platform_as_large_as_needed) {
  Platform platform = five_nodes();
  platform.scalable = true;
  EXPECT_EQ(place(platform, 14, {}).nodes.size(), 5U);
  const PlacedRanks placed = place(platform, 10, by_node);
  EXPECT_EQ(placed.nodes.size(), 10U);
  EXPECT_EQ(placed.nodes[5]->name, "small");
  EXPECT_EQ(placed.nodes[6]->name, "large");
}

TEST(Layout, places_every_rank_on_a_node_with_room_whatever_the_platform) {
  std::mt19937 random(1);
  const auto number = [&](std::size_t least, std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(least, most)(random);
  };
  for (int i = 0; i < 300; ++i) {
    Platform platform;
    for (std::size_t g = number(1, 3); g > 0; --g)
      platform.groups.push_back({type(std::to_string(g), number(1, 5), 1), number(1, 4)});
    const Layout layout{.by = number(0, 1) == 0 ? Layout::By::core : Layout::By::node,
                        .oversubscribe = true};
    const std::size_t ranks = number(1, 150);
    const PlacedRanks placed = place(platform, ranks, layout);
    ASSERT_EQ(placed.node_of_rank.size(), ranks);
    std::vector<std::size_t> counted(placed.nodes.size(), 0);
    for (const std::uint32_t node : placed.node_of_rank)
      ++counted.at(node);
    EXPECT_EQ(counted, placed.ranks_of_node);
    EXPECT_EQ(std::ranges::count(counted, 0U), 0);
    std::size_t cores = 0;
    for (const auto& [node_type, count] : platform.groups)
      cores += node_type.cores * count;
    for (std::size_t n = 0; n < counted.size(); ++n)
      EXPECT_LE(counted[n], placed.nodes[n]->cores * ((ranks + cores - 1) / cores));
  }
}

TEST(IdleNodes, are_those_of_a_fixed_platform_without_ranks) {
  const Platform platform = five_nodes();
  const IdleNodes idle = idle_nodes(platform, place(platform, 5, {}).nodes);
  EXPECT_EQ(idle.count, 2U);
  EXPECT_EQ(idle.power, Watts{60});
  EXPECT_EQ(idle_nodes(platform, place(platform, 14, {}).nodes).count, 0U);
}

} // namespace
} // namespace hypermile::model
