#include "io/platform_yaml.hpp"
#include "units/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace hypermile::io {
namespace {

const std::string valid = R"(schema: hypermile/platform/1
name: two
description: two types
types:
  - name: slow
    count: 2
    speed: 40Gf
    gears: [2.0GHz, 1.5GHz, 1.0GHz]
    power: {dynamic: 20W, static: 4W}
  - name: wide
    count: 1
    cores: 4
    speed: 60Gf
    gears: [3.0GHz, 1.5GHz]
    power:
      computing: [100W, 40W]
      waiting: [50W, 20W]
      idle: 10W
network:
  link: {bandwidth: 1Gbps, latency: 50us}
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = valid;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_error(const std::string& text, const std::string& message) {
  try {
    (void)parse_platform(text, "p.yaml");
    FAIL() << "accepted, but should say: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::config);
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(platform_yaml, reads_types_gears_power_and_network) {
  const auto platform = parse_platform(valid, "p.yaml");
  ASSERT_EQ(platform.groups.size(), 2u);
  const auto& slow = platform.groups[0].type;
  EXPECT_EQ(platform.groups[0].count, 2u);
  EXPECT_EQ(slow.cores, 1u);
  EXPECT_DOUBLE_EQ(slow.speed.value(), 40e9);
  EXPECT_DOUBLE_EQ(slow.power[0].computing.value(), 24);
  EXPECT_DOUBLE_EQ(slow.power[2].computing.value(), 4 + 20.0 / 8); // S = 2
  EXPECT_DOUBLE_EQ(slow.power[2].waiting.value(), 4);
  const auto& wide = platform.groups[1].type;
  EXPECT_EQ(wide.cores, 4u);
  EXPECT_DOUBLE_EQ(wide.power[1].waiting.value(), 20);
  EXPECT_DOUBLE_EQ(wide.power[1].idle.value(), 10);
  EXPECT_DOUBLE_EQ(platform.network.link.bandwidth.value(), 125e6);
  EXPECT_FALSE(platform.network.backbone);
  EXPECT_FALSE(platform.scalable);
}

TEST(platform_yaml, reads_every_bundled_platform) {
  for (const char* name : {"table-2.1", "table-3.1", "table-3.1-80-20"}) {
    const auto platform =
        load_platform(std::string(HYPERMILE_SOURCE_DIR) + "/platforms/" + name + ".yaml");
    EXPECT_EQ(platform.name, name);
    EXPECT_TRUE(platform.ep_pair_work);
  }
}

TEST(platform_yaml, of_a_generic_server_has_the_figures_of_its_source) {
  const std::string source(HYPERMILE_SOURCE_DIR);
  const auto platform = load_platform(source + "/platforms/assumed/generic-server.yaml");
  ASSERT_EQ(platform.groups.size(), 1u);
  const auto& type = platform.groups[0].type;
  ASSERT_EQ(type.gears.size(), 13u);
  EXPECT_TRUE(type.hosts.empty());
  std::ifstream csv(source + "/data/parsec/swaptions.csv");
  std::size_t found = 0;
  for (std::string line; std::getline(csv, line);)
    for (model::Gear g = 0; g < type.gears.size(); ++g) {
      const auto khz = std::to_string(std::llround(type.gears.frequency(g).value() / 1e3));
      if (!line.starts_with("24," + khz + ","))
        continue;
      ++found;
      const double watts = std::stod(line.substr(line.rfind(',') + 1));
      EXPECT_NEAR(type.power[g].computing.value(), watts, 0.05) << line;
      EXPECT_EQ(type.power[g].waiting, type.power[g].computing); // MPI polls
    }
  EXPECT_EQ(found, 13u);
}

TEST(platform_yaml, appends_the_lowest_frequency_where_the_grid_misses_it) {
  const auto platform =
      load_platform(std::string(HYPERMILE_SOURCE_DIR) + "/platforms/table-3.1.yaml");
  const auto& gears = platform.groups[3].type.gears;
  EXPECT_EQ(gears.size(), 15u);
  EXPECT_DOUBLE_EQ(gears.frequency(14).value(), 1.6e9);
  EXPECT_EQ(platform.groups[0].type.gears.size(), 14u);
}

TEST(platform_yaml, names_file_line_and_key_of_what_it_refuses) {
  expect_error(with("    speed: 40Gf", "    sped: 40Gf"), "p.yaml:7: types[0]: unknown key 'sped'");
  expect_error(with("static: 4W}", "static: -4W}"),
               "p.yaml:9: types[0].power.static: '-4W' is negative");
  expect_error(with("[2.0GHz, 1.5GHz, 1.0GHz]", "[1.5GHz, 2.0GHz, 1.0GHz]"),
               "p.yaml:8: types[0].gears: gear 1 (2 GHz) is not slower than gear 0");
  expect_error(with("40Gf", "nanGf"), "p.yaml:7: types[0].speed");
  expect_error(with("[50W, 20W]", "[50W]"), "p.yaml:17: types[1].power.waiting: has 1 values");
  expect_error(with("[50W, 20W]", "[50W, 45W]"), "in gear 1 computing draws less than waiting");
  expect_error(with("count: 2", "count: 0"), "p.yaml:6: types[0].count");
  expect_error(with("count: 2", "count: two"), "p.yaml:6: types[0].count");
  expect_error(with("    count: 2\n", ""), "p.yaml:5: types[0]: the key 'count' is missing");
  expect_error(with("1Gbps", "1GHz"), "p.yaml:20: network.link.bandwidth");
  expect_error(with("hypermile/platform/1", "hypermile/platform/9"), "p.yaml:1: schema");
  expect_error(with("    power: {dynamic: 20W, static: 4W}", "    power: 20W"),
               "p.yaml:9: types[0].power: must be a map");
  expect_error(with("name: two", "name: two\nname: three"), "the key 'name' is there twice");
  expect_error(with("types:", "types: ["), "not valid YAML");
  expect_error("", "p.yaml is empty");
  expect_error("# only a comment\n", "p.yaml is empty");
  expect_error("- a\n- b\n", "must be a map");
}

TEST(type_of_host, is_the_first_whose_pattern_fits) {
  const auto platform =
      parse_platform(with("    speed: 40Gf", "    hosts: [\"old*\", n17]\n    speed: 40Gf"), "f");
  EXPECT_EQ(model::type_of_host(platform, "old-3")->name, "slow");
  EXPECT_EQ(model::type_of_host(platform, "n17")->name, "slow");
  EXPECT_EQ(model::type_of_host(platform, "n18"), nullptr);
}

TEST(type_of_host, is_the_only_type_where_no_host_is_named) {
  auto platform = parse_platform(valid, "f");
  EXPECT_EQ(model::type_of_host(platform, "any"), nullptr); // there are two
  platform.groups.pop_back();
  EXPECT_EQ(model::type_of_host(platform, "any")->name, "slow");
}

TEST(place, takes_the_nodes_of_a_fixed_platform_in_order) {
  const auto platform = parse_platform(valid, "p.yaml");
  EXPECT_EQ(model::place(platform, 2).size(), 2u);
  EXPECT_EQ(model::place(platform, 3).size(), 3u);
  EXPECT_EQ(model::place(platform, 6).size(), 3u); // four ranks share the wide node
  EXPECT_THROW((void)model::place(platform, 7), Error);
}

TEST(place, gives_each_type_of_a_scalable_platform_its_share) {
  const auto platform =
      load_platform(std::string(HYPERMILE_SOURCE_DIR) + "/platforms/table-3.1.yaml");
  for (const std::size_t ranks : {1u, 2u, 4u, 5u, 8u, 9u, 16u, 144u}) {
    const auto nodes = model::place(platform, ranks);
    ASSERT_EQ(nodes.size(), ranks);
    for (const auto& [type, share] : platform.groups) {
      const auto here = std::ranges::count(nodes, &type);
      EXPECT_NEAR(static_cast<double>(here), static_cast<double>(ranks) / 4, 1) << ranks;
    }
  }
}

} // namespace
} // namespace hypermile::io
