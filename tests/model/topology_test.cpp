#include "model/topology.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

namespace hypermile::model {
namespace {

TEST(topology, has_as_many_places_and_switches_as_counting_finds) {
  EXPECT_EQ(places_of(Star{}), 0u);
  EXPECT_EQ(switches_of(Star{}), 1u);
  // Two leaves with two nodes each, below one root.
  const FatTree tree{.down = {2, 2}, .up = {1, 1}, .parallel = {1, 1}};
  EXPECT_EQ(places_of(tree), 4u);
  EXPECT_EQ(switches_of(tree), 3u);
  // Four leaves with four nodes each, and every leaf has two parents, which have all four leaves.
  const FatTree two_roots{.down = {4, 4}, .up = {1, 2}, .parallel = {1, 1}};
  EXPECT_EQ(places_of(two_roots), 16u);
  EXPECT_EQ(switches_of(two_roots), 4u + 2u);
  // A full tree of 4-port switches on three levels: 8 leaves, 8 above them, 4 at the top.
  const FatTree full{.down = {2, 2, 4}, .up = {1, 2, 2}, .parallel = {1, 1, 1}};
  EXPECT_EQ(places_of(full), 16u);
  EXPECT_EQ(switches_of(full), 8u + 8u + 4u);
  EXPECT_EQ(places_of(Torus{{4, 3, 2}}), 24u);
  EXPECT_EQ(switches_of(Torus{{4, 3, 2}}), 0u);
  const Dragonfly dragonfly{.groups = 2,
                            .group_links = 9,
                            .chassis = 3,
                            .chassis_links = 9,
                            .routers = 4,
                            .router_links = 9,
                            .nodes = 5};
  EXPECT_EQ(places_of(dragonfly), 120u);
  EXPECT_EQ(switches_of(dragonfly), 24u);
}

TEST(topology, needs_as_many_ports_as_links_end_at_a_switch) {
  // Leaves with 4 nodes and 2 parents by 3 links each; parents with 4 children.
  EXPECT_EQ(ports_of(FatTree{.down = {4, 4}, .up = {1, 2}, .parallel = {1, 3}}), 12u);
  EXPECT_EQ(ports_of(FatTree{.down = {8, 4}, .up = {1, 2}, .parallel = {1, 3}}), 8u + 6u);
  EXPECT_EQ(ports_of(Star{}), 0u);
  EXPECT_EQ(ports_of(Torus{{4, 4}}), 0u);
  EXPECT_EQ(ports_of(Dragonfly{.groups = 2,
                               .group_links = 1,
                               .chassis = 3,
                               .chassis_links = 2,
                               .routers = 4,
                               .router_links = 1,
                               .nodes = 5}),
            5u + 3u + 4u);
}

TEST(topology, of_more_nodes_than_a_platform_may_have_is_refused) {
  EXPECT_THROW((void)places_of(Torus{{100'000, 100'000, 100'000, 100'000}}), Error);
  EXPECT_THROW((void)switches_of(
                   FatTree{.down = {1, 1}, .up = {10'000'000, 10'000'000}, .parallel = {1, 1}}),
               Error);
}

} // namespace
} // namespace hypermile::model
