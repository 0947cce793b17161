#include "io/platform_yaml.hpp"
#include "io/refusal.hpp"
#include "support/text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace hypermile::io {
namespace {

std::string with_topology(const std::string& topology, const std::string& nodes = "count: 16") {
  return fmt::format("schema: hypermile/platform/1\nname: p\ndescription: d\ntypes:\n"
                     "  - {{name: t, {}, speed: 1Gf, gears: [1GHz], "
                     "power: {{dynamic: 1W, static: 1W}}}}\n"
                     "network:\n  link: {{bandwidth: 1Gbps, latency: 1us}}\n  topology: {}\n",
                     nodes, topology);
}

void expect_topology_error(const std::string& text, const std::string& message) {
  test::expect_part(refusal([&] { return parse_platform(text, "p.yaml"); }), message);
}

TEST(topology_yaml, reads_a_fat_tree) {
  const auto platform = parse_platform(
      with_topology("{fat_tree: {down: [4, 4], up: [1, 2], parallel: [1, 3]}}"), "p.yaml");
  EXPECT_EQ(std::get<model::FatTree>(platform.network.topology),
            (model::FatTree{.down = {4, 4}, .up = {1, 2}, .parallel = {1, 3}}));
}

TEST(topology_yaml, needs_as_many_nodes_as_it_connects) {
  expect_topology_error(
      with_topology("{torus: [4, 5]}"),
      "p.yaml:8: network.topology: connects 20 nodes, but there are 16; try: count: 20");
  std::string two_types = with_topology("{torus: [4, 4]}");
  const std::string type =
      two_types.substr(two_types.find("  - "), two_types.find("network:") - two_types.find("  - "));
  two_types.insert(two_types.find("network:"), type);
  expect_topology_error(two_types, "p.yaml:9: network.topology: needs nodes of one type");
  std::string scalable = with_topology("{torus: [4, 4]}", "share: 16");
  scalable.insert(scalable.find("types:"), "scalable: yes\n");
  expect_topology_error(scalable, "network.topology: needs nodes of one type");
}

TEST(topology_yaml, names_file_line_and_key_of_what_it_refuses) {
  expect_topology_error(with_topology("{}"), "p.yaml:8: network.topology: is not one topology");
  expect_topology_error(with_topology("{torus: [4, 4], fat_tree: {}}"), "is not one topology");
  expect_topology_error(with_topology("{ring: [16]}"), "network.topology: unknown key 'ring'");
  expect_topology_error(with_topology("{torus: []}"),
                        "p.yaml:8: network.topology.torus: must be a list");
  expect_topology_error(with_topology("{torus: [4, 0]}"),
                        "network.topology.torus[1]: '0' is not a whole");
  expect_topology_error(with_topology("{fat_tree: {down: [4, 4], up: [1], parallel: [1, 1]}}"),
                        "network.topology.fat_tree: down, up and parallel have different lengths");
  expect_topology_error(with_topology("{dragonfly: {groups: 2}}"),
                        "network.topology.dragonfly: the key 'group_links' is missing");
  expect_topology_error(with_topology("{torus: [10000000, 10000000]}"), "more than 10000000 nodes");
  expect_topology_error(
      with_topology("{torus: [4, 4]}\n  backbone: {bandwidth: 1Gbps, latency: 1us}"),
      "p.yaml:9: network.backbone: is there beside topology");
}

} // namespace
} // namespace hypermile::io
