#include "steer/space.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace hypermile::steer {
namespace {

using model::Placement;

NodeShape node_of(std::size_t sockets, std::size_t cores_per_socket) {
  return {sockets, cores_per_socket, model::GearTable({Hertz{2e9}, Hertz{1e9}})};
}

std::vector<std::size_t> cores_of_sockets(const NodeShape& node, const Configuration& one) {
  std::vector<std::size_t> cores;
  for (std::size_t socket = 0; socket < node.sockets; ++socket)
    cores.push_back(active_cores(node, one, socket));
  return cores;
}

TEST(space, linear_placement_fills_a_socket_first) {
  const NodeShape node = node_of(3, 4);
  const auto cores = [&](std::size_t count) {
    return cores_of_sockets(node, {count, 0, Placement::linear});
  };
  EXPECT_EQ(cores(1), (std::vector<std::size_t>{1, 0, 0}));
  EXPECT_EQ(cores(4), (std::vector<std::size_t>{4, 0, 0}));
  EXPECT_EQ(cores(6), (std::vector<std::size_t>{4, 2, 0}));
  EXPECT_EQ(cores(12), (std::vector<std::size_t>{4, 4, 4}));
}

TEST(space, interleaved_placement_takes_one_of_each_socket_in_turn) {
  const NodeShape node = node_of(3, 4);
  const auto cores = [&](std::size_t count) {
    return cores_of_sockets(node, {count, 0, Placement::interleaved});
  };
  EXPECT_EQ(cores(2), (std::vector<std::size_t>{1, 1, 0}));
  EXPECT_EQ(cores(5), (std::vector<std::size_t>{2, 2, 1}));
  EXPECT_EQ(cores(12), (std::vector<std::size_t>{4, 4, 4}));
}

/// [N16] Eq. 8: ceil(n / k); Eq. 9: min(n, K).
TEST(space, active_sockets_are_those_with_active_cores) {
  const NodeShape node = node_of(4, 3);
  const auto sockets = [&](std::size_t count, Placement placement) {
    return active_sockets(node, {count, 0, placement});
  };
  EXPECT_EQ(sockets(3, Placement::linear), 1U);
  EXPECT_EQ(sockets(4, Placement::linear), 2U);
  EXPECT_EQ(sockets(12, Placement::linear), 4U);
  EXPECT_EQ(sockets(3, Placement::interleaved), 3U);
  EXPECT_EQ(sockets(9, Placement::interleaved), 4U);
  for (const auto placement : {Placement::linear, Placement::interleaved})
    for (std::size_t count = 1; count <= node.cores(); ++count) {
      const auto cores = cores_of_sockets(node, {count, 0, placement});
      EXPECT_EQ(std::accumulate(cores.begin(), cores.end(), std::size_t{0}), count);
      EXPECT_EQ(sockets(count, placement), cores.size() - static_cast<std::size_t>(std::count(
                                                              cores.begin(), cores.end(), 0U)));
    }
}

TEST(space, has_every_way_to_use_the_cores_once_for_each_gear) {
  for (const std::size_t sockets : {1U, 2U, 3U, 4U})
    for (const std::size_t cores : {1U, 2U, 3U, 6U}) {
      const NodeShape node = node_of(sockets, cores);
      std::set<std::pair<std::vector<std::size_t>, model::Gear>> expected;
      for (const auto placement : {Placement::linear, Placement::interleaved})
        for (std::size_t count = 1; count <= node.cores(); ++count)
          for (const model::Gear gear : {0U, 1U})
            expected.emplace(cores_of_sockets(node, {count, gear, placement}), gear);
      const Space space = all_configurations(node);
      std::set<std::pair<std::vector<std::size_t>, model::Gear>> found;
      for (const Configuration& one : space.configurations)
        found.emplace(cores_of_sockets(node, one), one.gear);
      EXPECT_EQ(found, expected) << sockets << " x " << cores;
      EXPECT_EQ(space.size(), expected.size()) << sockets << " x " << cores;
    }
}

TEST(space, names_a_configuration_that_is_the_same_in_both_placements_linear) {
  const Space space = all_configurations(node_of(2, 3));
  for (const std::size_t cores : {1U, 5U, 6U}) {
    EXPECT_TRUE(space.find({cores, 0, Placement::linear}));
    EXPECT_FALSE(space.find({cores, 0, Placement::interleaved}));
  }
  EXPECT_TRUE(space.find({3, 1, Placement::interleaved}));
}

TEST(space, finds_configurations_by_what_they_are) {
  const Space space = all_configurations(node_of(2, 2));
  for (std::size_t index = 0; index < space.size(); ++index)
    EXPECT_EQ(space.find(space[index]), index);
  EXPECT_EQ(space.find({5, 0, Placement::linear}), std::nullopt);
}

TEST(space, wide_and_slow_is_all_cores_in_the_lowest_gear) {
  Space space = all_configurations(node_of(2, 4));
  EXPECT_EQ(space[wide_and_slow(space)], (Configuration{8, 1, Placement::linear}));
  // Where that was not measured, the widest that was.
  std::erase_if(space.configurations, [](const Configuration& one) { return one.cores > 6; });
  EXPECT_EQ(space[wide_and_slow(space)], (Configuration{6, 1, Placement::linear}));
  std::erase(space.configurations, Configuration{6, 1, Placement::linear});
  EXPECT_EQ(space[wide_and_slow(space)], (Configuration{6, 1, Placement::interleaved}));
}

TEST(space, takes_volts_from_the_table_or_lets_them_fall_with_the_frequency) {
  NodeShape node = node_of(1, 2);
  EXPECT_DOUBLE_EQ(node.volts(1, 0), 1);
  EXPECT_DOUBLE_EQ(node.volts(2, 1), 0.8); // 0.6 + 0.4 / 2
  node.voltage = VoltageTable{{0.9, 0.7}, {1.0, 0.8}, {1.1, 0.9}};
  EXPECT_DOUBLE_EQ(node.volts(0, 1), 0.7);
  EXPECT_DOUBLE_EQ(node.volts(2, 0), 1.1);
}

TEST(space, refuses_nodes_without_cores_and_voltages_that_do_not_fit) {
  const auto refused = [](NodeShape node) {
    try {
      (void)all_configurations(node);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::model;
    }
    return false;
  };
  EXPECT_TRUE(refused(node_of(0, 4)));
  EXPECT_TRUE(refused(node_of(2, 0)));
  NodeShape node = node_of(1, 1);
  node.voltage = VoltageTable{{0.9, 0.7}};
  EXPECT_TRUE(refused(node)); // a row is missing
  node.voltage = VoltageTable{{0.9, 0.7}, {1.0}};
  EXPECT_TRUE(refused(node)); // a gear is missing
  node.voltage = VoltageTable{{0.9, 0.7}, {1.0, 0.8}};
  EXPECT_FALSE(refused(node));
}

} // namespace
} // namespace hypermile::steer
