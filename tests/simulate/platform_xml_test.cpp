#include "simulate/platform_xml.hpp"

#include "units/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

namespace hypermile::simulate {
namespace {

model::NodeType node_type(const std::string& name, std::size_t cores = 1) {
  return {.name = name,
          .cores = cores,
          .speed = Speed{40e9},
          .gears = model::GearTable{{Hertz{2.5e9}, Hertz{2.4e9}, Hertz{1.2e9}}},
          .power = {{Watts{24}, Watts{4}, Watts{3}},
                    {Watts{21.5}, Watts{3.5}, Watts{3}},
                    {Watts{6.25}, Watts{2.5}, Watts{3}}}};
}

model::Platform platform(std::vector<model::Platform::Group> groups) {
  return {.name = "test",
          .description = "",
          .groups = std::move(groups),
          .scalable = false,
          .network = {.link = {Bandwidth{125e6}, Seconds{50e-6}}, .backbone = std::nullopt},
          .ep_pair_work = std::nullopt};
}

/// The texts of all attributes `name` of the elements that begin with `element`.
std::vector<std::string> values(const std::string& xml, const std::string& element,
                                const std::string& name) {
  std::vector<std::string> all;
  for (auto at = xml.find(element); at != std::string::npos; at = xml.find(element, at + 1)) {
    const std::string tag = xml.substr(at, xml.find('>', at) - at);
    const auto begin = tag.find(" " + name + "=\"");
    if (begin == std::string::npos)
      continue;
    const auto from = begin + name.size() + 3;
    all.push_back(tag.substr(from, tag.find('"', from) - from));
  }
  return all;
}

std::vector<double> numbers(const std::string& list) {
  std::vector<double> all;
  std::istringstream items(list);
  for (std::string item; std::getline(items, item, ',');)
    all.push_back(std::strtod(item.c_str(), nullptr));
  return all;
}

TEST(to_simgrid, lists_the_nodes_that_have_ranks_with_their_gears) {
  const auto result = to_simgrid(platform({{node_type("wide", 2), 2}, {node_type("fast"), 4}}), 5);
  std::vector<std::string> nodes;
  for (const auto& node : result.nodes)
    nodes.push_back(node.name + " " + node.type + " " + std::to_string(node.gears));
  EXPECT_EQ(nodes, (std::vector<std::string>{"wide-0 wide 3", "wide-1 wide 3", "fast-0 fast 3"}));
}

TEST(to_simgrid, names_hosts_after_their_type) {
  const auto result = to_simgrid(platform({{node_type("slow"), 2}, {node_type("fast"), 1}}), 3);
  EXPECT_EQ(values(result.xml, "<host ", "id"),
            (std::vector<std::string>{"slow-0", "slow-1", "fast-0"}));
  EXPECT_EQ(result.host_of_rank, (std::vector<std::string>{"slow-0", "slow-1", "fast-0"}));
}

TEST(to_simgrid, leads_messages_to_another_site_over_the_link_between_them) {
  model::NodeType lyon = node_type("l");
  model::NodeType nancy = node_type("n");
  lyon.site = "lyon";
  nancy.site = "nancy";
  auto grid = platform({{nancy, 2}, {lyon, 1}});
  grid.network.between_sites = model::Link{Bandwidth{1250e6}, Seconds{5e-3}};
  const std::string xml = to_simgrid(grid, 3).xml;
  EXPECT_EQ(values(xml, "<prop id=\"site\"", "value"),
            (std::vector<std::string>{"nancy", "nancy", "lyon"}));
  EXPECT_EQ(values(xml, "<route ", "src").size(), 9u); // each pair, and each node to itself
  const auto route = [&](const std::string& from, const std::string& to) {
    const auto begin = xml.find("<route src=\"" + from + "\" dst=\"" + to + "\"");
    const std::string links = xml.substr(begin, xml.find('\n', begin) - begin);
    std::vector<std::string> on_route = values(links, "<link_ctn ", "id");
    const auto directions = values(links, "<link_ctn ", "direction");
    for (std::size_t i = 0; i < on_route.size(); ++i)
      on_route[i] += " " + directions.at(i);
    return on_route;
  };
  using Route = std::vector<std::string>;
  EXPECT_EQ(route("n-0", "n-1"), (Route{"link-n-0 UP", "link-n-1 DOWN"}));
  EXPECT_EQ(route("n-1", "l-0"),
            (Route{"link-n-1 UP", "between-lyon-nancy DOWN", "link-l-0 DOWN"}));
  EXPECT_EQ(route("l-0", "n-1"), (Route{"link-l-0 UP", "between-lyon-nancy UP", "link-n-1 DOWN"}));
}

TEST(to_simgrid, writes_speeds_that_stretch_computation_by_exactly_s) {
  const model::NodeType type = node_type("n");
  const auto result = to_simgrid(platform({{type, 1}}), 1);
  const auto speeds = numbers(values(result.xml, "<host ", "speed").at(0));
  ASSERT_EQ(speeds.size(), 3u);
  EXPECT_EQ(speeds[0], 40e9);
  for (model::Gear g = 0; g < 3; ++g) // not nearly: the same double
    EXPECT_EQ(speeds[g], (type.speed / type.gears.scale(g)).value());
}

TEST(to_simgrid, bills_waiting_power_to_a_host_that_does_not_compute) {
  const auto result = to_simgrid(platform({{node_type("n"), 1}}), 1);
  EXPECT_NE(result.xml.find("wattage_per_state\" value=\"4:4:24,3.5:3.5:21.5,2.5:2.5:6.25\""),
            std::string::npos)
      << result.xml;
}

TEST(to_simgrid, bills_computing_power_to_ranks_that_spin) {
  const auto result = to_simgrid(platform({{node_type("n"), 1}}), 1, Waiting::spinning);
  EXPECT_NE(result.xml.find("wattage_per_state\" value=\"24:24:24,21.5:21.5:21.5,6.25:6.25:6.25\""),
            std::string::npos)
      << result.xml;
}

TEST(to_simgrid, bills_nothing_to_cores_without_a_rank_where_the_others_spin) {
  // 4 W, and a quarter of the 20 W that four cores add.
  const auto result = to_simgrid(platform({{node_type("wide", 4), 2}}), 5, Waiting::spinning);
  EXPECT_NE(result.xml.find("wattage_per_state\" value=\"24:24:24,"), std::string::npos);
  EXPECT_NE(result.xml.find("wattage_per_state\" value=\"9:9:9,"), std::string::npos);
}

TEST(to_simgrid, states_frequencies_and_type) {
  const auto result = to_simgrid(platform({{node_type("n"), 1}}), 1);
  EXPECT_NE(result.xml.find("frequencies_ghz\" value=\"2.5,2.4,1.2\""), std::string::npos);
  EXPECT_NE(result.xml.find("node_type\" value=\"n\""), std::string::npos);
}

TEST(to_simgrid, puts_a_rank_on_every_core_before_the_next_node) {
  const auto result = to_simgrid(platform({{node_type("wide", 2), 2}, {node_type("n"), 1}}), 5);
  EXPECT_EQ(values(result.xml, "<host ", "core"), (std::vector<std::string>{"2", "2", "1"}));
  EXPECT_EQ(result.host_of_rank,
            (std::vector<std::string>{"wide-0", "wide-0", "wide-1", "wide-1", "n-0"}));
}

TEST(to_simgrid, leaves_cores_of_the_last_node_free) {
  const auto result = to_simgrid(platform({{node_type("wide", 4), 2}}), 5);
  EXPECT_EQ(result.host_of_rank.size(), 5u);
  EXPECT_EQ(result.host_of_rank.back(), "wide-1");
}

TEST(to_simgrid, refuses_more_ranks_than_cores) {
  EXPECT_THROW((void)to_simgrid(platform({{node_type("n", 2), 2}}), 5), Error);
}

TEST(to_simgrid, connects_every_host_both_ways) {
  const auto result = to_simgrid(platform({{node_type("n"), 2}}), 2);
  EXPECT_EQ(values(result.xml, "<link ", "id"), (std::vector<std::string>{"link-n-0", "link-n-1"}));
  EXPECT_EQ(values(result.xml, "<link ", "bandwidth").at(0), "125000000Bps");
  EXPECT_DOUBLE_EQ(std::strtod(values(result.xml, "<link ", "latency").at(0).c_str(), nullptr),
                   50e-6);
  EXPECT_EQ(values(result.xml, "<link ", "sharing_policy").at(0), "SPLITDUPLEX");
  EXPECT_EQ(values(result.xml, "<host_link ", "up").at(1), "link-n-1_UP");
  EXPECT_TRUE(values(result.xml, "<backbone ", "id").empty());
}

TEST(to_simgrid, writes_the_backbone_where_there_is_one) {
  auto with_backbone = platform({{node_type("n"), 2}});
  with_backbone.network.backbone = model::Link{Bandwidth{2.25e9}, Seconds{0.5e-6}};
  const auto result = to_simgrid(with_backbone, 2);
  EXPECT_EQ(values(result.xml, "<backbone ", "bandwidth"),
            std::vector<std::string>{"2250000000Bps"});
}

TEST(to_simgrid, describes_a_topology_as_simgrid_wants_it) {
  auto described = platform({{node_type("n", 2), 16}});
  const auto parameters = [&](model::Topology topology) {
    described.network.topology = std::move(topology);
    const std::string xml = to_simgrid(described, 5).xml;
    EXPECT_EQ(values(xml, "<cluster ", "radical"), std::vector<std::string>{"0-15"});
    EXPECT_EQ(values(xml, "<cluster ", "core"), std::vector<std::string>{"2"});
    EXPECT_EQ(values(xml, "<cluster ", "bw"), std::vector<std::string>{"125000000Bps"});
    EXPECT_TRUE(values(xml, "<host ", "id").empty());
    return values(xml, "<cluster ", "topology").at(0) + " " +
           values(xml, "<cluster ", "topo_parameters").at(0);
  };
  EXPECT_EQ(parameters(model::FatTree{.down = {4, 4}, .up = {1, 2}, .parallel = {1, 3}}),
            "FAT_TREE 2;4,4;1,2;1,3");
  EXPECT_EQ(parameters(model::Torus{{4, 2, 2}}), "TORUS 4,2,2");
  EXPECT_EQ(parameters(model::Dragonfly{.groups = 2,
                                        .group_links = 3,
                                        .chassis = 4,
                                        .chassis_links = 5,
                                        .routers = 1,
                                        .router_links = 6,
                                        .nodes = 2}),
            "DRAGONFLY 2,3;4,5;1,6;2");
}

TEST(to_simgrid, names_the_hosts_of_a_topology_like_those_of_a_star) {
  auto described = platform({{node_type("n", 2), 4}});
  const auto star = to_simgrid(described, 5);
  described.network.topology = model::Torus{{2, 2}};
  const auto torus = to_simgrid(described, 5);
  EXPECT_EQ(torus.host_of_rank, star.host_of_rank);
  EXPECT_EQ(torus.nodes.size(), star.nodes.size());
  EXPECT_EQ(values(torus.xml, "<cluster ", "prefix"), std::vector<std::string>{"n-"});
  EXPECT_EQ(values(torus.xml, "<cluster ", "speed"),
            (std::vector<std::string>{values(star.xml, "<host ", "speed").at(0)}));
  EXPECT_EQ(values(torus.xml, "<prop id=\"wattage_per_state\"", "value").at(0),
            values(star.xml, "<prop id=\"wattage_per_state\"", "value").at(0));
}

TEST(to_simgrid, refuses_spinning_ranks_that_simgrid_cannot_bill_in_a_topology) {
  auto described = platform({{node_type("n", 2), 4}});
  described.network.topology = model::Torus{{2, 2}};
  EXPECT_NO_THROW((void)to_simgrid(described, 4, Waiting::spinning));
  EXPECT_THROW((void)to_simgrid(described, 3, Waiting::spinning), Error);
}

TEST(to_simgrid, escapes_what_xml_would_not_take) {
  const auto result = to_simgrid(platform({{node_type("a<b>&\"c"), 1}}), 1);
  EXPECT_NE(result.xml.find("id=\"a&lt;b>&amp;&quot;c-0\""), std::string::npos) << result.xml;
  EXPECT_NE(result.xml.find("value=\"a&lt;b>&amp;&quot;c\""), std::string::npos) << result.xml;
  // The file that lists the hosts is not XML.
  EXPECT_EQ(result.host_of_rank, std::vector<std::string>{"a<b>&\"c-0"});
}

TEST(platform_xml, ranks_of_a_node_with_a_memory_meet_there) {
  auto with_memory = platform({{node_type("a", 2), 2}});
  with_memory.groups.front().type.memory = model::Link{Bandwidth{3e9}, Seconds{1e-6}};
  const std::string xml = to_simgrid(with_memory, 4).xml;
  EXPECT_EQ(values(xml, "<link id=\"memory-", "bandwidth"),
            (std::vector<std::string>{"3000000000Bps", "3000000000Bps"}));
  EXPECT_NE(xml.find("<route src=\"a-0\" dst=\"a-0\" symmetrical=\"NO\">"
                     "<link_ctn id=\"memory-a-0\"/></route>"),
            std::string::npos)
      << xml;
  EXPECT_NE(xml.find("<route src=\"a-0\" dst=\"a-1\" symmetrical=\"NO\">"
                     "<link_ctn id=\"link-a-0\" direction=\"UP\"/>"
                     "<link_ctn id=\"link-a-1\" direction=\"DOWN\"/></route>"),
            std::string::npos)
      << xml;
}

} // namespace
} // namespace hypermile::simulate
