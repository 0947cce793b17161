#include "io/platform_yaml.hpp"
#include "io/refusal.hpp"
#include "support/text.hpp"
#include "units/error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <string>

namespace hypermile::io {
namespace {

const std::string valid_platform = R"(schema: hypermile/platform/1
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

std::string platform_with(const std::string& from, const std::string& to) {
  std::string text = valid_platform;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expect_platform_error(const std::string& text, const std::string& message) {
  test::expect_part(refusal([&] { return parse_platform(text, "p.yaml"); }), message);
}

const std::string bundled = HYPERMILE_SOURCE_DIR "/platforms";

model::Platform load_bundled(const std::string& name) {
  return load_platform(bundled + "/" + name + ".yaml");
}

TEST(platform_yaml, reads_power_limits_beside_the_gears) {
  const auto platform =
      parse_platform(platform_with("    power: {dynamic",
                                   "    power_limits: [0.12kW, 100W, 80W]\n    power: {dynamic"),
                     "p.yaml");
  EXPECT_EQ(platform.groups[0].type.power_limits, (std::vector{Watts{120}, Watts{100}, Watts{80}}));
  EXPECT_EQ(platform.groups[0].type.gears.frequency(2), Hertz{1e9});
  EXPECT_TRUE(platform.groups[1].type.power_limits.empty());
}

TEST(platform_yaml, refuses_power_limits_that_are_not_one_for_each_gear_in_order) {
  const auto with = [](const std::string& limits) {
    return platform_with("    power: {dynamic",
                         "    power_limits: " + limits + "\n    power: {dynamic");
  };
  expect_platform_error(with("[120W, 100W]"),
                        "p.yaml:9: types[0].power_limits: has 2 limits for 3 gears");
  expect_platform_error(with("[120W, 120W, 80W]"), "'120W' is not below the limit before it");
  expect_platform_error(with("[120W, 0W, 80W]"), "'0W' is not positive");
  expect_platform_error(with("[120, 100, 80]"), "120");
  expect_platform_error(with("[120W, .nan, 80W]"), ".nan");
  expect_platform_error(with("120W"), "power_limits");
  expect_platform_error(with("[]"), "power_limits");
}

TEST(platform_yaml, reads_uncore_frequencies_beside_the_gears) {
  const auto with = [](const std::string& uncore) {
    return platform_with("    power: {dynamic", "    uncore: " + uncore + "\n    power: {dynamic");
  };
  EXPECT_EQ(parse_platform(with("[2.4GHz, 2.4GHz, 1.6GHz]"), "p.yaml").groups[0].type.uncore,
            (std::vector{Hertz{2.4e9}, Hertz{2.4e9}, Hertz{1.6e9}}));
  expect_platform_error(with("[2.4GHz, 2GHz]"),
                        "p.yaml:9: types[0].uncore: has 2 frequencies for 3 gears");
  expect_platform_error(with("[2GHz, 2.4GHz, 1GHz]"), "'2.4GHz' is above the frequency before it");
  expect_platform_error(with("[2GHz, 0GHz, 0GHz]"), "'0GHz' is not positive");
  expect_platform_error(with("2GHz"), "uncore");
  expect_platform_error(with("[2GHz, 2GHz, 2GHz]\n    power_limits: [9W, 8W, 7W]"),
                        "is there beside power_limits");
}

TEST(platform_yaml, refuses_power_limits_beside_components) {
  std::string text = valid_platform;
  const auto begin = text.find("    cores: 4");
  const auto end = text.find("network:");
  text.replace(begin, end - begin, "    parts: [2x epyc-9354]\n    power_limits: [200W, 100W]\n");
  test::expect_part(
      refusal([&] { return parse_platform(text, "p.yaml", {.platform_folder = bundled}); }),
      "power_limits: is there beside components");
}

TEST(platform_yaml, reads_types_gears_power_and_network) {
  const auto platform = parse_platform(valid_platform, "p.yaml");
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
  const auto names = bundled_platforms(bundled);
  EXPECT_GE(names.size(), 11u);
  for (const std::string& name : names) {
    const auto platform = load_bundled(name);
    EXPECT_EQ(platform.name, name);
    EXPECT_TRUE(platform.ep_pair_work);
  }
}

TEST(platform_yaml, of_a_power_scenario_keeps_the_total_of_each_node) {
  const auto printed = load_bundled("table-3.1");
  for (const int dynamic_percent : {70, 80, 90}) {
    const auto scenario =
        load_bundled(fmt::format("table-3.1-{}-{}", dynamic_percent, 100 - dynamic_percent));
    for (std::size_t t = 0; t < 4; ++t) {
      const auto& type = scenario.groups.at(t).type;
      const auto total = printed.groups[t].type.power[0].computing.value();
      EXPECT_DOUBLE_EQ(type.power[0].computing.value(), total);
      EXPECT_DOUBLE_EQ(type.power[0].waiting.value(), total * (100 - dynamic_percent) / 100);
      EXPECT_EQ(type.gears.size(), printed.groups[t].type.gears.size());
    }
  }
}

TEST(platform_yaml, of_a_grid_has_the_nodes_of_its_scenario) {
  const auto cores_at = [](const std::string& platform, const std::string& site) {
    std::size_t cores = 0;
    for (const auto& [type, count] : load_bundled(platform).groups)
      cores += type.site == site ? count * type.cores : 0;
    return cores;
  };
  EXPECT_EQ(cores_at("table-3.11-two-sites-16", "lyon"), 5u);
  EXPECT_EQ(cores_at("table-3.11-two-sites-16", "nancy"), 11u);
  EXPECT_EQ(cores_at("table-3.11-two-sites-32", "lyon"), 10u);
  EXPECT_EQ(cores_at("table-3.11-two-sites-32", "nancy"), 22u);
  EXPECT_EQ(cores_at("table-3.11-one-site-16", ""), 16u);
  EXPECT_EQ(cores_at("table-3.11-one-site-32", ""), 32u);
  EXPECT_EQ(cores_at("table-3.12-multi-core", ""), 32u);
}

TEST(platform_yaml, of_table_4_1_has_clusters_of_one_type_each_with_a_slow_network_between) {
  for (const std::string clusters : {"4", "8"})
    for (const std::string nodes : {"4", "8"}) {
      const auto platform = load_bundled("table-4.1-" + clusters + "x" + nodes);
      EXPECT_EQ(platform.groups.size(), std::stoul(clusters));
      std::set<std::string> sites;
      for (const auto& [type, count] : platform.groups) {
        sites.insert(type.site);
        EXPECT_EQ(count, std::stoul(nodes));
        EXPECT_EQ(type.cores, 1U);
      }
      EXPECT_EQ(sites.size(), platform.groups.size());
      EXPECT_DOUBLE_EQ(platform.network.between_sites->latency.value(),
                       10 * platform.network.link.latency.value());
      EXPECT_DOUBLE_EQ(10 * platform.network.between_sites->bandwidth.value(),
                       platform.network.link.bandwidth.value());
    }
}

TEST(platform_yaml, of_table_4_1_keeps_the_power_of_each_node_in_all_power_scenarios) {
  for (const std::string grid : {"4x4", "8x4"})
    for (const int dynamic_percent : {70, 80, 90}) {
      const auto printed = load_bundled("table-4.1-" + grid);
      const auto scenario = load_bundled(
          fmt::format("table-4.1-{}-{}-{}", grid, dynamic_percent, 100 - dynamic_percent));
      ASSERT_EQ(scenario.groups.size(), printed.groups.size());
      for (std::size_t t = 0; t < printed.groups.size(); ++t) {
        const auto& power = scenario.groups[t].type.power[0];
        const double total = printed.groups[t].type.power[0].computing.value();
        EXPECT_DOUBLE_EQ(power.computing.value(), total);
        EXPECT_DOUBLE_EQ(power.waiting.value(), total * (100 - dynamic_percent) / 100);
      }
    }
}

TEST(platform_yaml, of_table_4_4_has_eight_nodes_at_each_of_four_sites) {
  const auto platform = load_bundled("table-4.4");
  ASSERT_EQ(platform.groups.size(), 4U);
  for (const auto& [type, count] : platform.groups) {
    EXPECT_EQ(count, 8U);
    // Static power is 20 % of the dynamic power.
    EXPECT_DOUBLE_EQ(6 * type.power[0].waiting.value(), type.power[0].computing.value());
  }
}

TEST(platform_yaml, has_a_site_for_each_type_and_a_link_between_sites_or_neither) {
  const std::string two_sites = R"(schema: hypermile/platform/1
name: two
description: two sites
types:
  - {name: a, site: x, count: 1, speed: 1Gf, gears: [1GHz], power: {dynamic: 1W, static: 1W}}
  - {name: b, site: y, count: 1, speed: 1Gf, gears: [1GHz], power: {dynamic: 1W, static: 1W}}
network:
  link: {bandwidth: 1Gbps, latency: 50us}
  between_sites: {bandwidth: 10Gbps, latency: 5ms}
)";
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = two_sites;
    return text.replace(text.find(from), from.size(), to);
  };
  const auto platform = parse_platform(two_sites, "p.yaml");
  EXPECT_EQ(platform.groups[1].type.site, "y");
  EXPECT_DOUBLE_EQ(platform.network.between_sites.value().latency.value(), 5e-3);
  expect_platform_error(changed("site: y, ", ""),
                        "p.yaml:5: types: some have a site, others have none");
  expect_platform_error(changed("site: y", "site: x"),
                        "p.yaml:9: network.between_sites: there are no two sites");
  expect_platform_error(
      changed("  between_sites: {bandwidth: 10Gbps, latency: 5ms}\n", ""),
      "p.yaml:8: network: the key 'between_sites' is missing, but there are several sites");
  expect_platform_error(two_sites + "  backbone: {bandwidth: 10Gbps, latency: 1us}\n",
                        "p.yaml:10: network.backbone: is there beside between_sites");
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
  expect_platform_error(platform_with("    speed: 40Gf", "    sped: 40Gf"),
                        "p.yaml:7: types[0]: unknown key 'sped'");
  expect_platform_error(platform_with("static: 4W}", "static: -4W}"),
                        "p.yaml:9: types[0].power.static: '-4W' is negative");
  expect_platform_error(platform_with("[2.0GHz, 1.5GHz, 1.0GHz]", "[1.5GHz, 2.0GHz, 1.0GHz]"),
                        "p.yaml:8: types[0].gears: gear 1 (2 GHz) is not slower than gear 0");
  expect_platform_error(platform_with("40Gf", "nanGf"), "p.yaml:7: types[0].speed");
  expect_platform_error(platform_with("[50W, 20W]", "[50W]"),
                        "p.yaml:17: types[1].power.waiting: has 1 values");
  expect_platform_error(platform_with("[50W, 20W]", "[50W, 45W]"),
                        "in gear 1 computing draws less than waiting");
  expect_platform_error(platform_with("count: 2", "count: 0"), "p.yaml:6: types[0].count");
  expect_platform_error(platform_with("count: 2", "count: two"), "p.yaml:6: types[0].count");
  expect_platform_error(platform_with("    count: 2\n", ""),
                        "p.yaml:5: types[0]: the key 'count' is missing");
  expect_platform_error(platform_with("1Gbps", "1GHz"), "p.yaml:20: network.link.bandwidth");
  expect_platform_error(platform_with("hypermile/platform/1", "hypermile/platform/9"),
                        "p.yaml:1: schema");
  expect_platform_error(platform_with("    power: {dynamic: 20W, static: 4W}", "    power: 20W"),
                        "p.yaml:9: types[0].power: must be a map");
  expect_platform_error(platform_with("name: two", "name: two\nname: three"),
                        "the key 'name' is there twice");
  expect_platform_error(platform_with("types:", "types: ["), "not valid YAML");
  expect_platform_error("", "p.yaml is empty");
  expect_platform_error("# only a comment\n", "p.yaml is empty");
  expect_platform_error("- a\n- b\n", "must be a map");
}

TEST(type_of_host, is_the_first_whose_pattern_fits) {
  const auto platform = parse_platform(
      platform_with("    speed: 40Gf", "    hosts: [\"old*\", n17]\n    speed: 40Gf"), "f");
  EXPECT_EQ(model::type_of_host(platform, "old-3")->name, "slow");
  EXPECT_EQ(model::type_of_host(platform, "n17")->name, "slow");
  EXPECT_EQ(model::type_of_host(platform, "n18"), nullptr);
}

TEST(type_of_host, is_the_only_type_where_no_host_is_named) {
  auto platform = parse_platform(valid_platform, "f");
  EXPECT_EQ(model::type_of_host(platform, "any"), nullptr); // there are two
  platform.groups.pop_back();
  EXPECT_EQ(model::type_of_host(platform, "any")->name, "slow");
}

TEST(place, takes_the_nodes_of_a_fixed_platform_in_order) {
  const auto platform = parse_platform(valid_platform, "p.yaml");
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

TEST(platform_yaml, a_memory_is_for_stars_without_backbone) {
  const auto platform_with = [](const std::string& network) {
    return "schema: hypermile/platform/1\nname: m\ndescription: memory\ntypes:\n"
           "  - {name: a, count: 2, speed: 1Gf, gears: [1GHz], power: {dynamic: 1W, static: 1W}, "
           "memory: {bandwidth: 3GBps, latency: 1us}}\n"
           "network: {link: {bandwidth: 1Gbps, latency: 50us}" +
           network + "}\n";
  };
  const auto platform = parse_platform(platform_with(""), "p.yaml");
  EXPECT_EQ(platform.groups.front().type.memory, (model::Link{Bandwidth{3e9}, Seconds{1e-6}}));
  for (const char* const wrong :
       {", backbone: {bandwidth: 1Gbps, latency: 1us}", ", topology: {torus: [2]}"})
    EXPECT_THROW((void)parse_platform(platform_with(wrong), "p.yaml"), Error) << wrong;
}

} // namespace
} // namespace hypermile::io
